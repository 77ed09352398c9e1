"""Runs that broke off around a tool that LangChain runs: nothing runs twice, the model hears it in order."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import BaseEvent, MessagesSnapshotEvent, ToolCallResultEvent

from reflex_agentkit.adapters._notice import interruption
from reflex_agentkit.agents.gate import use_gate
from reflex_agentkit.protocol.conversation import NO_RESULT
from reflex_agentkit.protocol.verdicts import Answer, Approve, Reject
from tests.adapters.langgraph.scripted import OSLO, ROME, assert_answered
from tests.adapters.langgraph_middleware.office import Office
from tests.adapters.talk import CountingGate, approved, cancelled, refused, resolved

LOOK = ("look", {"city": "Bonn"})
ASK = ("ask", {"question": "Window or aisle?"})
CONFIRM = ("confirm", {"city": "Rome"})
FAILED = "The tool failed with RuntimeError: down\n"


async def answer_all(kit: Any, *answers: Any) -> str:
    for answer in answers:
        (pending, *_) = await kit.pending("t")
        await kit.answer(pending.id, answer, by="ann")
    return await kit.wait("t")


async def opened(make_kit: Any, office: Office, agent: Any = None) -> Any:
    kit = await make_kit(agent or office.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    return kit


@pytest.mark.parametrize("other", [OSLO, LOOK])
@pytest.mark.parametrize("says", [True, False])
async def test_one_tool_raises_and_the_result_of_the_other_stands_beside_it(
    make_kit: Any, other: Any, says: bool
) -> None:
    office = Office([ROME, other], "Sorry.", "And now?")
    kit = await opened(make_kit, office)
    office.raises = [RuntimeError("down")]
    assert await answer_all(kit, *[Approve()] * len(await kit.pending("t"))) == "error"
    if says:
        await kit.send("t", "Hey")
    else:
        await kit.retry("t")
    assert await kit.wait("t") == "idle"
    assert len(office.ran) == 2
    assert len(office.model.saw) == 2, "one turn of the model before, and one after"
    assert_answered(office.model.saw[-1])
    results = {message.tool_call_id: message.content for message in office.model.saw[-1][2:4]}
    assert results["call-1a"].startswith(FAILED)
    assert results["call-1b"] in ("Booked 1 nights in Oslo.", "Bonn is nice.")
    assert office.model.kinds == ["human", "ai", "tool", "tool", *(["human"] if says else [])]
    calls = (await kit.conversation("t")).messages[1].tool_calls
    assert [(call.status, call.result) for call in calls] == [
        ("failed", results["call-1a"]),
        ("done", results["call-1b"]),
    ]


@pytest.mark.parametrize("resume", ["none", "the same", "a message"])
@pytest.mark.parametrize("keep", [True, False])
async def test_wire_an_approved_tool_that_raised_does_not_run_again(resume: str, keep: bool) -> None:
    office = Office([ROME], "Sorry.")
    (asked,) = (await office.talk.send("Book")).interrupts
    office.raises = [RuntimeError("down")]
    run = await office.talk.go(approved(asked.id), keep=keep)
    assert run.error.message == "down"
    if resume == "a message":
        run = await office.talk.send("And?")
    else:
        run = await office.talk.go(*([approved(asked.id)] if resume == "the same" else []))
    assert run.outcome.type == "success"
    assert office.ran == ["Rome"]
    assert_answered(office.model.saw[-1])
    (result,) = [message for message in office.model.saw[-1] if message.type == "tool"]
    assert str(result.content).startswith(FAILED if keep else interruption())
    assert run.results == ({} if keep else {"call-1a": interruption()})


async def test_wire_a_message_without_the_result_of_a_plain_call_that_broke_off_closes_it_first() -> None:
    office = Office([LOOK, ASK], "Fine.")
    await office.talk.send("Look")
    await office.talk.go()
    office.graph.update_state({"configurable": {"thread_id": "thread-1"}}, None, as_node="__end__")
    run = await office.talk.send("Never mind")
    assert run.outcome.type == "success"
    assert office.model.kinds == ["human", "ai", "tool", "tool", "human"]
    assert_answered(office.model.saw[-1])
    assert office.ran == ["look Bonn"]
    assert run.results == {"call-1b": interruption()}


def holds_a_result(event: Any) -> bool:
    return isinstance(event, ToolCallResultEvent) or any(one.role == "tool" for one in event.messages)


class Forgetful:
    """An agent of whose results the log hears nothing."""

    def __init__(self, agent: Any) -> None:
        self.agent = agent
        self.hears = False

    async def run(self, run_input: Any) -> Any:
        async for event in self.agent.run(run_input):
            told = isinstance(event, ToolCallResultEvent | MessagesSnapshotEvent)
            if self.hears or not told or not holds_a_result(event):
                yield event


async def test_f07_the_gate_knows_of_a_tool_that_raised_although_the_log_does_not(make_kit: Any) -> None:
    office = Office([ROME], "Sorry.")
    kit = await opened(make_kit, office, Forgetful(office.agent))
    office.raises = [RuntimeError("down")]
    assert await answer_all(kit, Approve()) == "error"
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
    assert office.ran == ["Rome"]
    assert_answered(office.model.saw[-1])
    assert office.model.told == ["The tool failed: RuntimeError: down"]


async def test_f07_a_run_without_its_yes_is_stopped_before_the_tool(gate: CountingGate) -> None:
    use_gate(gate)
    office = Office([ROME], "Sorry.")
    (asked,) = (await office.talk.send("Book")).interrupts
    office.raises = [RuntimeError("down")]
    await office.talk.go(approved(asked.id), keep=False)
    run = await office.talk.go()
    assert run.outcome.type == "success"
    assert (office.ran, len(gate.begun)) == (["Rome"], 1)


async def test_f07_a_tool_that_raised_does_not_run_with_the_answer_to_the_question_beside_it() -> None:
    office = Office([ROME, ASK], "Sorry.")
    (asked,) = (await office.talk.send("Book")).interrupts
    office.raises, office.before = [RuntimeError("down")], office.asked
    run = await office.talk.go(approved(asked.id))
    assert run.error.message == "down"
    (question,) = (await office.talk.go()).interrupts
    assert question.tool_call_id is None
    run = await office.talk.go(resolved(question.id, "aisle"))
    assert run.outcome.type == "success"
    assert office.ran == ["Rome"]
    assert_answered(office.model.saw[-1])
    assert len(office.model.saw) == 2
    results = {message.tool_call_id: message.content for message in office.model.saw[-1][2:]}
    assert results["call-1b"] == "aisle"
    assert results["call-1a"].startswith(FAILED)


@pytest.mark.parametrize("gated", [True, False])
async def test_an_approved_tool_that_asks_goes_on_with_the_answer(gate: CountingGate, gated: bool) -> None:
    use_gate(gate if gated else None)
    office = Office([CONFIRM, LOOK], "Bon voyage.")
    (asked,) = (await office.talk.send("Book")).interrupts
    (question,) = (await office.talk.go(approved(asked.id))).interrupts
    assert question.message == "Which seat to Rome?"
    run = await office.talk.go(resolved(question.id, "12A"))
    assert run.outcome.type == "success"
    assert office.ran == ["look Bonn", "Rome 12A"]
    assert_answered(office.model.saw[-1])
    assert len(gate.begun) == (1 if gated else 0)
    assert gate.broken == {}


async def test_an_approved_tool_that_asks_through_the_kit(make_kit: Any) -> None:
    office = Office([CONFIRM], "Bon voyage.")
    kit = await opened(make_kit, office)
    assert await answer_all(kit, Approve()) == "awaiting_input"
    assert await answer_all(kit, Answer("12A")) == "idle"
    assert office.ran == ["Rome 12A"]
    (call,) = (await kit.conversation("t")).messages[1].tool_calls
    assert (call.status, call.result) == ("done", "Booked 12A.")


@pytest.mark.parametrize("first", [Approve(), Reject("no")])
async def test_f07_a_tool_that_was_stopped_halfway_may_have_taken_effect(make_kit: Any, first: Any) -> None:
    office = Office([OSLO, ROME], "All right.")
    kit = await opened(make_kit, office)
    office.holds = {"Rome"}
    for answer in (first, Approve()):
        (pending, *_) = await kit.pending("t")
        await kit.answer(pending.id, answer, by="ann")
    await office.began["Rome"].wait()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    states = {record.pending.tool_call_id: record.state for record in await kit._store.interrupts("t")}
    assert states["call-1b"] == "in_doubt"
    office.holds = set()
    before = list(office.ran)
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"
    assert office.ran == before
    assert_answered(office.model.saw[-1])
    results = {one.tool_call_id: one.content for one in office.model.saw[-1] if one.type == "tool"}
    assert results["call-1b"] == NO_RESULT
    assert len(office.model.saw) == 2
    stopped = (await kit.conversation("t")).messages[1].tool_calls[1]
    assert stopped.result is None, "a tool's result is what the tool gave"


async def test_wire_the_events_of_a_run_that_closes_a_call_are_in_order() -> None:
    office = Office([ROME], "Sorry.")
    (asked,) = (await office.talk.send("Book")).interrupts
    office.raises = [RuntimeError("down")]
    await office.talk.go(approved(asked.id), keep=False)
    events: list[BaseEvent] = (await office.talk.go()).events
    kinds = [event.type.value for event in events]
    assert kinds.index("TOOL_CALL_RESULT") < kinds.index("TEXT_MESSAGE_START")
    assert kinds.count("TOOL_CALL_RESULT") == 1


async def test_a_refused_call_is_kept_back_and_the_approved_one_beside_it_runs_to_its_end() -> None:
    office = Office([ROME, OSLO], "Well.")
    one, two = (await office.talk.send("Book")).interrupts
    run = await office.talk.go(refused(one.id), approved(two.id))
    assert run.outcome.type == "success"
    assert office.ran == ["Oslo"]
    assert_answered(office.model.saw[-1])


async def test_f07_a_call_in_doubt_that_may_run_again_does_so_beside_one_that_may_not(
    gate: CountingGate,
) -> None:
    use_gate(gate)
    office = Office([ROME, OSLO], "Well.")
    one, two = (await office.talk.send("Book")).interrupts
    # The first raises, and LangGraph stops the second halfway.
    office.raises, office.before, office.holds = [RuntimeError("down")], office.began["Oslo"], {"Oslo"}
    run = await office.talk.go(approved(one.id), approved(two.id))
    assert run.error.message == "down"
    assert office.ended == []
    assert gate.broken == {"call-1a": "RuntimeError: down"}
    assert gate.finished == {}
    # Somebody looked, and lets the second run again.
    office.holds, office.steps = set(), 50
    gate.begun = [begun for begun in gate.begun if begun[0] != "call-1b"]
    run = await office.talk.go(approved(one.id), approved(two.id))
    assert run.outcome.type == "success"
    assert (sorted(office.ran), office.ended) == (["Oslo", "Oslo", "Rome"], ["Oslo"])
    assert_answered(office.model.saw[-1])
    assert len(office.model.saw) == 2
    results = {message.tool_call_id: message.content for message in office.model.saw[-1][2:]}
    assert results["call-1a"].startswith(FAILED)
    assert results["call-1b"] == "Booked 1 nights in Oslo."


@pytest.mark.parametrize("keep", [True, False])
@pytest.mark.parametrize("first", [approved, refused, cancelled])
async def test_f07_what_is_still_due_of_a_request_goes_on_without_what_is_over(
    gate: CountingGate, keep: bool, first: Any
) -> None:
    """The run died between the two calls: the first is over or in doubt, and no answer to it is carried."""
    office = Office([ROME, OSLO], "Well.")
    one, two = (await office.talk.send("Book")).interrupts
    gate.stop = {"call-1b"}
    run = await office.talk.go(first(one.id), approved(two.id), keep=keep)
    assert run.error.code == "gate"
    gate.stop = set()
    run = await office.talk.go(approved(two.id))
    assert run.outcome.type == "success"
    assert sorted(office.ran) == (["Oslo", "Rome"] if first is approved else ["Oslo"])
    assert_answered(office.model.saw[-1])
    assert len(office.model.saw) == 2


async def test_a_result_that_the_graph_stored_and_nobody_heard_is_told_by_the_next_run(make_kit: Any) -> None:
    """The process died between the checkpoint and the log."""
    office = Office([ROME], "Well.", "Hello.")
    agent = Forgetful(office.agent)
    kit = await opened(make_kit, office, agent)
    assert await answer_all(kit, Approve()) == "idle"
    agent.hears = True
    await kit.send("t", "Hi")
    assert await kit.wait("t") == "idle"
    (call,) = (await kit.conversation("t")).messages[1].tool_calls
    assert (call.status, call.result) == ("done", "Booked 2 nights in Rome.")
    assert_answered(office.model.saw[-1])
    assert office.ran == ["Rome"]
