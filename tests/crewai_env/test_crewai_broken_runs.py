"""A run that breaks off: the answer is kept, finished steps do not run again, and the thread stays usable."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable
from typing import Any

import pytest
from ag_ui.core import RunFinishedEvent, ToolCallResultEvent
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, router, start
from crewai.flow.persistence import SQLiteFlowPersistence
from pydantic import BaseModel

from reflex_agentkit.adapters.crewai import (
    AGUIFlowState,
    CrewAIFlowAGUIAgent,
    agui_feedback_provider,
    answers,
    approvals,
    emit_text,
    emit_tool_call,
    emit_tool_result,
    tool_request,
)
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, Approve
from reflex_agentkit.testing.agent_contract.script import cancelled, no, resolved, yes
from tests.crewai_env.talk import error_of, restarted, text_of, thread_of


class Receipt(BaseModel):
    number: int


class Noted:
    """What a flow did, and how often it is still to fail where."""

    def __init__(self, **failures: int) -> None:
        self.ran: Counter[str] = Counter()
        self.failures = Counter(failures)
        self.heard: list[Any] = []
        self.results: list[Any] = []

    def run(self, step: str) -> None:
        self.ran[step] += 1
        if self.failures[step]:
            self.failures[step] -= 1
            raise RuntimeError(f"{step} fell over")


def steps_flow(noted: Noted, receipt: Any = None) -> type[Flow[AGUIFlowState]]:
    """Prepares, asks, pays, goes the way that a router names, and tells."""

    class State(AGUIFlowState):
        trail: list[str] = []

    class Steps(Flow[State]):
        @start()
        def prepare(self) -> None:
            noted.run("prepare")
            self.state.trail.append("prepared")

        @listen(prepare)
        @human_feedback(message="How much?", provider=agui_feedback_provider)
        def ask(self) -> str:
            noted.run("ask")
            return "a sum"

        @listen(ask)
        async def pay(self, result: HumanFeedbackResult) -> Any:
            noted.heard.append(answers(result)[0])
            noted.run("pay")
            self.state.trail.append("paid")
            return Receipt(number=7) if receipt is None else receipt

        @router(pay)
        def sort(self, paid: Any) -> str:
            noted.run("sort")
            noted.results.append(paid)
            return "tell" if getattr(paid, "number", 0) == 7 else "elsewhere"

        @listen("tell")
        def last(self) -> None:
            noted.run("last")
            emit_text(" ".join(self.state.trail))

    return Steps


@pytest.mark.parametrize("broken", ["sort", "last"])
@pytest.mark.parametrize("restart", [False, True])
async def test_what_finished_does_not_run_again_and_the_answer_is_kept_f29(
    persistence: SQLiteFlowPersistence, broken: str, restart: bool
) -> None:
    noted = Noted(**{broken: 2})
    flow = steps_flow(noted)
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    for _ in range(2):
        assert f"{broken} fell over" in error_of(await thread.go(resolved(asked.id, 12))).message
        thread = restarted(thread, flow, persistence) if restart else thread
    run = await thread.go(resolved(asked.id, 12))
    assert (run.ended, text_of(run)) == ("success", "prepared paid")
    assert (noted.ran["prepare"], noted.ran["ask"], noted.ran["pay"]) == (1, 1, 1)
    assert [answer.value for answer in noted.heard] == [12]
    assert noted.results[-1] == Receipt(number=7), "the result of a finished step is what it was"
    assert (await thread.go(resolved(asked.id, 12))).ended == "success"
    assert noted.ran["last"] == (3 if broken == "last" else 1)


async def test_a_step_that_broke_off_itself_runs_again_with_the_same_answer(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(pay=1)
    async with AgentKit(CrewAIFlowAGUIAgent(steps_flow(noted), persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Answer({"sum": 1.0}), by="ann")
        assert await kit.wait("t") == "error"
        assert await kit.pending("t") == []
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
        assert (await kit.conversation("t")).messages[-1].text == "prepared paid"
    assert [answer.value for answer in noted.heard] == [{"sum": 1.0}] * 2
    assert (noted.ran["prepare"], noted.ran["pay"]) == (1, 2)


async def test_a_run_that_broke_before_its_pause_is_gone_on_with_too(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(ask=1)
    thread = thread_of(steps_flow(noted), persistence)
    assert "ask fell over" in error_of(await thread.send()).message
    assert len((await thread.go()).interrupts) == 1
    assert (noted.ran["prepare"], noted.ran["ask"]) == (1, 2)


async def test_another_answer_after_the_flow_began_to_act_is_refused(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(sort=1)
    thread = thread_of(steps_flow(noted), persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(resolved(asked.id, 12))
    assert error_of(await thread.go(resolved(asked.id, 99))).code == "already_decided"
    assert error_of(await thread.go(resolved("nope", 99))).code == "unknown_interrupt"
    assert (await thread.go(resolved(asked.id, 12))).ended == "success"
    assert noted.ran["pay"] == 1


async def test_a_new_message_starts_over_where_the_person_does_not_try_again(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(sort=1)
    thread = thread_of(steps_flow(noted), persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(resolved(asked.id, 12))
    [other] = (await thread.send("Something else")).interrupts
    assert other.id != asked.id
    assert noted.ran["prepare"] == 2


async def test_a_result_that_cannot_be_stored_is_said_and_nothing_runs_twice(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(sort=1)
    thread = thread_of(steps_flow(noted, receipt=object()), persistence)
    [asked] = (await thread.send()).interrupts
    assert "'pay' cannot be stored" in error_of(await thread.go(resolved(asked.id, 12))).message
    assert error_of(await thread.go(resolved(asked.id, 12))).code == "cannot_go_on"
    assert noted.ran["pay"] == 1
    assert len((await thread.send("start over", resolved(asked.id, 12))).interrupts) == 1


def buying(noted: Noted, *, by_hand: bool = False) -> type[Flow[AGUIFlowState]]:
    """Asks about one call, runs it in the same method as what may fail after it, and says what it gave."""

    class Buying(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?", provider=agui_feedback_provider)
        def propose(self) -> dict[str, Any]:
            emit_tool_call("call-1", "buy", {"article": "tea"})
            return tool_request("call-1", "buy", {"article": "tea"})

        @listen(propose)
        async def act(self, result: HumanFeedbackResult) -> None:
            [decision] = approvals(result)
            if by_hand:
                noted.heard.append((decision.approved, decision.reason))
                if decision.approved:
                    noted.run("buy")
                emit_text("bought" if decision.approved else "not bought")
            else:
                outcome = await decision.run(self.buy)
                noted.heard.append((outcome.status, outcome.text))
            noted.run("after")

        async def buy(self, article: str) -> str:
            noted.run("buy")
            return f"bought {article}"

    return Buying


async def test_a_tool_that_ran_gives_its_result_again_where_its_step_broke_off(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(after=2)
    flow = buying(noted)
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    for _ in range(3):
        run = await thread.go(yes(asked.id))
        thread = restarted(thread, flow, persistence)
    assert (run.ended, run.results) == ("success", {})
    assert noted.ran["buy"] == 1
    assert noted.heard == [("done", "bought tea")] * 3


async def test_a_yes_that_was_handed_out_is_not_handed_out_again(persistence: SQLiteFlowPersistence) -> None:
    noted = Noted(buy=1)
    flow = buying(noted, by_hand=True)
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(yes(asked.id))).ended == "error"
    thread = restarted(thread, flow, persistence)
    run = await thread.go(yes(asked.id))
    assert (run.ended, noted.ran["buy"]) == ("success", 1)
    [(first, _), (second, reason)] = noted.heard
    assert (first, second) == (True, False)
    assert reason.startswith("in doubt")
    assert "in doubt" in run.results["call-1"]


async def test_with_the_engine_a_call_that_broke_off_is_in_doubt_and_does_not_run_again(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(buy=1)
    agent = CrewAIFlowAGUIAgent(buying(noted, by_hand=True), persistence=persistence)
    async with AgentKit(agent, "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Approve(), by="ann")
        assert await kit.wait("t") in ("error", "awaiting_input")
    assert noted.ran["buy"] == 1


async def test_the_gate_hears_of_every_call_once(persistence: SQLiteFlowPersistence, gate: Any) -> None:
    noted = Noted(after=1)
    thread = thread_of(buying(noted), persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(yes(asked.id))
    await thread.go(yes(asked.id))
    assert gate.heard == [("begin", "call-1", {"article": "tea"}), ("done", "call-1", "bought tea")]


async def test_the_gate_stops_a_call_that_it_does_not_know(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    noted = Noted()
    thread = thread_of(buying(noted), persistence)
    [asked] = (await thread.send()).interrupts
    gate.refuses = True
    run = await thread.go(yes(asked.id))
    assert (run.ended, noted.ran["buy"]) == ("success", 0)
    assert "no yes covers it" in run.results["call-1"]


async def test_a_yes_that_the_flow_does_not_tell_of_is_done_when_its_step_is_stored(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    thread = thread_of(buying(Noted(), by_hand=True), persistence)
    [asked] = (await thread.send()).interrupts
    run = await thread.go(yes(asked.id))
    assert run.results == {}, "only the tool says what it gave"
    assert gate.heard[-1] == ("done", "call-1", "")


@pytest.mark.parametrize("answer", [no, cancelled])
async def test_a_refusal_that_the_flow_does_not_tell_of_is_told(
    persistence: SQLiteFlowPersistence, answer: Callable[[str], Any]
) -> None:
    thread = thread_of(buying(Noted(), by_hand=True), persistence)
    [asked] = (await thread.send()).interrupts
    assert "Do not" in (await thread.go(answer(asked.id))).results["call-1"]


async def test_a_run_that_was_stopped_is_gone_on_with_and_repeats_no_finished_step(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted, began, hold = Noted(), asyncio.Event(), asyncio.Event()

    class Slow(Flow[dict[str, Any]]):
        @start()
        def first(self) -> None:
            noted.run("first")

        @listen(first)
        async def second(self) -> None:
            noted.run("second")
            began.set()
            await hold.wait()

    async with AgentKit(CrewAIFlowAGUIAgent(Slow, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await began.wait()
        await kit.cancel("t")
        assert await kit.wait("t") == "cancelled"
        hold.set()
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
    assert noted.ran == {"first": 1, "second": 2}


async def test_what_was_taken_back_before_it_began_is_told_and_the_thread_goes_on(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted(act=1)

    class Slow(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?", provider=agui_feedback_provider)
        def propose(self) -> Any:
            noted.run("propose")
            return tool_request("call-1", "buy", {}) if noted.ran["propose"] == 1 else "what next?"

        @listen(propose)
        def act(self) -> None:
            noted.run("act")

    thread = thread_of(Slow, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(no(asked.id))).ended == "error"
    run = await thread.send("Never mind", cancelled(asked.id))
    assert "cancelled" in run.results["call-1"]
    assert (run.ended, noted.ran["act"]) == ("interrupt", 1)


async def test_a_message_while_the_flow_waits_leaves_the_pause_as_it_is_f23(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted()
    thread = thread_of(steps_flow(noted), persistence)
    [asked] = (await thread.send()).interrupts
    run = await thread.send("Never mind")
    assert run.interrupts == [asked]
    assert noted.ran["prepare"] == 1
    run = await thread.go(resolved(asked.id, 12))
    # Now the message is given to the flow, which starts anew.
    assert run.ended == "interrupt"
    assert (noted.ran["pay"], noted.ran["prepare"]) == (1, 2)


async def test_the_same_answer_at_the_same_moment_is_taken_once_f08(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted = Noted()
    thread = thread_of(steps_flow(noted), persistence)
    [asked] = (await thread.send()).interrupts
    given = thread.input(resolved(asked.id, 12))

    async def once() -> str:
        events = [event async for event in thread.agent.run(given.model_copy(deep=True))]
        assert isinstance(events[-1], RunFinishedEvent)
        return str(events[-1].outcome.type if events[-1].outcome else "")

    assert await asyncio.gather(once(), once(), once()) == ["success"] * 3
    assert noted.ran["pay"] == 1


async def test_an_answer_from_another_thread_is_refused_s07(persistence: SQLiteFlowPersistence) -> None:
    noted = Noted()
    one = thread_of(steps_flow(noted), persistence, "thread-1")
    two = thread_of(steps_flow(noted), persistence, "thread-2")
    [asked] = (await one.send()).interrupts
    [other] = (await two.send()).interrupts
    assert error_of(await two.go(resolved(asked.id, 12))).code == "unknown_interrupt"
    assert error_of(await two.go(resolved("thread-2", 12))).code == "unknown_interrupt"
    assert noted.ran["pay"] == 0
    assert (await two.go(resolved(other.id, 12))).ended == "success"


async def test_a_thread_that_waits_in_another_flow_says_so(persistence: SQLiteFlowPersistence) -> None:
    thread = thread_of(steps_flow(Noted()), persistence)
    [asked] = (await thread.send()).interrupts
    other = restarted(thread, buying(Noted()), persistence)
    error = error_of(await other.go(resolved(asked.id, 12)))
    assert error.code == "configuration"
    assert "Steps.ask" in error.message


async def test_a_flow_that_acts_by_itself_is_told_what_its_call_gave_and_the_gate_is_not_asked_again(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    noted = Noted(after=1)
    heard: list[Any] = []

    class ByHand(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?", provider=agui_feedback_provider)
        def propose(self) -> dict[str, Any]:
            emit_tool_call("call-1", "buy", {})
            return tool_request("call-1", "buy", {})

        @listen(propose)
        def act(self, result: HumanFeedbackResult) -> None:
            [decision] = approvals(result)
            heard.append((decision.approved, decision.reason))
            if decision.approved:
                noted.run("buy")
                emit_tool_result("call-1", "bought")
            noted.run("after")

    thread = thread_of(ByHand, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(yes(asked.id))).ended == "error"
    assert (await thread.go(yes(asked.id))).ended == "success"
    assert heard == [(True, None), (False, "in doubt: it ran before, and gave: bought")]
    assert (noted.ran["buy"], gate.asked) == (1, 1)


async def test_a_call_in_doubt_can_be_told_what_it_gave_and_does_not_run(
    persistence: SQLiteFlowPersistence, gate: Any
) -> None:
    noted = Noted(buy=1)
    thread = thread_of(buying(noted, by_hand=True), persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(yes(asked.id))).ended == "error"
    told = resolved(asked.id, {"approved": False, "response": "It was bought."})
    run = await thread.go(told)
    assert (run.ended, run.results) == ("success", {"call-1": "It was bought."})
    assert noted.ran["buy"] == 1


async def test_a_result_is_kept_before_its_step_is_over(persistence: SQLiteFlowPersistence) -> None:
    noted, began, hold = Noted(), asyncio.Event(), asyncio.Event()

    class Slow(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="May it run?", provider=agui_feedback_provider)
        def propose(self) -> dict[str, Any]:
            emit_tool_call("call-1", "buy", {})
            return tool_request("call-1", "buy", {})

        @listen(propose)
        async def act(self, result: HumanFeedbackResult) -> None:
            noted.results.append(await approvals(result)[0].run(self.buy))
            began.set()
            await hold.wait()

        def buy(self) -> str:
            noted.run("buy")
            return "bought"

    thread = thread_of(Slow, persistence)
    [asked] = (await thread.send()).interrupts
    stream = thread.agent.run(thread.input(yes(asked.id)))
    async for event in stream:
        if isinstance(event, ToolCallResultEvent):
            break
    await began.wait()
    await stream.aclose()  # pyright: ignore[reportAttributeAccessIssue]
    hold.set()
    thread = restarted(thread, Slow, persistence)
    assert (await thread.go(yes(asked.id))).ended == "success"
    assert noted.ran["buy"] == 1
    assert [one.text for one in noted.results] == ["bought"] * 2
