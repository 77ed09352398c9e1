"""Approved calls that were handed to an agent without a gate: the note, and what the thread shows."""

from __future__ import annotations

import pytest
from ag_ui.core import (
    CustomEvent,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunStartedEvent,
    ToolMessage,
)

from reflex_agentkit.protocol import wire
from reflex_agentkit.protocol.conversation import NO_RESULT, DecisionNote
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.notes import HANDED, HandedNote, decided_event, handed_event, is_note, read_note
from reflex_agentkit.testing.streams import approval, calls, gives

IDS = {"thread_id": "t", "run_id": "r"}
YES = decided_event(DecisionNote(interrupt_id="int-1", verdict="approved", tool_call_id="call-1"))


@pytest.fixture
def fold() -> Fold:
    """A thread whose call was approved, in the run that carries the yes."""
    fold = Fold()
    outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1")])
    asked = [RunStartedEvent(**IDS), *calls("call-1", "book", {}), RunFinishedEvent(**IDS, outcome=outcome)]
    for event in (*asked, YES, RunStartedEvent(**IDS)):
        fold.apply(event)
    return fold


def call_of(fold: Fold):
    return fold.conversation().messages[0].tool_calls[0]


def test_the_note_is_ours_and_is_read_as_it_was_written():
    event = wire.read_event(wire.write_event(handed_event(["call-1"], sent=True)))
    assert event is not None
    assert is_note(event)
    assert read_note(event) == HandedNote(call_ids=("call-1",), sent=True)


@pytest.mark.parametrize("value", [None, {}, {"toolCallIds": "call-1"}])
def test_a_broken_note_is_skipped(value):
    assert read_note(CustomEvent(name=HANDED, value=value)) is None


def test_a_call_is_sent_until_its_result_arrives(fold):
    revision = fold.revision
    fold.apply(handed_event(["call-1", "unknown"], sent=True))
    assert (call_of(fold).status, fold.revision > revision) == ("sent", True)
    for event in gives("call-1", "Booked."):
        fold.apply(event)
    assert (call_of(fold).status, call_of(fold).result) == ("done", "Booked.")


@pytest.mark.parametrize("end", [RunFinishedEvent(**IDS), RunErrorEvent(message="broken off")])
def test_no_end_of_a_run_makes_a_result_of_what_was_sent(fold, end):
    fold.apply(handed_event(["call-1"], sent=True))
    fold.apply(end)
    assert (call_of(fold).status, call_of(fold).result) == ("sent", None)


def test_a_call_that_came_back_is_approved_again(fold):
    fold.apply(handed_event(["call-1"], sent=True))
    fold.apply(handed_event(["call-1"], sent=False))
    assert call_of(fold).status == "approved"


def test_a_call_that_has_its_result_is_not_sent_any_more(fold):
    for event in (*gives("call-1", "Booked."), handed_event(["call-1"], sent=True)):
        fold.apply(event)
    assert call_of(fold).status == "done"


def test_a_sent_call_that_the_agent_says_again_is_the_same_call(fold):
    for event in (handed_event(["call-1"], sent=True), *calls("call-1", "book", {})):
        fold.apply(event)
    assert [len(message.tool_calls) for message in fold.conversation().messages] == [1]


@pytest.mark.parametrize("end", [RunFinishedEvent(**IDS), RunErrorEvent(message="broken off")])
def test_a_call_of_the_same_id_in_a_later_run_is_another_call(fold, end):
    for event in (handed_event(["call-1"], sent=True), end, RunStartedEvent(thread_id="t", run_id="r2")):
        fold.apply(event)
    for event in calls("call-1", "book", {}):
        fold.apply(event)
    found = [call.status for message in fold.conversation().messages for call in message.tool_calls]
    assert found == ["sent", "running"]


def test_what_an_agent_says_again_counts_for_its_run_only(fold):
    edited = DecisionNote(
        interrupt_id="int-1", verdict="edited", tool_call_id="call-1", before_text="{}", after_text='{"n": 2}'
    )
    for event in (decided_event(edited), *calls("call-1", "book", {"n": 2})):
        fold.apply(event)
    assert (call_of(fold).args_text, call_of(fold).again_text) == ("{}", '{"n": 2}')
    for event in (RunErrorEvent(message="broken off"), RunStartedEvent(thread_id="t", run_id="r2")):
        fold.apply(event)
    assert call_of(fold).again_text == ""


def test_a_result_that_comes_in_a_later_run_is_the_one_of_the_call_that_was_sent(fold):
    for event in (
        handed_event(["call-1"], sent=True),
        RunFinishedEvent(**IDS),
        RunStartedEvent(thread_id="t", run_id="r2"),
        *gives("call-1", "Booked."),
    ):
        fold.apply(event)
    assert (call_of(fold).status, call_of(fold).result) == ("done", "Booked.")


def test_what_a_model_is_told_in_place_of_a_result_is_none_when_an_agent_repeats_it(fold):
    fold.apply(
        MessagesSnapshotEvent(messages=[ToolMessage(id="m", tool_call_id="call-1", content=NO_RESULT)])
    )
    assert call_of(fold).result is None
