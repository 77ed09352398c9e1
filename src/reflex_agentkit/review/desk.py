"""The one desk: whoever answers, from wherever, passes the same checks in the same order.

It alone writes decisions. It starts nothing: it says whether the pause still waits, is ready to go on, or why
an answer was refused. A refused answer changes nothing.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TypeAlias

from ag_ui.core import BaseEvent, ResumeEntry

from reflex_agentkit.clock import Clock
from reflex_agentkit.errors import InvalidAnswerError, ProtocolError
from reflex_agentkit.ids import Ids
from reflex_agentkit.protocol import answers, json_text
from reflex_agentkit.protocol.answers import CheckedAnswer
from reflex_agentkit.protocol.conversation import Verdict
from reflex_agentkit.protocol.digest import seal
from reflex_agentkit.protocol.notes import decided_event, status_event
from reflex_agentkit.protocol.pause import Asked
from reflex_agentkit.protocol.pending import InterruptKind, PendingInterrupt
from reflex_agentkit.protocol.unicode import is_sendable
from reflex_agentkit.protocol.verdicts import AnswerValue, Cancel, Outcome, Ready, Refused, Waiting
from reflex_agentkit.records.decision import Decision, InterruptRecord
from reflex_agentkit.records.principal import CLOCK, Principal
from reflex_agentkit.review import refusals
from reflex_agentkit.review.lifecycle import Act, after, sources
from reflex_agentkit.review.notes import note_of
from reflex_agentkit.store.base import Change, Move, MoveLostError, Store

log = logging.getLogger("reflex_agentkit.review")

_KIND_ORDER: Mapping[InterruptKind, int] = {"approval": 0, "doubt": 1, "question": 2}
"""What is shown first in a pause."""

_Step: TypeAlias = tuple[InterruptRecord, InterruptRecord]
"""A record as it was and as it is to be."""

_ACTS: Mapping[Verdict, Act] = {"cancelled": "cancel", "expired": "expire"}
"""What a verdict does to an open interrupt; any other verdict decides it."""


class Desk:
    """Opens interrupts and writes what is decided about them."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    def draft(self, asked: Sequence[Asked]) -> tuple[InterruptRecord, ...]:
        """The records of a pause, each with an id of its own; the engine stores them with the run's end.

        An agent's ids may repeat (a tool call id in another thread, a flow's id in every pause), so none of
        them is used to say what an answer is for.

        Raises:
            ProtocolError: two approvals are about the same call, so a yes and a no could stand for it.
        """
        calls = Counter(one.pending.tool_call_id for one in asked if one.pending.kind == "approval")
        if twice := [call_id for call_id, times in calls.items() if times > 1]:
            raise ProtocolError(f"the run asks more than once whether the call {twice[0]!r} may run")
        in_order = sorted(asked, key=lambda one: (_for_app(one.pending), _KIND_ORDER[one.pending.kind]))
        people = sum(not _for_app(one.pending) for one in asked)
        records: list[InterruptRecord] = []
        for place, one in enumerate(in_order, start=1):
            pending = replace(one.pending, id=self._ids.new("int"), position=place, total=people)
            records.append(
                InterruptRecord(
                    pending=pending,
                    wire_id=one.wire_id,
                    digest=seal(pending),
                    client_call=one.client_call,
                )
            )
        return tuple(records)

    async def answer(
        self,
        interrupt_id: str,
        answer: AnswerValue,
        *,
        by: Principal,
        seen: str | None = None,
        thread_id: str | None = None,
    ) -> Outcome:
        """Record one answer, or say why not.

        `seen` is the digest of what the person was shown; what is out of time is refused here and closed by
        `expire_due`. With `thread_id`, an interrupt of another thread is as unknown as one that never was.
        """
        record = await self._find(interrupt_id, thread_id)
        if record is None:
            log.warning("%s answered the unknown interrupt %r", by.id, interrupt_id)
            return refusals.unknown(interrupt_id)
        if record.state != "open":
            return await self._again(record, answer)
        if answers.is_expired(record.pending, self._clock.now()):
            return refusals.expired(record)
        if seen is not None and seen != record.digest:
            return refusals.changed(record)
        try:
            checked = self._checked(record, answer)
        except InvalidAnswerError as error:
            return refusals.invalid(record, error)
        decided = self._decide(record, checked, by)
        try:
            await self._write(record.thread_id, [(record, decided)])
        except MoveLostError as lost:
            return await self._again(lost.current or record, answer)
        return await self._standing(decided)

    async def resume(self, thread_id: str, entries: Sequence[ResumeEntry], *, by: Principal) -> Outcome:
        """Record the answers to a whole pause together, or none of them."""
        open_records = await self._store.interrupts(thread_id, states={"open"})
        by_id = {record.id: record for record in open_records}
        problem = answers.resume_problem(list(by_id), entries)
        if problem is not None:
            return await self._resume_refused(thread_id, problem, entries)
        if not entries:
            return refusals.nothing_open()
        decided: list[_Step] = []
        for entry in entries:
            record = by_id[entry.interrupt_id]
            try:
                value = answers.read_entry(record.pending, entry)
                checked = self._checked(record, value)
            except InvalidAnswerError as error:
                return refusals.invalid(record, error)
            decided.append((record, self._decide(record, checked, by)))
        try:
            await self._write(thread_id, decided)
        except MoveLostError as lost:
            return refusals.decided(lost.current) if lost.current else refusals.unknown(lost.interrupt_id)
        return Ready(interrupt_id=entries[-1].interrupt_id, thread_id=thread_id)

    async def cancel_all(self, thread_id: str, *, by: Principal) -> int:
        """Take a pause back.

        What is open and what was answered but not sent becomes cancelled. Gives the number.
        """
        while True:
            records = await self._store.interrupts(thread_id, states=sources("cancel"))
            records = [record for record in records if record.carried_by is None]
            if not records:
                return 0
            cancelled = [(record, self._decide(record, _CANCELLED, by)) for record in records]
            try:
                await self._write(thread_id, cancelled, status_event("cancelled"))
            except MoveLostError:
                continue  # somebody answered in between: look again at what is left
            return len(cancelled)

    async def take_back(self, thread_id: str, *, by: Principal) -> int:
        """Cancel what was approved and has not begun, since its run was stopped. Gives the number.

        Only where no run of the thread is going on.
        """
        while True:
            records = await self._store.interrupts(thread_id, states=sources("take_back"))
            waiting = [one for one in records if one.pending.kind == "approval" and not one.settled]
            if not waiting:
                return 0
            try:
                taken = [(one, self._decide(one, _CANCELLED, by, act="take_back")) for one in waiting]
                await self._write(thread_id, taken)
            except MoveLostError:
                continue  # one began in between: look again at what is left
            return len(taken)

    async def expire_due(self, thread_id: str | None = None) -> list[str]:
        """Decide by the clock what is out of time; gives the threads where nothing is open any more."""
        now = self._clock.now()
        touched: list[str] = []
        for record in await self._store.interrupts(thread_id, states={"open"}):
            if answers.is_expired(record.pending, now):
                await self._expire(record)
                touched.append(record.thread_id)
        return [
            one for one in dict.fromkeys(touched) if not await self._store.interrupts(one, states={"open"})
        ]

    def _checked(self, record: InterruptRecord, answer: AnswerValue) -> CheckedAnswer:
        checked = answers.check_answer(record.pending, answer, now=self._clock.now())
        if not is_sendable(checked.payload):
            raise InvalidAnswerError("The answer holds half of a character, which cannot be sent.")
        return checked

    async def _find(self, interrupt_id: str, thread_id: str | None) -> InterruptRecord | None:
        record = await self._store.interrupt(interrupt_id)
        if record is None or (thread_id is not None and record.thread_id != thread_id):
            return None
        return record

    async def _expire(self, record: InterruptRecord) -> None:
        try:
            await self._write(record.thread_id, [(record, self._decide(record, _EXPIRED, CLOCK))])
        except MoveLostError:
            log.info("interrupt %r was answered just before its time ran out", record.id)

    async def _again(self, record: InterruptRecord, answer: AnswerValue) -> Outcome:
        """An answer to what is decided: the same one gets the first outcome, another one is refused."""
        if record.state == "expired" and not isinstance(answer, Cancel):
            return refusals.expired(record)
        try:
            # Without the time: the decision that stands may be told again after the deadline too.
            checked = answers.check_answer(record.pending, answer)
        except InvalidAnswerError:
            return refusals.decided(record)
        decision = record.decision
        if decision is None or decision.status != checked.status:
            return refusals.decided(record)
        if decision.payload_text != _payload_text(checked):
            return refusals.decided(record)
        return await self._standing(record)

    async def _resume_refused(
        self, thread_id: str, problem: Refused, entries: Sequence[ResumeEntry]
    ) -> Refused:
        """The same refusal, told better where an id is not unknown but decided."""
        if problem.code == "unknown_interrupt":
            for entry in entries:
                record = await self._find(entry.interrupt_id, thread_id)
                if record is not None and record.state != "open":
                    return refusals.decided(record)
        return problem

    async def _standing(self, record: InterruptRecord) -> Waiting | Ready:
        remaining = await self._store.interrupts(record.thread_id, states={"open"})
        if remaining:
            return Waiting(interrupt_id=record.id, remaining=len(remaining))
        return Ready(interrupt_id=record.id, thread_id=record.thread_id)

    def _decide(
        self, record: InterruptRecord, checked: CheckedAnswer, by: Principal, *, act: Act | None = None
    ) -> InterruptRecord:
        decision = Decision(
            verdict=checked.verdict,
            status=checked.status,
            payload=checked.payload,
            payload_text=_payload_text(checked),
            by=by.shown,
            at=self._clock.now(),
        )
        act = act or _ACTS.get(checked.verdict, "decide")
        return replace(record, state=after(act, record.state), decision=decision)

    async def _write(self, thread_id: str, steps: Sequence[_Step], *events: BaseEvent) -> None:
        notes = [decided_event(note_of(decided)) for _, decided in steps]
        moves = [Move(to=decided, expected={record.state}) for record, decided in steps]
        change = Change(thread_id=thread_id, events=[*notes, *events], moves=moves)
        await self._store.commit(change, at=self._clock.now())


def _for_app(pending: PendingInterrupt) -> bool:
    """Whether the app's own code answers: a client tool call that no person is asked about."""
    return bool(pending.metadata.get("client_tool")) and not pending.metadata.get("ask")


def _payload_text(checked: CheckedAnswer) -> str:
    return "" if checked.status == "cancelled" else json_text.canonical(checked.payload)


def _closed(verdict: Verdict) -> CheckedAnswer:
    return CheckedAnswer(verdict=verdict, status="cancelled", payload=None, edited_args=None)


_CANCELLED = _closed("cancelled")
_EXPIRED = _closed("expired")
