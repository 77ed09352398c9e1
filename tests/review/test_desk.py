"""The desk by itself: every check, in its order, without an agent."""

from __future__ import annotations

from datetime import timedelta

import pytest

from reflex_agentkit.protocol.digest import seal
from reflex_agentkit.protocol.pause import Asked
from reflex_agentkit.protocol.pending import APPROVAL_DECISIONS, PendingInterrupt
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Ready, Refused, Reject, Waiting
from reflex_agentkit.records.principal import Principal
from reflex_agentkit.records.thread import ThreadRecord
from reflex_agentkit.review.desk import Desk
from reflex_agentkit.review.lifecycle import MOVES, STATES, after, sources
from reflex_agentkit.store.base import Change
from reflex_agentkit.store.memory import MemoryStore
from reflex_agentkit.testing.fakes import CountingIds, FakeClock

ANN, BOB = Principal("ann", "Ann"), Principal("bob")

SCHEMA = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "amount": {"type": "integer"}},
    "required": ["to", "amount"],
    "additionalProperties": False,
}


def approval(**changes) -> Asked:
    facts = {
        "id": "wire-1",
        "kind": "approval",
        "reason": "tool_call",
        "tool_name": "pay",
        "tool_call_id": "call-1",
        "args": {"to": "x", "amount": 5},
        "args_text": '{"to": "x", "amount": 5}',
        "args_schema": SCHEMA,
        "allowed_decisions": APPROVAL_DECISIONS,
        "thread_id": "t",
        "run_id": "r",
    } | changes
    return Asked(pending=PendingInterrupt(**facts), wire_id=facts["id"], client_call=False)


class Bench:
    """A desk over a store in memory, with what is asked already open."""

    def __init__(self, clock: FakeClock) -> None:
        self.clock = clock
        self.store = MemoryStore()
        self.desk = Desk(self.store, clock, CountingIds())

    async def open(self, *asked: Asked) -> list[str]:
        now = self.clock.now()
        made = ThreadRecord(id="t", user="", title="", created_at=now, updated_at=now)
        await self.store.create_thread(made)
        records = self.desk.draft(asked)
        await self.store.commit(Change(thread_id="t", opened=records), at=now)
        return [record.id for record in records]

    async def state(self, interrupt_id: str) -> str:
        record = await self.store.interrupt(interrupt_id)
        assert record is not None
        return record.state


@pytest.fixture
def bench(clock):
    return Bench(clock)


async def refused(outcome, code: str) -> Refused:
    assert isinstance(outcome, Refused)
    assert outcome.code == code
    assert outcome.message
    return outcome


async def test_an_agents_id_is_never_what_an_answer_is_for(bench):
    first, second = await bench.open(approval(), approval(tool_call_id="call-2"))
    assert first != second
    await refused(await bench.desk.answer("wire-1", Approve(), by=ANN), "unknown_interrupt")
    assert isinstance(await bench.desk.answer(first, Approve(), by=ANN), Waiting)
    assert isinstance(await bench.desk.answer(second, Approve(), by=ANN), Ready)


async def test_the_order_of_checks_state_before_digest_before_value(bench):
    [one] = await bench.open(approval())
    bad = Approve(edited_args={"to": "x"})
    await refused(await bench.desk.answer(one, bad, by=ANN, seen="other"), "changed")
    record = await bench.store.interrupt(one)
    await refused(await bench.desk.answer(one, bad, by=ANN, seen=seal(record.pending)), "invalid_answer")
    await bench.desk.answer(one, Reject(), by=ANN)
    told = await refused(await bench.desk.answer(one, bad, by=BOB, seen="other"), "already_decided")
    assert told.decided_by == "Ann"
    assert told.decided_at == bench.clock.now()
    assert told.decision == "rejected"


@pytest.mark.parametrize(
    ("edited", "path"),
    [
        ({"to": "x", "amount": 5, "is_admin": True}, "/is_admin"),
        ({"to": "x", "amount": 5, "__proto__": {}}, "/__proto__"),
        ({"amount": 5}, "/to"),
        ({"to": "x", "amount": "5"}, "/amount"),
        ({"to": "x", "amount": True}, "/amount"),
    ],
)
async def test_s09_a_wrong_edit_names_its_field_and_leaves_the_request_open(bench, edited, path):
    [one] = await bench.open(approval())
    told = await refused(await bench.desk.answer(one, Approve(edited_args=edited), by=ANN), "invalid_answer")
    assert told.path == path or path[1:] in told.message
    assert await bench.state(one) == "open"


async def test_s09_an_edit_that_is_too_large_or_too_deep_is_refused_in_words(bench):
    [one] = await bench.open(approval())
    deep = value = {}
    for _ in range(10_000):
        value["a"] = value = {}
    for edited in ({"to": "x" * 5_000_000, "amount": 1}, {"to": deep, "amount": 1}):
        told = await bench.desk.answer(one, Approve(edited_args=edited), by=ANN)
        await refused(told, "invalid_answer")
    assert await bench.state(one) == "open"


