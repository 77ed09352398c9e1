"""The middleware with `create_agent` through our adapter, in both modes: what the contract leaves out."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from ag_ui.core import (
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    StateSnapshotEvent,
    ToolCallResultEvent,
)

from reflex_agentkit.adapters._notice import cancellation, edit_notice
from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Refused, Reject, Respond
from reflex_agentkit.testing.agent_contract.kit_thread import KitThread
from reflex_agentkit.testing.agent_contract.script import LONGER, OSLO, ROME, cancelled, no, resolved, yes
from reflex_agentkit.testing.agent_contract.wire_thread import WireThread
from reflex_agentkit.testing.agents import Subject
from tests.adapters.langgraph_subjects import Mode, middleware_graph

ASK = ("ask", {"message": "Favourite colour?"})
ASK_ONLY = {"ask": {"allowed_decisions": ["respond"]}}

Open = Callable[..., Awaitable[KitThread]]


@pytest.fixture(params=["batched", "per_call"])
def mode(request: pytest.FixtureRequest) -> Mode:
    return request.param


@pytest.fixture
def open_thread(make_kit: Any, mode: Mode) -> Open:
    async def open_one(subject: Subject, **options: Any) -> KitThread:
        graph = middleware_graph(subject, mode, **options)
        return KitThread(await make_kit(LangGraphAGUIAgent(graph)), subject)

    return open_one


def over_the_wire(subject: Subject, mode: Mode, **options: Any) -> WireThread:
    return WireThread(LangGraphAGUIAgent(middleware_graph(subject, mode, **options)))


async def test_the_approval_says_what_may_be_decided_and_what_an_edit_may_hold(open_thread: Open) -> None:
    thread = await open_thread(Subject(turns=[[ROME, ("pay", {"amount": 1, "rate": 1.0})]]))
    book, pay = await thread.send()
    assert book.allowed_decisions == pay.allowed_decisions == ("approve", "edit", "reject", "cancel")
    for pending, fields in ((book, {"city", "nights"}), (pay, {"amount", "rate"})):
        assert pending.args_schema is not None
        assert set(pending.args_schema["properties"]) == fields
    assert "Tool execution requires approval" in book.message
    assert [book.tool_call_id, pay.tool_call_id] == ["call-1a", "call-1b"]


async def test_the_notice_of_the_middleware_stands_alone_and_is_in_the_result_too(open_thread: Open) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await open_thread(subject)
    await thread.send()
    await thread.answer(Approve(edited_args=LONGER))
    shown = (await thread.calls())["call-1a"].result or ""
    assert shown == subject.told["call-1a"]
    assert shown.count("a human reviewer replaced this tool call") == 1
    assert edit_notice(LONGER) not in shown


async def test_equal_calls_are_decided_each_for_itself(open_thread: Open) -> None:
    subject = Subject(turns=[[ROME, ROME, ROME]])
    thread = await open_thread(subject)
    pending = await thread.send()
    assert [one.tool_call_id for one in pending] == ["call-1a", "call-1b", "call-1c"]
    await thread.answer(Reject("one is enough"), Approve(), Cancel())
    assert subject.ran == [ROME]
    verdicts = {call_id: call.status for call_id, call in (await thread.calls()).items()}
    assert verdicts == {"call-1a": "rejected", "call-1b": "done", "call-1c": "cancelled"}


async def test_a_response_is_the_result_as_a_success_and_the_tool_does_not_run(open_thread: Open) -> None:
    subject = Subject(turns=[[ASK]])
    thread = await open_thread(subject, **ASK_ONLY)
    [pending] = await thread.send()
    assert pending.allowed_decisions == ("respond", "cancel")
    assert await thread.answer(Respond("Blue.")) == "idle"
    assert (subject.heard, subject.told) == ([], {"call-1a": "Blue."})
    call = (await thread.calls())["call-1a"]
    assert (call.status, call.result) == ("responded", "Blue.")


async def test_a_cancelled_ask_user_tool_gets_a_response_that_says_so(open_thread: Open) -> None:
    subject = Subject(turns=[[ASK]])
    thread = await open_thread(subject, **ASK_ONLY)
    await thread.send()
    assert await thread.answer(Cancel()) == "idle"
    assert (subject.heard, subject.told) == ([], {"call-1a": cancellation()})


@pytest.mark.parametrize("answer", [Approve(), Approve(edited_args={"message": "x"}), Reject("no")])
async def test_what_is_not_allowed_is_refused_before_the_middleware_hears_of_it(
    open_thread: Open, answer: Any
) -> None:
    subject = Subject(turns=[[ASK]])
    thread = await open_thread(subject, **ASK_ONLY)
    [pending] = await thread.send()
    outcome = await thread.kit.answer(pending.id, answer, by="ann")
    assert isinstance(outcome, Refused)
    assert outcome.code == "not_allowed"
    assert await thread.answer(Respond("Blue.")) == "idle"


async def test_approve_edit_and_respond_in_one_pause(open_thread: Open) -> None:
    subject = Subject(turns=[[ROME, OSLO, ("look", {}), ASK]])
    thread = await open_thread(subject, **ASK_ONLY)
    await thread.send()
    edited = {"city": "Oslo", "nights": 9}
    assert await thread.answer(Approve(), Approve(edited_args=edited), Respond("Blue.")) == "idle"
    assert sorted(subject.ran, key=str) == [("book", edited), ROME]
    assert (subject.looked, subject.told["call-1d"]) == (1, "Blue.")


async def test_several_pauses_in_one_conversation_each_ask_for_their_own_yes(open_thread: Open) -> None:
    subject = Subject(turns=[[ROME], [OSLO], [ROME]])
    thread = await open_thread(subject)
    await thread.send()
    ids: list[str] = []
    for answer, status in (
        (Approve(), "awaiting_input"),
        (Reject(), "awaiting_input"),
        (Approve(edited_args=LONGER), "idle"),
    ):
        ids += [one.id for one in await thread.kit.pending("thread-1")]
        assert await thread.answer(answer) == status
    assert subject.ran == [ROME, ("book", LONGER)]
    assert len(set(ids)) == 3


async def test_a_rejected_call_does_not_run_although_the_predicate_says_something_else_later(
    open_thread: Open,
) -> None:
    asked: list[bool] = []

    def when(_request: Any) -> bool:
        asked.append(True)
        return len(asked) == 1

    subject = Subject(turns=[[ROME]])
    thread = await open_thread(subject, book={"allowed_decisions": ["approve", "reject"], "when": when})
    await thread.send()
    await thread.answer(Reject("no"))
    assert subject.ran == []


@pytest.mark.parametrize("allowed", [["approve"], ["approve", "edit"]])
async def test_cancelling_what_can_only_be_approved_runs_nothing_and_frees_the_thread(
    open_thread: Open, allowed: list[str]
) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await open_thread(subject, book={"allowed_decisions": allowed})
    [pending] = await thread.send()
    assert "reject" not in pending.allowed_decisions
    await thread.answer(Cancel())
    assert subject.ran == []
    await thread.send("Tell me a joke")
    assert (subject.ran, await thread.wait()) == ([], "idle")


async def test_snapshots_come_before_the_pause_and_every_end_says_how_it_was(mode: Mode) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    run = await thread.send()
    kinds = [type(event) for event in run.events]
    assert StateSnapshotEvent in kinds
    assert MessagesSnapshotEvent in kinds
    assert kinds[-1] is RunFinishedEvent
    for snapshot in run.of(StateSnapshotEvent):
        assert not {"messages", "tools"} & set(snapshot.snapshot)
    [asked] = run.interrupts
    last = (await thread.go(yes(asked.id))).events[-1]
    assert isinstance(last, RunFinishedEvent)
    assert isinstance(last.outcome, RunFinishedSuccessOutcome)


@pytest.mark.parametrize("entries", [["yes"], ["no"], ["cancelled"]])
async def test_each_decision_has_one_result_and_the_proposal_does_not_come_again(
    mode: Mode, entries: list[str]
) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    [asked] = (await thread.send()).interrupts
    entry = {"yes": yes, "no": no, "cancelled": cancelled}[entries[0]](asked.id)
    run = await thread.go(entry)
    assert [event.tool_call_id for event in run.of(ToolCallResultEvent)] == ["call-1a"]
    assert run.started == []


async def test_wire_the_very_same_input_again_runs_nothing_again(mode: Mode) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    [asked] = (await thread.send()).interrupts
    run_input = thread.input(yes(asked.id))
    for _ in range(2):
        _ = [event async for event in thread.agent.run(run_input.model_copy(deep=True))]
    assert subject.ran == [ROME]


async def test_wire_the_same_input_at_the_same_moment_runs_once(mode: Mode) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    [asked] = (await thread.send()).interrupts
    inputs = [thread.input(yes(asked.id)) for _ in range(3)]

    async def one(run_input: Any) -> list[Any]:
        return [event async for event in thread.agent.run(run_input)]

    ended = await asyncio.gather(*(one(run_input) for run_input in inputs))
    assert subject.ran == [ROME]
    assert sum(any(isinstance(e, ToolCallResultEvent) for e in events) for events in ended) >= 1


async def test_wire_an_answer_on_another_thread_runs_nothing(mode: Mode) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    [asked] = (await thread.send()).interrupts
    other = WireThread(thread.agent, "thread-2")
    other.messages = [message.model_copy(deep=True) for message in thread.messages]
    await other.go(yes(asked.id))
    assert subject.ran == []
    assert (await thread.go(yes(asked.id))).ended == "success"
    assert subject.ran == [ROME]


async def test_wire_an_edit_that_does_not_fit_is_refused_and_the_call_still_waits_f20_s09(mode: Mode) -> None:
    subject = Subject(turns=[[ROME]])
    thread = over_the_wire(subject, mode)
    [asked] = (await thread.send()).interrupts
    for edited in ({"city": "Rome", "nights": "many"}, {"city": "Rome"}, {**ROME[1], "is_admin": True}):
        run = await thread.go(yes(asked.id, editedArgs=edited))
        assert isinstance(run.events[-1], RunErrorEvent)
        assert run.events[-1].code == "invalid_answer"
    assert (subject.ran, len(subject.requests)) == ([], 1)
    assert (await thread.go(yes(asked.id, editedArgs={"city": "Rome", "nights": 5}))).ended == "success"
    assert subject.ran == [("book", {"city": "Rome", "nights": 5})]
    assert (await thread.send("Hello")).ended == "success"


async def test_wire_after_a_bad_answer_the_next_one_is_the_one_that_counts(mode: Mode) -> None:
    subject = Subject(turns=[[ROME, OSLO]])
    thread = over_the_wire(subject, mode)
    one, two = (await thread.send()).interrupts
    bad = (
        [yes(one.id)],
        [yes(one.id), resolved(two.id, {"type": "approve"})],
        [yes(one.id), no(two.id, response="x")],
        [resolved(one.id, {"decisions": [{"type": "approve"}]})],
    )
    for entries in bad:
        assert (await thread.go(*entries)).ended == "error"
    assert subject.ran == []
    assert (await thread.go(yes(one.id), no(two.id))).ended == "success"
    assert subject.ran == [ROME]
