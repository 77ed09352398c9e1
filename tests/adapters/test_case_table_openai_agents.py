"""What happens in which case with the OpenAI Agents SDK: the table, proved row by row.

Each row is proved through the engine in process and over a raw AG-UI stream. A proof is a case of the
contract of agents, by its name, or a function below.
"""

from __future__ import annotations

import asyncio
import inspect
import itertools
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

import pytest
from ag_ui.core import (
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    ToolCallArgsEvent,
    ToolCallStartEvent,
)
from agents import RunConfig

from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent
from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Refused, Reject
from reflex_agentkit.testing.agent_contract.kit_thread import KitThread
from reflex_agentkit.testing.agent_contract.script import BOOKED, LONGER, OSLO, ROME, cancelled, yes
from reflex_agentkit.testing.agent_contract.wire_thread import WireRun, WireThread
from reflex_agentkit.testing.agents import AgentContract, Subject
from tests.adapters.openai_subjects import agent_of


@dataclass(frozen=True, kw_only=True)
class Case:
    make_kit: Any

    def build(self, subject: Subject) -> AGUIAgent:
        return OpenAIAgentsAGUIAgent(agent_of(subject), run_config=RunConfig(tracing_disabled=True))

    async def open_thread(self, subject: Subject) -> KitThread:
        return KitThread(await self.make_kit(self.build(subject)), subject)

    async def on_the_wire(self, subject: Subject) -> tuple[WireThread, list[str]]:
        """A thread that waits, and the ids that it waits for."""
        thread = WireThread(self.build(subject))
        return thread, [asked.id for asked in (await thread.send()).interrupts]


Proof: TypeAlias = str | Callable[[Case], Awaitable[None]]