async def test_a_decision_that_is_not_allowed_is_refused_and_says_what_is(bench):
    [one] = await bench.open(approval(allowed_decisions=("reject", "cancel")))
    told = await refused(await bench.desk.answer(one, Approve(), by=ANN), "not_allowed")
    assert "reject" in told.message
    assert await bench.state(one) == "open"


async def test_the_same_decision_twice_gets_the_first_outcome_and_another_one_the_facts(bench):
    first, second = await bench.open(approval(), approval(tool_call_id="call-2"))
    outcome = await bench.desk.answer(first, Approve(), by=ANN)
    assert outcome == await bench.desk.answer(first, Approve(), by=BOB)
    await refused(await bench.desk.answer(first, Cancel(), by=BOB), "already_decided")
    record = await bench.store.interrupt(first)
    assert record.decision.by == "Ann"
    assert await bench.state(second) == "open"


async def test_an_edit_equal_to_the_proposal_is_a_plain_approval(bench):
    [one] = await bench.open(approval())
    await bench.desk.answer(one, Approve(edited_args={"amount": 5, "to": "x"}), by=ANN)
    record = await bench.store.interrupt(one)
    assert record.decision.verdict == "approved"
    assert record.decision.payload == {"approved": True}


async def test_one_and_one_point_zero_are_two_values(bench):
    loose = {"type": "object", "properties": {"n": {"type": "number"}}, "additionalProperties": False}
    [one] = await bench.open(approval(args={"n": 1}, args_text='{"n": 1}', args_schema=loose))
    await bench.desk.answer(one, Approve(edited_args={"n": 1.0}), by=ANN)
    record = await bench.store.interrupt(one)
    assert record.decision.verdict == "edited"
    assert type(record.decision.payload["editedArgs"]["n"]) is float


async def test_an_answer_out_of_time_is_refused_and_the_clock_decides_once(bench):
    until = bench.clock.now() + timedelta(seconds=5)
    [one] = await bench.open(approval(expires_at=until))
    bench.clock.move(5)
    await refused(await bench.desk.answer(one, Approve(), by=ANN), "expired")
    assert await bench.desk.expire_due() == ["t"]
    assert await bench.desk.expire_due() == []
    record = await bench.store.interrupt(one)
    assert (record.state, record.decision.by) == ("expired", "the clock")
    await refused(await bench.desk.answer(one, Approve(), by=ANN), "expired")
    assert len(await bench.store.events("t")) == 1


async def test_cancelling_all_takes_back_what_was_answered_but_not_sent(bench):
    first, second = await bench.open(approval(), approval(tool_call_id="call-2"))
    await bench.desk.answer(first, Approve(), by=ANN)
    assert await bench.desk.cancel_all("t", by=BOB) == 2
    assert await bench.state(first) == await bench.state(second) == "cancelled"
    assert await bench.desk.cancel_all("t", by=BOB) == 0


async def test_an_answer_to_a_question_is_checked_against_its_schema(bench):
    schema = {"type": "integer", "minimum": 1, "maximum": 10}
    asked = PendingInterrupt(id="q", kind="question", response_schema=schema, thread_id="t", run_id="r")
    [one] = await bench.open(Asked(pending=asked, wire_id="q", client_call=False))
    for wrong in ("3", 11, True, None):
        await refused(await bench.desk.answer(one, Answer(wrong), by=ANN), "invalid_answer")
    assert isinstance(await bench.desk.answer(one, Answer(10), by=ANN), Ready)


async def test_f25_what_cannot_be_read_cannot_be_approved(bench):
    unreadable = approval(args=None, args_text='{"to": ', allowed_decisions=("reject", "cancel"))
    [one] = await bench.open(unreadable)
    await refused(await bench.desk.answer(one, Approve(), by=ANN), "not_allowed")
    assert isinstance(await bench.desk.answer(one, Reject(), by=ANN), Ready)


def test_every_state_of_the_table_can_be_reached_and_ends_are_ends():
    reached = {"open"} | {to for moves in MOVES.values() for to in moves.values()}
    assert reached == STATES
    assert {"open", "decided", "sent", "begun", "done", "in_doubt", "cancelled", "expired"} == STATES
    for act, moves in MOVES.items():
        assert sources(act) == set(moves)
        for state in STATES - set(moves):
            with pytest.raises(KeyError):
                after(act, state)


def test_a_call_begins_only_when_sent_and_only_once():
    assert sources("begin") == {"sent"}
    assert after("begin", "sent") == "begun"
    assert "begun" not in sources("send")
