"""The gate itself: compares what is about to run with what was decided, and notes begin and end.

Only this module writes the states `begun`, `done` and `in_doubt`. A call begins at most once under one yes,
and only while the run goes on that carries the yes.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Collection, Sequence
from dataclasses import replace
from typing import Any, cast

from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.clock import Clock
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.protocol.notes import handed_event
from reflex_agentkit.protocol.unicode import sendable
from reflex_agentkit.records.decision import InterruptRecord
from reflex_agentkit.review.lifecycle import Act, after, sources
from reflex_agentkit.store.base import Change, Move, MoveLostError, Store

log = logging.getLogger("reflex_agentkit.runs")


class Execution:
    """The gate of one run. `answered` are the decisions that the run carries."""

    def __init__(
        self, store: Store, clock: Clock, thread_id: str, answered: Sequence[InterruptRecord]
    ) -> None:
        self.handed_over: set[str] = set()
        self._store = store
        self._clock = clock
        self._thread_id = thread_id
        self._answered = [record.id for record in answered]
        # A question may name a call too; its answer is no yes.
        self._ids = {
            r.pending.tool_call_id: r.id
            for r in answered
            if r.pending.tool_call_id and r.pending.kind != "question"
        }
        self._closed = False

    def close(self) -> None:
        """The run is over, for whatever reason: no call begins any more. What began is still noted."""
        self._closed = True

    async def begin(self, tool_call_id: str, tool_name: str, args: dict[str, Any]) -> CurrentAnswer:
        """Let the call begin if it is the one that was approved and has not begun before."""
        record = await self._record(tool_call_id)
        if record is None or record.decision is None:
            raise self._stopped(tool_call_id, f"nobody approved this call of {tool_name!r}")
        decision = record.decision
        if decision.verdict not in ("approved", "edited"):
            raise self._stopped(
                tool_call_id, f"the call of {tool_name!r} was {decision.verdict}, not approved"
            )
        if tool_name != record.pending.tool_name:
            raise self._stopped(
                tool_call_id, f"{record.pending.tool_name!r} was approved, {tool_name!r} would run"
            )
        approved = approved_args(record)
        if approved is None or not json_text.same(approved, args):
            raise self._stopped(
                tool_call_id, f"the arguments of {tool_name!r} are not the ones that were approved"
            )
        if record.state not in sources("begin"):
            raise self._stopped(
                tool_call_id, f"the call of {tool_name!r} began before; it does not run twice"
            )
        self._check_open(tool_call_id, tool_name)
        try:
            await self._move(record, "begin", {})
        except MoveLostError:
            raise self._stopped(tool_call_id, f"the call of {tool_name!r} began elsewhere") from None
        self._check_open(tool_call_id, tool_name)
        return CurrentAnswer(payload=decision.payload, idempotency_key=idempotency_key(record))

    async def done(self, tool_call_id: str, result_text: str) -> None:
        """Note the result of a call that began."""
        await self._over(tool_call_id, result_text=result_text)

    async def failed(self, tool_call_id: str, error: str) -> None:
        """Note that a call that began raised. It is over: the same yes does not let it run again."""
        await self._over(tool_call_id, error=error)

    async def _over(self, tool_call_id: str, **facts: str) -> None:
        """Note how a call ended, also where its run was ended before it and left it in doubt."""
        told = {name: sendable(text) for name, text in facts.items()}
        while (record := await self._record(tool_call_id)) is not None:
            act: Act = "finish" if record.state in sources("finish") else "record"
            if record.state not in sources(act):
                log.warning("call %s ended although it is %s", tool_call_id, record.state)
                return
            try:
                await self._move(record, act, told)
            except MoveLostError:
                continue
            return

    async def hand_over(self, interrupt_ids: Collection[str]) -> None:
        """Note that every yes and every answer among these leaves for an agent without a gate, once."""
        if self._closed:
            raise self._stopped("of this run", "the run was ended before the answers left")
        records = await self._yes_or_answered(interrupt_ids)
        if any(record.state not in sources("begin") for record in records):
            raise self._stopped("of this run", "an answer of this run was handed over before")
        self.handed_over.update(record.id for record in records)
        await self._hand(records, "begin")
        if self._closed:  # stopped in between: nothing has left yet
            await self.hand_back(interrupt_ids)
            raise self._stopped("of this run", "the run was ended before the answers left")

    async def hand_back(self, interrupt_ids: Collection[str]) -> None:
        """Note that the agent refused these answers without having seen them."""
        records = [one for one in await self._yes_or_answered(interrupt_ids) if one.id in self.handed_over]
        await self._hand(records, "put_back")
        self.handed_over.difference_update(record.id for record in records)

    async def _yes_or_answered(self, interrupt_ids: Collection[str]) -> list[InterruptRecord]:
        """The decisions that may set something going; a refusal or a cancellation may be told again."""
        found = [await self._store.interrupt(interrupt_id) for interrupt_id in self._answered]
        return [
            record
            for record in found
            if record is not None
            and record.wire_id in interrupt_ids
            and not record.settled
            and record.decision is not None
            and record.decision.verdict in ("approved", "edited", "answered")
        ]

    async def _hand(self, records: Sequence[InterruptRecord], act: Act) -> None:
        records = [record for record in records if record.state in sources(act)]
        if not records:
            return
        moves = [
            Move(to=replace(record, state=after(act, record.state)), expected={record.state})
            for record in records
        ]
        calls = [record.pending.tool_call_id or "" for record in records if record.pending.kind == "approval"]
        notes = [handed_event(calls, sent=act == "begin")] if calls else []
        change = Change(thread_id=self._thread_id, events=notes, moves=moves)
        try:
            await self._store.commit(change, at=self._clock.now())
        except MoveLostError:
            raise self._stopped("of this run", "an answer of this run was handed over elsewhere") from None

    def _check_open(self, tool_call_id: str, tool_name: str) -> None:
        if self._closed:
            raise self._stopped(tool_call_id, f"the run of this call of {tool_name!r} was ended")

    async def _record(self, tool_call_id: str) -> InterruptRecord | None:
        interrupt_id = self._ids.get(tool_call_id)
        return await self._store.interrupt(interrupt_id) if interrupt_id else None

    async def _move(self, record: InterruptRecord, act: Act, facts: dict[str, str]) -> None:
        moved = replace(record, state=after(act, record.state), **cast("Any", facts))
        move = Move(to=moved, expected={record.state})
        await self._store.commit(Change(thread_id=self._thread_id, moves=[move]), at=self._clock.now())

    def _stopped(self, tool_call_id: str, why: str) -> GateError:
        log.error("thread %s, call %s stopped at the gate: %s", self._thread_id, tool_call_id, why)
        return GateError(f"The tool was not run: {why}.")


def approved_args(record: InterruptRecord) -> dict[str, Any] | None:
    """The arguments that the decision allows to run."""
    decision = record.decision
    if decision is not None and decision.verdict == "edited":
        return decision.payload["editedArgs"]
    return record.pending.args


def idempotency_key(record: InterruptRecord) -> str:
    """One name for one approved call: the same after a crash, another for every other call.

    Made of the thread, the run that proposed the call and the call, since call ids may repeat in a thread.
    """
    pending = record.pending
    named = json_text.canonical([pending.thread_id, pending.run_id, pending.tool_call_id])
    return hashlib.sha256(named.encode()).hexdigest()


def settled(
    records: Sequence[InterruptRecord],
    conversation: Conversation,
    *,
    ended_well: bool,
    handed_over: Collection[str] = (),
) -> list[Move]:
    """What a run's end means for the answers that it carried.

    After a good end the agent has taken them all. After a bad one it has taken those whose call has a result;
    a call that began and has none is in doubt; the rest goes with the next run. `handed_over` are the ids
    of those that an agent without a gate has: they have begun as far as anybody can know, and such agents may
    tell no result.
    """
    # The latest call of an id: an agent may use the ids of its calls again, and the older one has its result.
    latest = {call.id: call for message in conversation.messages for call in message.tool_calls}
    results = {call_id for call_id, call in latest.items() if call.result is not None}
    moves: list[Move] = []
    for record in records:
        has_result = record.pending.tool_call_id in results
        if record.state == "begun":
            act: Act = "finish" if has_result or (ended_well and record.id in handed_over) else "lose"
        elif record.state in sources("settle") and (ended_well or has_result or record.state == "done"):
            act = "settle"
        else:
            continue
        moved = replace(record, state=after(act, record.state), settled=True)
        moves.append(Move(to=moved, expected={record.state}))
    return moves
