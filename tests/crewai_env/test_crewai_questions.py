"""A flow that asks: what is shown, what the answer does, which way it goes, one question after the other."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from crewai.flow.async_feedback import HumanFeedbackPending
from crewai.flow.persistence import SQLiteFlowPersistence
from crewai.llms.base_llm import BaseLLM

from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent, agui_feedback_provider, answers, question
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, Cancel, Refused
from reflex_agentkit.testing.agent_contract.script import cancelled, resolved
from tests.crewai_env.talk import error_of, restarted, text_of, thread_of

Noted = list[Any]


def asking(noted: Noted) -> type[Flow[dict[str, Any]]]:
    """Asks without a provider of its own, and notes CrewAI's feedback."""

    class Asking(Flow[dict[str, Any]]):
        @start()
        @human_feedback(message="Which one?", metadata={"reason": "choice"})
        def ask(self) -> dict[str, Any]:
            return {"slots": ["10:00", "14:00"]}

        @listen(ask)
        def take(self, result: HumanFeedbackResult) -> None:
            noted.append((result.feedback, result.output))

    return Asking


async def test_a_pause_is_a_question_with_what_the_flow_showed(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted: Noted = []
    heard = asking(noted)
    async with AgentKit(CrewAIFlowAGUIAgent(heard, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        assert await kit.wait("t") == "awaiting_input"
        [pending] = await kit.pending("t")
    assert (pending.kind, pending.reason, pending.message) == ("question", "choice", "Which one?")
    assert pending.payload == {"slots": ["10:00", "14:00"]}


@pytest.mark.parametrize(
    ("payload", "feedback"),
    [("14:00", "14:00"), ({"at": "14:00"}, '{"at": "14:00"}'), (3, "3"), (None, "null"), ([1.0], "[1.0]")],
)
async def test_an_answer_is_crewais_feedback_a_text_as_it_is_and_the_rest_as_json(
    persistence: SQLiteFlowPersistence, payload: Any, feedback: str
) -> None:
    noted: Noted = []
    heard = asking(noted)
    thread = thread_of(heard, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(resolved(asked.id, payload))).ended == "success"
    assert noted == [(feedback, {"slots": ["10:00", "14:00"]})]


async def test_a_cancelled_question_is_crewais_empty_feedback(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted: Noted = []
    heard = asking(noted)
    thread = thread_of(heard, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(cancelled(asked.id))).ended == "success"
    assert [feedback for feedback, _ in noted] == [""]


async def test_a_pause_outlives_the_process(persistence: SQLiteFlowPersistence) -> None:
    noted: Noted = []
    heard = asking(noted)
    thread = thread_of(heard, persistence)
    [asked] = (await thread.send()).interrupts
    thread = restarted(thread, heard, persistence)
    [again] = (await thread.go()).interrupts
    assert again == asked
    assert (await thread.go(resolved(asked.id, "10:00"))).ended == "success"
    assert len(noted) == 1


def routing(went: Noted, **options: Any) -> type[Flow[dict[str, Any]]]:
    """Asks which way to go."""

    class Routing(Flow[dict[str, Any]]):
        @start()
        @human_feedback(
            message="Publish?", emit=["publish", "revise"], provider=agui_feedback_provider, **options
        )
        def review(self) -> str:
            return "A draft"

        @listen("publish")
        def to_press(self) -> None:
            went.append("publish")

        @listen("revise")
        def to_desk(self) -> None:
            went.append("revise")

    return Routing


async def test_a_router_asks_for_one_of_its_outcomes_and_goes_that_way_without_a_model(
    persistence: SQLiteFlowPersistence,
) -> None:
    went: Noted = []
    flow = routing(went)
    async with AgentKit(CrewAIFlowAGUIAgent(flow, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        assert pending.response_schema == {"type": "string", "enum": ["publish", "revise"]}
        refused = await kit.answer(pending.id, Answer("burn it"), by="ann")
        assert isinstance(refused, Refused)
        assert refused.code == "invalid_answer"
        await kit.answer(pending.id, Answer("revise"), by="ann")
        assert await kit.wait("t") == "idle"
    assert went == ["revise"]


async def test_another_outcome_is_refused_over_the_wire_too(
    persistence: SQLiteFlowPersistence,
) -> None:
    went: Noted = []
    flow = routing(went)
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    assert error_of(await thread.go(resolved(asked.id, "burn it"))).code == "invalid_answer"
    assert (await thread.go(resolved(asked.id, "publish"))).ended == "success"
    assert went == ["publish"]


async def test_a_cancelled_router_without_a_default_goes_no_way(
    persistence: SQLiteFlowPersistence,
) -> None:
    # CrewAI would take the first outcome: nobody said "publish".
    went: Noted = []
    flow = routing(went)
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    assert (await thread.go(cancelled(asked.id))).ended == "success"
    assert went == []
    assert (await thread.go(cancelled(asked.id))).ended == "success"
    [next_one] = (await thread.send("again")).interrupts
    assert next_one.id != asked.id
    assert (await thread.go(resolved(next_one.id, "publish"))).ended == "success"
    assert went == ["publish"]


async def test_a_cancelled_router_with_a_default_goes_that_way(persistence: SQLiteFlowPersistence) -> None:
    went: Noted = []
    flow = routing(went, default_outcome="revise")
    async with AgentKit(CrewAIFlowAGUIAgent(flow, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Cancel(), by="ann")
        assert await kit.wait("t") == "idle"
    assert went == ["revise"]


class Judge(BaseLLM):
    """Reads a free text as one of the outcomes."""

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
        self._emit_stream_chunk_event("thinking about it")
        return '{"outcome": "revise"}' if "shorter" in str(messages) else '{"outcome": "publish"}'


async def test_a_free_answer_is_judged_by_the_flows_own_model_which_nobody_sees(
    persistence: SQLiteFlowPersistence, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reflex_agentkit.adapters.crewai import outcome_model

    monkeypatch.setattr(outcome_model, "_resolve_llm_instance", lambda _: Judge(model="judge"))
    went: Noted = []
    flow = routing(went, metadata={"responseSchema": {"type": "string"}})
    thread = thread_of(flow, persistence)
    [asked] = (await thread.send()).interrupts
    run = await thread.go(resolved(asked.id, "Make it shorter, please"))
    assert (run.ended, went) == ("success", ["revise"])
    assert "thinking" not in text_of(run)


def two_steps(noted: Noted) -> type[Flow[dict[str, Any]]]:
    class TwoSteps(Flow[dict[str, Any]]):
        @start()
        @human_feedback(message="Step one?", provider=agui_feedback_provider())
        async def one(self) -> dict[str, Any]:
            return question("How many?", payload={"most": 9}, response_schema={"type": "integer"})

        @listen(one)
        @human_feedback(message="Step two?", provider=agui_feedback_provider)
        async def two(self, result: HumanFeedbackResult) -> str:
            noted.append(answers(result)[0])
            return "pay?"

        @listen(two)
        async def pay(self, result: HumanFeedbackResult) -> None:
            noted.append(answers(result)[0])

    return TwoSteps


async def test_several_pauses_of_one_flow_have_ids_of_their_own_and_an_old_answer_decides_none(
    persistence: SQLiteFlowPersistence,
) -> None:
    noted: Noted = []
    flow = two_steps(noted)
    thread = thread_of(flow, persistence)
    [one] = (await thread.send()).interrupts
    assert (one.message, one.response_schema) == ("How many?", {"type": "integer"})
    assert (one.metadata or {})["payload"] == {"most": 9}
    assert error_of(await thread.go(resolved(one.id, "many"))).code == "invalid_answer"
    [two] = (await thread.go(resolved(one.id, 7))).interrupts
    assert two.id != one.id
    assert (await thread.go(resolved(one.id, 7))).interrupts == [two]
    assert [answer.value for answer in noted] == [7]
    thread = restarted(thread, flow, persistence)
    assert (await thread.go(resolved(two.id, "yes"))).ended == "success"
    assert [answer.value for answer in noted] == [7, "yes"]


class SideBySide(Flow[dict[str, Any]]):
    """Two methods that ask at the same time; the second one is slower, CrewAI would lose it."""

    @start()
    @human_feedback(message="A?", provider=agui_feedback_provider)
    def a(self) -> str:
        return "a"

    @start()
    async def before_b(self) -> None:
        for _ in range(20):
            await asyncio.sleep(0)

    @listen(before_b)
    @human_feedback(message="B?", provider=agui_feedback_provider)
    def b(self) -> str:
        return "b"


async def test_two_pauses_at_once_are_refused_with_their_names_and_the_thread_stays_usable(
    persistence: SQLiteFlowPersistence,
) -> None:
    thread = thread_of(SideBySide, persistence)
    error = error_of(await thread.send())
    assert error.code == "configuration"
    assert "'a' and 'b' at the same time" in error.message
    assert persistence.load_pending_feedback("thread-1") is None
    thread = thread_of(two_steps([]), persistence)
    assert len((await thread.send("again")).interrupts) == 1


class Beside(Flow[dict[str, Any]]):
    """One branch waits for a person while another one goes on."""

    @start()
    @human_feedback(message="A?", provider=agui_feedback_provider)
    def a(self) -> str:
        return "a"

    @start()
    async def b(self) -> None:
        await asyncio.sleep(0)

    @listen(b)
    async def after_b(self) -> None:
        self.state["b"] = "done"

    @listen(a)
    def after_a(self, result: HumanFeedbackResult) -> None:
        self.state["seen"] = self.state.get("b")


async def test_what_runs_beside_a_pause_comes_to_its_end_and_its_state_is_kept(
    persistence: SQLiteFlowPersistence,
) -> None:
    thread = thread_of(Beside, persistence)
    [asked] = (await thread.send()).interrupts
    assert thread.state == {"b": "done"}
    await thread.go(resolved(asked.id, "yes"))
    assert thread.state == {"b": "done", "seen": "done"}


class Slack:
    """A provider of somebody else's, whose coroutine pauses."""

    def request_feedback(self, context: Any, flow: Any) -> Any:
        async def ask() -> str:
            raise HumanFeedbackPending(context=context)

        return ask()


async def test_a_provider_of_ones_own_pauses_too(persistence: SQLiteFlowPersistence) -> None:
    heard: list[str] = []

    class Own(Flow[dict[str, Any]]):
        @start()
        @human_feedback(message="Own?", provider=Slack())
        def ask(self) -> str:
            return "shown"

        @listen(ask)
        def take(self, result: HumanFeedbackResult) -> None:
            heard.append(result.feedback)

    thread = thread_of(Own, persistence)
    [asked] = (await thread.send()).interrupts
    await thread.go(resolved(asked.id, "fine"))
    assert heard == ["fine"]


async def test_a_form_card_is_answered_with_its_values(persistence: SQLiteFlowPersistence) -> None:
    card = {
        "formType": "seat",
        "fields": [{"name": "seat", "label": "Seat", "type": "text", "required": True}],
    }
    noted: Noted = []

    class Card(Flow[dict[str, Any]]):
        @start()
        @human_feedback(message="Your seat?", provider=agui_feedback_provider)
        def ask(self) -> dict[str, Any]:
            return card

        @listen(ask)
        def take(self, result: HumanFeedbackResult) -> None:
            noted.append(answers(result)[0])

    async with AgentKit(CrewAIFlowAGUIAgent(Card, persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        assert pending.form is not None
        assert pending.response_schema is not None
        assert isinstance(await kit.answer(pending.id, Answer({"values": {"seat": 3}}), by="ann"), Refused)
        outcome = await kit.answer(
            pending.id, Answer({"approved": True, "values": {"seat": "12A"}}), by="ann"
        )
        assert not isinstance(outcome, Refused), outcome.message
        assert await kit.wait("t") == "idle"
    assert noted[0].value["values"] == {"seat": "12A"}
