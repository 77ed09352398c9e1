"""What happens in which case with CrewAI flows: the table, row by row, with the executions counted.

A row names the cases of the contract that prove it, through the engine (`kit`) and over a raw AG-UI stream
(`wire`); `test_contract_crewai.py` runs them. What the contract does not ask is proved here.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

import pytest
from ag_ui.core import (
    BaseEvent,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedEvent,
    StateSnapshotEvent,
    ToolCallArgsEvent,
    ToolCallStartEvent,
)
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import (
    AGUIFlowState,
    CrewAIFlowAGUIAgent,
    agui_feedback_provider,
    answers,
    question,
)
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Refused, Reject
from reflex_agentkit.testing.agent_contract.kit_thread import KitThread
from reflex_agentkit.testing.agent_contract.script import (
    BOOKED,
    LONGER,
    OSLO,
    ROME,
    cancelled,
    resolved,
    yes,
)
from reflex_agentkit.testing.agent_contract.wire_thread import WireThread
from reflex_agentkit.testing.agents import AgentContract, Subject
from tests.crewai_env.subjects import subject_flow
from tests.crewai_env.talk import error_of


@dataclass(frozen=True, kw_only=True)
class Row:
    """Where the contract proves a row, and what proves it here."""

    kit: tuple[str, ...] = ()
    wire: tuple[str, ...] = ()
    here: tuple[str, ...] = ()


TABLE: Final[dict[str, Row]] = {
    "approve [1]": Row(
        kit=("test_a_yes_runs_the_call_once_as_it_was_proposed",),
        wire=("test_wire_a_yes_runs_the_call_and_only_its_result_is_told",),
    ),
    "approve, edited [1], with the notice": Row(
        kit=("test_edited_arguments_are_what_runs_and_the_model_is_told",),
        wire=("test_wire_edited_arguments_run_and_the_result_tells_of_them",),
    ),
    "edited = proposed: a plain yes [1]": Row(
        kit=("test_an_edit_that_changes_nothing_is_a_plain_yes",),
        wire=("test_wire_an_edit_that_changes_nothing_is_a_plain_yes",),
    ),
    "edited, invalid: refused, still open [0]": Row(
        kit=("test_an_edit_that_does_not_fit_names_the_field_and_stays_open_f20_s09",),
        here=("test_wire_an_edit_that_does_not_fit_runs_nothing_and_leaves_the_pause",),
    ),
    "edited args seen on the resumed wire: no": Row(
        here=("test_the_proposal_stays_what_it_was_and_is_not_told_again",)
    ),
    "reject + reason, reject [0]": Row(
        kit=("test_a_refusal_runs_nothing_and_is_the_result_f21",),
        wire=("test_wire_a_refusal_is_the_result",),
    ),
    "cancelled [0]": Row(
        kit=("test_a_cancelled_call_runs_nothing_and_the_agent_is_told",),
        wire=("test_wire_cancelled_is_told_to_the_model",),
    ),
    "several at once: each its own [2 of 3]": Row(
        kit=("test_each_of_several_calls_gets_its_own_decision_f15",),
        wire=("test_wire_each_of_several_gets_its_own_decision",),
        here=("test_decisions_in_another_order_wait_for_the_last_one",),
    ),
    "question: any JSON value": Row(
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
    "missing entry: refused [0]": Row(
        kit=("test_an_answer_to_a_part_of_the_pause_is_refused_whole",),
        wire=("test_wire_a_missing_entry_runs_nothing_and_the_whole_answer_still_counts",),
    ),
    "unknown id: refused [0]": Row(
        kit=("test_an_answer_to_what_was_never_asked_is_refused_whole_s07",),
        wire=("test_wire_an_unknown_id_runs_nothing_s07",),
    ),
    "two entries, first wrong: refused whole [0]": Row(
        here=("test_one_wrong_entry_beside_a_right_one_is_refused_whole",)
    ),
    "replay, identical input [1]": Row(
        kit=("test_the_same_answer_again_is_one_answer",),
        wire=("test_wire_the_same_answer_after_its_result_runs_nothing_again",),
        here=("test_the_identical_input_runs_nothing_again_one_after_the_other_or_at_once",),
    ),
    "replay, concurrent [1]": Row(
        kit=(
            "test_the_same_answer_at_the_same_moment_is_one_answer_f08",
            "test_a_yes_and_a_no_at_the_same_moment_are_one_decision_f08",
            "test_while_the_tool_runs_nothing_starts_it_again",
        ),
        here=("test_the_identical_input_runs_nothing_again_one_after_the_other_or_at_once",),
    ),
    "stale replay, next one open: decides nothing [1]": Row(
        kit=("test_an_old_answer_does_not_decide_the_next_pause",),
        wire=("test_wire_an_old_answer_does_not_decide_the_next_pause",),
    ),
    "new message, no resume: the pause stays [0]": Row(
        kit=("test_a_message_does_not_run_past_a_pause_f23",),
        wire=("test_wire_a_message_past_the_pause_runs_nothing",),
    ),
    "new message + resume: both are told": Row(
        kit=(
            "test_cancel_and_say_tells_the_agent_both_f22",
            "test_a_pause_that_was_stopped_goes_with_the_next_message_f22",
        ),
        wire=("test_wire_cancel_and_say_tells_both_in_order",),
    ),
    "model fails after the tool, same resume again [1]": Row(
        kit=("test_a_model_that_fails_after_the_tool_does_not_cost_a_second_run_f29",),
        wire=("test_wire_a_model_that_fails_after_the_tool_does_not_cost_a_second_run",),
    ),
    "tool raises after approval, then again [1]": Row(
        kit=("test_a_tool_that_raises_after_the_yes_is_not_run_again",),
        wire=("test_wire_after_a_tool_that_raised_a_refusal_runs_nothing",),
    ),
    "payload not matching: refused [0]": Row(
        kit=("test_almost_a_yes_runs_nothing_s08",), wire=("test_wire_almost_a_yes_runs_nothing_s08",)
    ),
    "extra field reaches the tool": Row(
        kit=("test_what_else_an_answer_holds_reaches_the_tool",),
        wire=("test_wire_what_else_an_answer_holds_reaches_the_tool",),
    ),
    "other threadId: refused [0]": Row(
        kit=("test_many_threads_at_the_same_time_are_not_mixed_up",),
        wire=("test_wire_threads_at_the_same_time_are_not_mixed_up",),
        here=("test_an_answer_in_another_thread_runs_nothing",),
    ),
    "state before the interrupt, outcome on normal end": Row(
        here=("test_the_state_is_told_before_a_pause_and_a_good_end_is_a_success",)
    ),
    "expiresAt": Row(here=("test_a_question_expires_by_the_clock_and_the_flow_is_told",)),
}


@pytest.mark.parametrize("row", TABLE)
def test_every_row_is_proved_by_the_engine_and_raw(row: str) -> None:
    proofs = TABLE[row]
    assert [name for name in (*proofs.kit, *proofs.wire) if not hasattr(AgentContract, name)] == []
    assert [name for name in proofs.here if name not in globals()] == []
    assert proofs.here or (proofs.kit and proofs.wire)


class Case:
    def __init__(self, persistence: SQLiteFlowPersistence, make_kit: Any) -> None:
        self._persistence, self._make_kit = persistence, make_kit

    def wire(self, subject: Subject, thread_id: str = "thread-1") -> WireThread:
        agent = CrewAIFlowAGUIAgent(subject_flow(subject), persistence=self._persistence)
        return WireThread(agent, thread_id)

    async def kit(self, subject: Subject) -> KitThread:
        agent = CrewAIFlowAGUIAgent(subject_flow(subject), persistence=self._persistence)
        return KitThread(await self._make_kit(agent), subject)


@pytest.fixture
def case(persistence: SQLiteFlowPersistence, make_kit: Any) -> Case:
    return Case(persistence, make_kit)


async def test_wire_an_edit_that_does_not_fit_runs_nothing_and_leaves_the_pause(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = case.wire(subject)
    [asked] = (await thread.send()).interrupts
    for edited in ({"city": "Rome", "nights": "many"}, {"nights": 2}, {**ROME[1], "is_admin": True}):
        assert error_of(await thread.go(yes(asked.id, editedArgs=edited))).code == "invalid_answer"
    assert (subject.ran, len(subject.requests)) == ([], 1)
    assert (await thread.go(yes(asked.id))).results == {"call-1a": BOOKED}
    assert subject.ran == [ROME]


async def test_the_proposal_stays_what_it_was_and_is_not_told_again(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.kit(subject)
    await thread.send()
    await thread.answer(Approve(edited_args=LONGER))
    assert '"nights": 2' in (await thread.calls())["call-1a"].args_text
    on_the_wire = case.wire(Subject(turns=[[ROME]]), "thread-2")
    [asked] = (await on_the_wire.send()).interrupts
    run = await on_the_wire.go(yes(asked.id, editedArgs=LONGER))
    assert (run.of(ToolCallStartEvent), run.of(ToolCallArgsEvent)) == ([], [])
    assert subject.ran == [("book", LONGER)]


async def test_decisions_in_another_order_wait_for_the_last_one(case: Case) -> None:
    subject = Subject(turns=[[ROME, OSLO]])
    thread = await case.kit(subject)
    one, two = await thread.send()
    await thread.kit.answer(two.id, Approve(), by="ann")
    assert subject.ran == []
    await thread.kit.answer(one.id, Reject(), by="bob")
    assert await thread.wait() == "idle"
    assert subject.ran == [OSLO]


async def test_one_wrong_entry_beside_a_right_one_is_refused_whole(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.kit(subject)
    [pending] = await thread.send()
    for entries in ([yes("nope"), cancelled(pending.id)], [yes("nope"), yes(pending.id)]):
        assert isinstance(await thread.resume(*entries), Refused)
    assert await thread.answer(Cancel()) == "idle"
    on_the_wire = case.wire(subject, "thread-2")
    [asked] = (await on_the_wire.send()).interrupts
    for entries in ([yes("nope"), cancelled(asked.id)], [yes(asked.id), cancelled(asked.id)]):
        assert (await on_the_wire.go(*entries)).ended == "error"
    assert (await on_the_wire.go(cancelled(asked.id))).ended == "success"
    assert subject.ran == []


async def test_the_identical_input_runs_nothing_again_one_after_the_other_or_at_once(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = case.wire(subject)
    [asked] = (await thread.send()).interrupts
    given = thread.input(yes(asked.id))

    async def ended() -> str:
        events: list[BaseEvent] = [event async for event in thread.agent.run(given.model_copy(deep=True))]
        return type(events[-1]).__name__

    assert await asyncio.gather(*(ended() for _ in range(4))) == [RunFinishedEvent.__name__] * 4
    assert await ended() == RunFinishedEvent.__name__
    assert (subject.ran, subject.disorder()) == ([ROME], [])


async def test_an_answer_in_another_thread_runs_nothing(case: Case) -> None:
    subject = Subject(turns=[[ROME]])
    thread = await case.kit(subject)
    [pending] = await thread.send()
    given = await thread.kit.answer(pending.id, Approve(), by="ann", thread_id="thread-2")
    assert isinstance(given, Refused)
    assert isinstance(await thread.kit.resume("thread-2", [yes(pending.id)], by="ann"), Refused)
    on_the_wire = case.wire(subject, "thread-3")
    [asked] = (await on_the_wire.send()).interrupts
    other = WireThread(on_the_wire.agent, "thread-4")
    assert error_of(await other.go(yes(asked.id))).code == "unknown_interrupt"
    assert subject.ran == []


async def test_the_state_is_told_before_a_pause_and_a_good_end_is_a_success(case: Case) -> None:
    thread = case.wire(Subject(turns=[[ROME]]))
    run = await thread.send()
    assert isinstance(run.events[-2], StateSnapshotEvent)
    run = await thread.go(yes(run.interrupts[0].id))
    last = run.events[-1]
    assert isinstance(last, RunFinishedEvent)
    assert last.outcome is not None
    assert last.outcome.type == "success"
    assert run.of(RunErrorEvent) == []


async def test_a_question_expires_by_the_clock_and_the_flow_is_told(
    persistence: SQLiteFlowPersistence, make_kit: Any, clock: Any
) -> None:
    got: list[Any] = []
    deadline = clock.now() + timedelta(hours=1)

    class Quick(Flow[AGUIFlowState]):
        @start()
        @human_feedback(message="Quick?", provider=agui_feedback_provider)
        def ask(self) -> dict[str, Any]:
            return question("Quick?", expires_at=deadline)

        @listen(ask)
        def take(self, result: HumanFeedbackResult) -> None:
            got.append((result.feedback, answers(result)[0].cancelled))

    kit = await make_kit(CrewAIFlowAGUIAgent(Quick, persistence=persistence))
    await kit.send("t", "Hi")
    assert await kit.wait("t") == "awaiting_input"
    [pending] = await kit.pending("t")
    assert pending.expires_at == deadline
    clock.move(3600)
    late = await kit.answer(pending.id, Answer(1), by="ann")
    assert isinstance(late, Refused)
    assert (late.code, got) == ("expired", [])
    await kit.expire_due()
    await kit.wait("t")
    assert got == [("", "expired")]
    thread = WireThread(CrewAIFlowAGUIAgent(Quick, persistence=persistence), "wire")
    [asked] = (await thread.send()).interrupts
    assert asked.expires_at == deadline.isoformat()
    late_entry = ResumeEntry(interrupt_id=asked.id, status="cancelled", metadata={"reason": "expired"})
    assert (await thread.go(late_entry)).ended == "success"
    assert got == [("", "expired")] * 2
    [again] = (await thread.send("again")).interrupts
    assert (await thread.go(resolved(again.id, 1))).ended == "success"
