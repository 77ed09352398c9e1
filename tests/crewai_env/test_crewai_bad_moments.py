"""A flow at its worst: two methods with one yes, changed values, tools that break out, odd outputs."""

from __future__ import annotations

import asyncio
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

import pytest
from ag_ui.core import AssistantMessage, FunctionCall, Message, ToolCall, ToolMessage
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import (
    AGUIFlowState,
    ApprovalDecision,
    CrewAIFlowAGUIAgent,
    ToolOutcome,
    approvals,
    question,
    tool_request,
)
from reflex_agentkit.adapters.crewai.chat_state import chat_messages
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Approve
from reflex_agentkit.testing.agent_contract.script import cancelled, no, resolved, yes
from tests.crewai_env.talk import error_of, thread_of

Act = Callable[[ApprovalDecision], Any]


def acting(act: Act, *, output: Any = None) -> type[Flow[AGUIFlowState]]:
    """Asks about one call, and does with each decision what a test says."""

    class Acting(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?")
        def ask(self) -> Any:
            return tool_request("c1", "buy", {"items": ["tea"]}) if output is None else output

        @listen(ask)
        async def act(self, result: HumanFeedbackResult) -> None:
            for decision in approvals(result):
                done = act(decision)
                if asyncio.iscoroutine(done):
                    await done

    return Acting


async def test_two_methods_with_one_yes_run_its_tool_once(persistence: SQLiteFlowPersistence) -> None:
    ran: Counter[str] = Counter()
    outcomes: list[ToolOutcome] = []

    async def buy(items: list[str]) -> str:
        ran["buy"] += 1
        await asyncio.sleep(0)
        return f"bought {items}"

    class Twice(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?")
        def ask(self) -> Any:
            return tool_request("c1", "buy", {"items": ["tea"]})

        @listen(ask)
        async def one(self, result: HumanFeedbackResult) -> None:
            outcomes.append(await approvals(result)[0].run(buy))

        @listen(ask)
        async def two(self, result: HumanFeedbackResult) -> None:
            outcomes.append(await approvals(result)[0].run(buy))

    thread = thread_of(Twice, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(yes(asked.id))).results == {"c1": "bought ['tea']"}
    assert ran["buy"] == 1
    assert [one.status for one in outcomes] == ["done", "done"]


async def test_two_threads_with_one_yes_run_its_tool_once(persistence: SQLiteFlowPersistence) -> None:
    ran: Counter[str] = Counter()
    both = threading.Barrier(2)
    outcomes: list[ToolOutcome] = []

    def buy(items: list[str]) -> str:
        ran["buy"] += 1
        return f"bought {items}"

    class Twice(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?")
        def ask(self) -> Any:
            return tool_request("c1", "buy", {"items": ["tea"]})

        @listen(ask)
        def one(self, result: HumanFeedbackResult) -> None:
            self.act(result)

        @listen(ask)
        def two(self, result: HumanFeedbackResult) -> None:
            self.act(result)

        def act(self, result: HumanFeedbackResult) -> None:
            both.wait(10)
            outcomes.append(approvals(result)[0].run_sync(buy))

    thread = thread_of(Twice, persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(yes(asked.id))
    assert ran["buy"] == 1
    assert [one.text for one in outcomes] == ["bought ['tea']"] * 2


def changed(decision: ApprovalDecision) -> ApprovalDecision:
    decision.args["items"].append("gold")
    return decision


@pytest.mark.parametrize(
    ("forged", "said"),
    [
        (changed, "not the ones that were approved"),
        (lambda one: replace(one, args={"items": []}), "not the ones that were approved"),
        (lambda one: replace(one, tool_call_id="c2"), "no yes to it"),
        (
            lambda _: ApprovalDecision(tool_call_id="c9", tool_name="buy", approved=True, args={"items": []}),
            "no yes to it",
        ),
    ],
)
async def test_only_what_was_approved_runs_whatever_code_makes_of_a_decision(
    persistence: SQLiteFlowPersistence, forged: Callable[[ApprovalDecision], ApprovalDecision], said: str
) -> None:
    ran: list[Any] = []
    thread = thread_of(acting(lambda one: forged(one).run(lambda items: ran.append(items))), persistence)
    [asked] = (await thread.send()).interrupts
    error = error_of(await thread.go(yes(asked.id)))
    assert (error.code, ran) == ("gate", [])
    assert said in error.message


async def test_a_decision_that_was_kept_lets_nothing_run_in_a_later_run(
    persistence: SQLiteFlowPersistence,
) -> None:
    ran: list[Any] = []

    class State(AGUIFlowState):
        kept: dict[str, Any] = {}

    class Later(Flow[State]):
        @start()
        @human_feedback(message="May it run?")
        def ask(self) -> Any:
            return tool_request("c1", "buy", {})

        @listen(ask)
        @human_feedback(message="Sure?")
        def again(self, result: HumanFeedbackResult) -> str:
            self.state.kept = asdict(approvals(result)[0])
            return "sure?"

        @listen(again)
        async def act(self) -> None:
            await ApprovalDecision(**self.state.kept).run(lambda: ran.append(1))

    thread = thread_of(Later, persistence)
    [first] = (await thread.send()).interrupts
    [second] = (await thread.go(yes(first.id))).interrupts
    assert "carries no yes" in error_of(await thread.go(resolved(second.id, "sure"))).message
    assert ran == []


async def test_a_tool_that_changes_its_arguments_changes_no_notice(
    persistence: SQLiteFlowPersistence,
) -> None:
    thread = thread_of(acting(lambda one: one.run(lambda items: items.clear())), persistence)
    [asked] = (await thread.send()).interrupts
    run = await thread.go(yes(asked.id, editedArgs={"items": ["milk"]}))
    assert '{"items": ["milk"]}' in run.results["c1"]


@pytest.mark.parametrize("error", [asyncio.CancelledError("inside"), SystemExit(3)])
@pytest.mark.parametrize("way", ["run", "run_sync"])
async def test_a_tool_that_cancels_or_leaves_by_itself_failed_and_the_flow_goes_on(
    persistence: SQLiteFlowPersistence, gate: Any, error: BaseException, way: str
) -> None:
    def buy(items: list[str]) -> None:
        raise error

    thread = thread_of(acting(lambda one: getattr(one, way)(buy)), persistence)
    [asked] = (await thread.send()).interrupts
    run = await thread.go(yes(asked.id))
    assert run.ended == "success"
    assert type(error).__name__ in run.results["c1"]
    assert gate.heard[-1][:2] == ("failed", "c1")


@pytest.mark.parametrize("error", [asyncio.CancelledError("inside"), SystemExit(3)])
@pytest.mark.parametrize("in_thread", [False, True])
async def test_a_step_that_cancels_or_leaves_by_itself_fails_its_run(
    persistence: SQLiteFlowPersistence, error: BaseException, in_thread: bool
) -> None:
    def here(_: Any) -> None:
        raise error

    async def there(_: Any) -> None:
        raise error

    class Leaving(Flow[AGUIFlowState]):
        step = start()(here if in_thread else there)

    told = error_of(await thread_of(Leaving, persistence).send())
    assert f"ended by itself with {type(error).__name__}" in told.message


async def test_a_thread_that_outlives_its_stopped_run_begins_no_further_tool(
    persistence: SQLiteFlowPersistence,
) -> None:
    ran: list[int] = []
    began, go_on, over = threading.Event(), threading.Event(), threading.Event()

    def buy(number: int) -> str:
        ran.append(number)
        began.set()
        go_on.wait(10)
        return "bought"

    class Slow(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May these run?")
        def ask(self) -> Any:
            return [tool_request(f"c{number}", "buy", {"number": number}) for number in (1, 2)]

        @listen(ask)
        def act(self, result: HumanFeedbackResult) -> None:
            try:
                for decision in approvals(result):
                    decision.run_sync(buy)
            finally:
                over.set()

    async with AgentKit(CrewAIFlowAGUIAgent(Slow, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        for pending in await kit.pending("t"):
            await kit.answer(pending.id, Approve(), by="ann")
        assert await asyncio.to_thread(began.wait, 10)
        await kit.cancel("t")
        assert await kit.wait("t") == "cancelled"
        go_on.set()
        assert await asyncio.to_thread(over.wait, 10)
    assert ran == [1]


async def test_requests_in_a_tuple_are_answered_under_the_ids_that_were_told(
    persistence: SQLiteFlowPersistence,
) -> None:
    # A store gives a list back.
    ran: list[str] = []
    output = (tool_request("c1", "buy", {"what": "tea"}), tool_request("c2", "buy", {"what": "milk"}))
    flow = acting(lambda one: one.run(lambda what: ran.append(what)), output=output)
    thread = thread_of(flow, persistence)
    one, two = (await thread.send()).interrupts
    assert (await thread.go(yes(one.id), yes(two.id))).ended == "success"
    assert ran == ["tea", "milk"]


@pytest.mark.parametrize("answer", ["", "  \n"])
async def test_a_blank_answer_chooses_no_outcome(persistence: SQLiteFlowPersistence, answer: str) -> None:
    # CrewAI would take the first outcome: nobody said "publish".
    went: list[str] = []

    class Routing(Flow[AGUIFlowState]):
        @start()
        @human_feedback(
            message="Publish?",
            emit=["publish", "revise"],
            metadata={"responseSchema": {"type": "string"}},
        )
        def review(self) -> str:
            return "a draft"

        @listen("publish")
        def to_press(self) -> None:
            went.append("publish")

    thread = thread_of(Routing, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(resolved(asked.id, answer))).ended == "success"
    assert went == []


@pytest.mark.parametrize(
    "output",
    [tool_request("c1", "buy", {}), [question("How many?"), question("Where?")]],
    ids=["call", "several"],
)
async def test_no_model_guesses_an_outcome_from_a_yes_or_from_several_answers(
    persistence: SQLiteFlowPersistence, output: Any
) -> None:
    class Routing(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="?", emit=["approved", "rejected"])
        def ask(self) -> Any:
            return output

    error = error_of(await thread_of(Routing, persistence).send())
    assert error.code == "configuration"
    assert "Leave out emit=" in error.message
    assert persistence.load_pending_feedback("thread-1") is None


async def test_a_question_of_a_router_takes_its_outcomes(persistence: SQLiteFlowPersistence) -> None:
    class Routing(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="?", emit=["publish", "revise"])
        def ask(self) -> Any:
            return question("Publish this?")

    [asked] = (await thread_of(Routing, persistence).send()).interrupts
    assert asked.response_schema == {"type": "string", "enum": ["publish", "revise"]}


async def test_no_thread_reads_or_overwrites_the_record_of_another(
    persistence: SQLiteFlowPersistence,
) -> None:
    handed: list[bool] = []

    def act(decision: ApprovalDecision) -> None:
        handed.append(decision.approved)
        raise RuntimeError("fell over")

    flow = acting(act)
    thread = thread_of(flow, persistence, "ann")
    [asked] = (await thread.send()).interrupts
    await thread.go(yes(asked.id))
    other = thread_of(flow, persistence, "ann#reflex-agentkit")
    assert "cannot have the id" in error_of(await other.send()).message
    assert other.state == {}
    await thread.go(yes(asked.id))
    assert handed == [True, False]


async def test_runs_of_one_thread_on_several_event_loops_come_one_after_the_other_f08(
    persistence: SQLiteFlowPersistence,
) -> None:
    ran: list[Any] = []

    async def buy(items: list[str]) -> None:
        ran.append(items)
        await asyncio.sleep(0)

    thread = thread_of(acting(lambda one: one.run(buy)), persistence)
    [asked] = (await thread.send()).interrupts
    given = thread.input(yes(asked.id))
    all_here = threading.Barrier(4)

    def on_a_loop() -> str:
        async def once() -> str:
            all_here.wait(10)
            events = [event async for event in thread.agent.run(given.model_copy(deep=True))]
            return str(events[-1].type.value)

        return asyncio.run(once())

    ended = await asyncio.gather(*(asyncio.to_thread(on_a_loop) for _ in range(4)))
    assert ended == ["RUN_FINISHED"] * 4
    assert ran == [["tea"]]


async def test_the_result_of_an_older_call_of_the_same_id_is_not_that_of_the_new_one(
    persistence: SQLiteFlowPersistence,
) -> None:
    outcomes: list[str] = []
    fails: list[int] = []

    async def act(decision: ApprovalDecision) -> None:
        if fails:
            raise RuntimeError(f"fell over {fails.pop()}")
        outcomes.append((await decision.run(lambda items: "bought")).status)

    thread = thread_of(acting(act), persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(yes(asked.id))
    [asked] = (await thread.send("again")).interrupts
    fails.append(1)
    assert (await thread.go(yes(asked.id))).ended == "error"
    await thread.go(yes(asked.id))
    assert outcomes == ["done", "in_doubt"]


async def test_a_yes_is_handed_out_only_to_a_flow_that_is_there(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    ran: list[Any] = []
    fails: list[int] = []

    def made() -> Flow[AGUIFlowState]:
        if fails:
            raise ConnectionError(f"no database {fails.pop()}")
        return acting(lambda one: one.run(lambda items: ran.append(items)))()

    thread = thread_of(made, persistence)
    [asked] = (await thread.send()).interrupts
    fails.append(1)
    assert "no database" in error_of(await thread.go(yes(asked.id))).message
    assert gate.heard == []
    assert (await thread.go(yes(asked.id))).ended == "success"
    assert ran == [["tea"]]


async def test_a_cancellation_alone_after_a_broken_run_starts_nothing(
    persistence: SQLiteFlowPersistence,
) -> None:
    def act(decision: ApprovalDecision) -> None:
        raise RuntimeError("fell over")

    thread = thread_of(acting(act), persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(no(asked.id))).ended == "error"
    run = await thread.go(cancelled(asked.id))
    assert (run.ended, list(run.results)) == ("success", ["c1"])
    assert persistence.load_pending_feedback("thread-1") is None


async def test_a_reason_is_a_persons_word_and_says_nothing_of_the_status(
    persistence: SQLiteFlowPersistence,
) -> None:
    for reason in ("in doubt about the price", "cancelled", "expired"):
        outcomes: list[ToolOutcome] = []

        async def act(decision: ApprovalDecision, outcomes: list[ToolOutcome] = outcomes) -> None:
            outcomes.append(await decision.run(lambda items: None))

        thread = thread_of(acting(act), persistence, reason)
        [asked] = (await thread.send()).interrupts
        await thread.go(resolved(asked.id, {"approved": False, "reason": reason}))
        assert outcomes[0].status == "rejected"
        assert reason in outcomes[0].text


async def test_a_model_is_not_told_that_a_person_refused_what_the_gate_stopped(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    outcomes: list[ToolOutcome] = []

    async def act(decision: ApprovalDecision) -> None:
        outcomes.append(await decision.run(lambda items: None))

    thread = thread_of(acting(act), persistence)
    [asked] = (await thread.send()).interrupts
    gate.refuses = True
    await thread.go(yes(asked.id))
    assert outcomes[0].status == "stopped"
    assert "no yes covers it" in outcomes[0].text
    assert "refused" not in outcomes[0].text


def test_an_id_that_is_used_again_keeps_each_result_beside_its_own_call() -> None:
    def called(at: int) -> list[Message]:
        function = FunctionCall(name="buy", arguments="{}")
        call = ToolCall(id="c1", function=function)
        return [
            AssistantMessage(id=f"a{at}", tool_calls=[call]),
            ToolMessage(id=f"t{at}", tool_call_id="c1", content=f"bought {at}"),
        ]

    told = [one["content"] for one in chat_messages([*called(1), *called(2)], {}) if one["role"] == "tool"]
    assert told == ["bought 1", "bought 2"]


@pytest.mark.parametrize(
    ("ask", "said"),
    [
        (lambda: tool_request("", "buy", {}), "tool_call_id"),
        (lambda: tool_request("c1", "", {}), "tool_name"),
        (lambda: tool_request("c1", "buy", [1]), "give a dict"),  # pyright: ignore[reportArgumentType]
        (lambda: tool_request("c1", "buy", {}, allow=["approved"]), "Choose among approve"),  # pyright: ignore[reportArgumentType]
        (lambda: tool_request("c1", "buy", {}, message=5), "message is int"),  # pyright: ignore[reportArgumentType]
        (lambda: tool_request("c1", "buy", {}, args_schema=AGUIFlowState), "model_json_schema"),  # pyright: ignore[reportArgumentType]
        (lambda: question(""), "message"),
        (lambda: question("?", response_schema={"type": object()}), "not a JSON Schema"),
    ],
)
def test_what_nobody_could_answer_is_not_asked(ask: Callable[[], Any], said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        ask()
