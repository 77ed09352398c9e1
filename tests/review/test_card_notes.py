"""The answer to a form card and the card itself are recorded in one step."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import DecisionNote
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.notes import read_note
from reflex_agentkit.protocol.pause import Asked
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.verdicts import Answer, AnswerValue, Cancel, Ready, Refused
from reflex_agentkit.records.principal import Principal
from reflex_agentkit.records.thread import ThreadRecord
from reflex_agentkit.review.desk import Desk
from reflex_agentkit.store.base import Change
from reflex_agentkit.store.memory import MemoryStore
from reflex_agentkit.testing.fakes import CountingIds, FakeClock

ANN = Principal("ann", "Ann")
CARD: dict[str, Any] = {
    "formType": "refund",
    "title": "Refund?",
    "fields": [{"name": "amount", "type": "currency", "required": True}],
}


async def decide(answer: AnswerValue, form: dict[str, Any]) -> tuple[Any, list[DecisionNote]]:
    """What the desk says to an answer, and the notes that the thread's log holds then."""
    clock = FakeClock()
    store, now = MemoryStore(), clock.now()
    desk = Desk(store, clock, CountingIds())
    await store.create_thread(ThreadRecord(id="t", user="", title="", created_at=now, updated_at=now))
    pending = PendingInterrupt(
        id="w", kind="question", form=form, response_schema=schema_of_form(form), thread_id="t"
    )
    [record] = desk.draft([Asked(pending=pending, wire_id="w")])
    await store.commit(Change(thread_id="t", opened=[record]), at=now)
    outcome = await desk.answer(record.id, answer, by=ANN, seen=record.digest)
    notes = [read_note(entry.event) for entry in await store.events("t")]
    return outcome, [note for note in notes if isinstance(note, DecisionNote)]


@pytest.mark.parametrize(
    "answer",
    [Answer({"approved": True, "values": {"amount": "1.10"}}), Answer({"approved": False}), Cancel()],
)
async def test_the_card_is_in_the_note_of_its_decision(answer):
    outcome, [note] = await decide(answer, CARD)
    assert isinstance(outcome, Ready)
    assert json_text.read(note.card_text) == CARD
    if isinstance(answer, Answer) and answer.value["approved"]:
        assert json_text.read(note.after_text) == {"approved": True, "values": {"amount": 1.1}}


async def test_a_refused_answer_leaves_no_card_behind():
    outcome, notes = await decide(Answer({"approved": True, "values": {}}), CARD)
    assert isinstance(outcome, Refused)
    assert outcome.path == "/values/amount"
    assert notes == []


async def test_a_form_that_is_no_card_is_no_part_of_the_note():
    _, [note] = await decide(Answer("yes"), {"formType": "own"})
    assert note.card_text == ""