async def edit_that_does_not_fit(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    for edited in ({"city": "Rome", "nights": "many"}, {"nights": 2}, {**ROME[1], "is_admin": True}):
        assert _error(await thread.go(yes(wire_id, editedArgs=edited))).code == "invalid_answer"
    assert (subject.ran, len(subject.requests)) == ([], 1)
    assert (await thread.go(yes(wire_id))).results == {"call-1a": BOOKED}
    assert subject.ran == [ROME]


async def edit_in_the_transcript(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.open_thread(subject)
    await thread.send()
    await thread.answer(Approve(edited_args=LONGER))
    call = (await thread.calls())["call-1a"]
    assert '"nights": 2' in call.args_text, "the proposal stays what it was"
    assert subject.ran == [("book", LONGER)]


async def edit_on_the_resumed_wire(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    run = await thread.go(yes(wire_id, editedArgs=LONGER))
    assert (run.of(ToolCallStartEvent), run.of(ToolCallArgsEvent)) == ([], [])
    assert subject.ran == [("book", LONGER)]


async def mixed_decisions_in_another_order(case: Case) -> None:
    subject = Subject(turns=[[ROME, OSLO]])
    thread = await case.open_thread(subject)
    one, two = await thread.send()
    await thread.kit.answer(two.id, Approve(), by="ann")
    assert subject.ran == []
    await thread.kit.answer(one.id, Reject(), by="bob")
    assert await thread.wait() == "idle"
    assert subject.ran == [OSLO]


async def first_of_two_entries_wrong(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.open_thread(subject)
    [pending] = await thread.send()
    for entries in ([yes("nope"), cancelled(pending.id)], [yes("nope"), yes(pending.id)]):
        assert isinstance(await thread.resume(*entries), Refused)
    assert await thread.kit.pending("thread-1") == [pending]
    assert await thread.answer(Cancel()) == "idle"
    assert subject.ran == []


async def first_of_two_entries_wrong_on_the_wire(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    for entries in ([yes("nope"), cancelled(wire_id)], [yes(wire_id), cancelled(wire_id)]):
        assert (await thread.go(*entries)).ended == "error"
    assert (await thread.go(cancelled(wire_id))).ended == "success"
    assert subject.ran == []


async def identical_input(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    run_input = thread.input(yes(wire_id))
    ends = [await _last(thread.agent, run_input) for _ in range(2)]
    assert [type(end) for end in ends] == [RunFinishedEvent, RunErrorEvent]
    assert (ends[1].code, subject.ran, subject.disorder()) == ("gate", [ROME], [])


async def identical_inputs_at_once(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    inputs = [thread.input(yes(wire_id)) for _ in range(4)]
    ends = await asyncio.gather(*(_last(thread.agent, one) for one in inputs))
    assert sorted(type(end).__name__ for end in ends) == ["RunErrorEvent"] * 3 + ["RunFinishedEvent"]
    assert (subject.ran, subject.disorder()) == ([ROME], [])


async def another_thread(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.open_thread(subject)
    [pending] = await thread.send()
    given = await thread.kit.answer(pending.id, Approve(), by="ann", thread_id="thread-2")
    resumed = await thread.kit.resume("thread-2", [yes(pending.id)], by="ann")
    assert isinstance(given, Refused)
    assert isinstance(resumed, Refused)
    assert (subject.ran, await thread.kit.pending()) == ([], [pending])


async def another_thread_on_the_wire(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    other = WireThread(thread.agent, "thread-2")
    assert (await other.go(yes(wire_id))).ended == "error"
    assert subject.ran == []
    await thread.go(yes(wire_id))
    assert subject.ran == [ROME]


async def success_in_the_log(case: Case) -> None:
    thread = await case.open_thread(Subject(turns=[]))
    await thread.send()
    async for _, event in thread.kit.follow("thread-1"):
        if isinstance(event, RunFinishedEvent):
            assert event.outcome is not None
            assert event.outcome.type == "success"
            break


async def success_on_the_wire(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    assert (await thread.go(yes(wire_id))).events[-1].outcome.type == "success"
    assert (await thread.send("Thank you")).events[-1].outcome.type == "success"


async def expired_by_the_server(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread, [wire_id] = await case.on_the_wire(subject)
    late = ResumeEntry(interrupt_id=wire_id, status="cancelled", metadata={"reason": "expired"})
    assert "expired" in (await thread.go(late)).results["call-1a"]
    assert subject.ran == []


@dataclass(frozen=True, kw_only=True)
class Row:
    """Where a row is proved."""

    kit: tuple[Proof, ...] = ()
    wire: tuple[Proof, ...] = ()


TABLE: Final[dict[str, Row]] = {
    "approve": Row(
        kit=("test_a_yes_runs_the_call_once_as_it_was_proposed",),
        wire=("test_wire_a_yes_runs_the_call_and_only_its_result_is_told",),
    ),
    "approve, edited": Row(
        kit=("test_edited_arguments_are_what_runs_and_the_model_is_told",),
        wire=("test_wire_edited_arguments_run_and_the_result_tells_of_them",),
    ),
    "edited = proposed": Row(
        kit=("test_an_edit_that_changes_nothing_is_a_plain_yes",),
        wire=("test_wire_an_edit_that_changes_nothing_is_a_plain_yes",),
    ),
    "edited, invalid": Row(
        kit=("test_an_edit_that_does_not_fit_names_the_field_and_stays_open_f20_s09",),
        wire=(edit_that_does_not_fit,),
    ),
    "edited args seen on the resumed wire": Row(
        kit=(edit_in_the_transcript,), wire=(edit_on_the_resumed_wire,)
    ),
    "reject, with and without a reason": Row(
        kit=("test_a_refusal_runs_nothing_and_is_the_result_f21",),
        wire=("test_wire_a_refusal_is_the_result",),
    ),
    "cancelled": Row(
        kit=("test_a_cancelled_call_runs_nothing_and_the_agent_is_told",),
        wire=("test_wire_cancelled_is_told_to_the_model",),
    ),
    "several at once": Row(
        kit=("test_each_of_several_calls_gets_its_own_decision_f15", mixed_decisions_in_another_order),
        wire=("test_wire_each_of_several_gets_its_own_decision",),
    ),
    "question": Row(
        kit=(
            "test_any_answer_arrives_as_it_was_given_f19",
            "test_approvals_come_before_questions_and_all_are_answered_f13",
            "test_a_cancelled_question_is_told_and_the_run_goes_on",
        ),
        wire=(
            "test_wire_any_answer_arrives_as_it_was_given",
            "test_wire_questions_and_approvals_are_answered_each_by_its_id",
            "test_wire_a_cancelled_question_is_told",
        ),
    ),
    "missing entry": Row(
        kit=("test_an_answer_to_a_part_of_the_pause_is_refused_whole",),
        wire=("test_wire_a_missing_entry_runs_nothing_and_the_whole_answer_still_counts",),
    ),
    "unknown id": Row(
        kit=("test_an_answer_to_what_was_never_asked_is_refused_whole_s07",),
        wire=("test_wire_an_unknown_id_runs_nothing_s07",),
    ),
    "two entries, first wrong": Row(
        kit=(first_of_two_entries_wrong,), wire=(first_of_two_entries_wrong_on_the_wire,)
    ),
    "replay, identical input": Row(
        kit=("test_the_same_answer_again_is_one_answer",),
        wire=(identical_input, "test_wire_the_same_answer_after_its_result_runs_nothing_again"),
    ),
    "replay, concurrent": Row(
        kit=(
            "test_the_same_answer_at_the_same_moment_is_one_answer_f08",
            "test_a_yes_and_a_no_at_the_same_moment_are_one_decision_f08",
            "test_while_the_tool_runs_nothing_starts_it_again",
        ),
        wire=(identical_inputs_at_once,),
    ),
    "stale replay, next one open": Row(
        kit=("test_an_old_answer_does_not_decide_the_next_pause",),
        wire=("test_wire_an_old_answer_does_not_decide_the_next_pause",),
    ),
    "new message, no resume": Row(
        kit=("test_a_message_does_not_run_past_a_pause_f23",),
        wire=("test_wire_a_message_past_the_pause_runs_nothing",),
    ),
    "new message + resume": Row(
        kit=(
            "test_cancel_and_say_tells_the_agent_both_f22",
            "test_a_pause_that_was_stopped_goes_with_the_next_message_f22",
        ),
        wire=("test_wire_cancel_and_say_tells_both_in_order",),
    ),
    "model fails after the tool, same resume again": Row(
        kit=("test_a_model_that_fails_after_the_tool_does_not_cost_a_second_run_f29",),
        wire=("test_wire_a_model_that_fails_after_the_tool_does_not_cost_a_second_run",),
    ),
    "tool raises after approval, then again": Row(
        kit=("test_a_tool_that_raises_after_the_yes_is_not_run_again",),
        wire=("test_wire_after_a_tool_that_raised_a_refusal_runs_nothing",),
    ),
    "payload not matching": Row(
        kit=("test_almost_a_yes_runs_nothing_s08",), wire=("test_wire_almost_a_yes_runs_nothing_s08",)
    ),
    "extra field (chosen_time)": Row(
        kit=("test_what_else_an_answer_holds_reaches_the_tool",),
        wire=("test_wire_what_else_an_answer_holds_reaches_the_tool",),
    ),
    "other threadId": Row(
        kit=(another_thread, "test_many_threads_at_the_same_time_are_not_mixed_up"),
        wire=(another_thread_on_the_wire, "test_wire_threads_at_the_same_time_are_not_mixed_up"),
    ),
    "outcome on normal end": Row(kit=(success_in_the_log,), wire=(success_on_the_wire,)),
    # The SDK knows no deadline; a server's own expiry reaches the agent as a cancellation that says so.
    "expiresAt": Row(wire=(expired_by_the_server,)),
}


@pytest.mark.parametrize("direction", ["kit", "wire"])
@pytest.mark.parametrize("row", TABLE)
async def test_a_row_of_the_table_holds(row: str, direction: Literal["kit", "wire"], make_kit: Any) -> None:
    case = Case(make_kit=make_kit)
    for proof in getattr(TABLE[row], direction):
        await (_of_the_contract(proof, case) if isinstance(proof, str) else proof(case))


async def _of_the_contract(name: str, case: Case) -> None:
    """Every case of one method of the contract, which takes a thread of a kit or a way to build an agent."""
    method = getattr(AgentContract(), name)
    takes = inspect.signature(method).parameters
    ours = {"open_thread": case.open_thread, "build": case.build}
    for arguments in _arguments(method):
        await method(**arguments, **{key: value for key, value in ours.items() if key in takes})


def _arguments(method: Any) -> Iterator[dict[str, Any]]:
    """What a method is parametrised with; once nothing where it is not."""
    choices: list[list[dict[str, Any]]] = []
    for mark in (one for one in getattr(method, "pytestmark", ()) if one.name == "parametrize"):
        names, values = mark.args
        names = [names] if isinstance(names, str) else list(names)
        rows = [[value] if len(names) == 1 else value for value in values]
        choices.append([dict(zip(names, one, strict=True)) for one in rows])
    for chosen in itertools.product(*choices):
        yield {key: value for one in chosen for key, value in one.items()}


async def _last(agent: AGUIAgent, run_input: Any) -> Any:
    return [event async for event in agent.run(run_input.model_copy(deep=True))][-1]


def _error(run: WireRun) -> RunErrorEvent:
    [error] = run.of(RunErrorEvent)
    return error
