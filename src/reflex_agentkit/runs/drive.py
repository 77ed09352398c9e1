"""One run, driven: every event is checked, stored and told on; the end becomes a pause, a result or a fault.

The agent is read by a task of its own, so that a run can be ended although its agent does not react.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace

from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    Interrupt,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

from reflex_agentkit.agents.gate import use_gate
from reflex_agentkit.clock import Clock
from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.protocol.legacy import LEGACY_INTERRUPT
from reflex_agentkit.protocol.order import StreamOrder
from reflex_agentkit.protocol.pause import Asked, read_pause
from reflex_agentkit.protocol.repeats import mark_repeats
from reflex_agentkit.protocol.unicode import sendable_event
from reflex_agentkit.protocol.wire import admit_event
from reflex_agentkit.records.decision import InterruptRecord
from reflex_agentkit.records.thread import RunRecord, RunState
from reflex_agentkit.review.desk import Desk
from reflex_agentkit.runs.execution import Execution, settled
from reflex_agentkit.runs.feed import Watched
from reflex_agentkit.runs.reading import SILENT, UNSTORED, check_change, events_of, fault, let_go
from reflex_agentkit.runs.setting import Setting
from reflex_agentkit.store.base import Change, MoveLostError, Store

log = logging.getLogger("reflex_agentkit.runs")

GRACE = 2.0
"""Seconds that an agent gets to come to an end, after its last event or after it was told to stop."""

TURN = 20
"""Events that are taken in a row. An agent that never waits would keep everybody else from their turn."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """What every run of an engine works with."""

    store: Store
    desk: Desk
    clock: Clock


@dataclass(slots=True, kw_only=True)
class Drive:
    """A run that is going on."""

    parts: Parts
    setting: Setting
    run: RunRecord
    run_input: RunAgentInput
    answered: Sequence[InterruptRecord]
    _watched: Watched | None = None
    _last: RunFinishedEvent | RunErrorEvent | None = None
    _legacy: list[CustomEvent] = field(default_factory=list[CustomEvent])
    _stop: asyncio.Event = field(default_factory=asyncio.Event)
    _over: bool = False
    _gate: Execution = field(init=False)

    def __post_init__(self) -> None:
        self._gate = Execution(self.parts.store, self.parts.clock, self.run.thread_id, self.answered)

    async def go(self, watched: Watched) -> None:
        """Read the agent to its end and store what came of it. Never raises what an agent did wrong.

        `watched` is the thread, whose fold says what was proposed.
        """
        self._watched = watched
        reading = asyncio.create_task(self._read(), name=f"agent of {self.run.id}")
        stopping = asyncio.create_task(self._stop.wait())
        await asyncio.wait({reading, stopping}, return_when=asyncio.FIRST_COMPLETED)
        stopping.cancel()
        # Before the agent hears of it: one that does not stop must not begin another call.
        self._gate.close()
        if not reading.done():
            await let_go(reading, self.run.id, GRACE)
            self._over = True
            await self._end(None)
            return
        self._over = True
        error = reading.exception() if not reading.cancelled() else asyncio.CancelledError()
        await self._end(fault(error, self.run.id) if error else self._last or SILENT)

    def stop(self) -> None:
        """End the run at its next step; what it has said stays."""
        self._stop.set()

    async def _read(self) -> None:
        order = StreamOrder(thread_id=self.run.thread_id, run_id=self.run.id)
        use_gate(self._gate)
        heard = 0
        async with aclosing(events_of(self.setting.agent, self.run_input)) as events:
            async for value in self._until_quiet(events):
                heard += 1
                if heard % TURN == 0:
                    await asyncio.sleep(0)
                event = admit_event(value)
                for item in order.admit(sendable_event(event)) if event is not None else ():
                    await self._take(item)
        for item in order.finish() if heard else ():
            await self._take(item)

    async def _until_quiet(self, events: AsyncIterator[object]) -> AsyncIterator[object]:
        """The agent's events; once its run has ended, only what comes within the grace."""
        while not self._over:
            try:
                if self._last is None:
                    yield await anext(events)
                else:
                    # Not `wait_for`, which may step the agent in another task than the one it began in.
                    async with asyncio.timeout(GRACE):
                        late = await anext(events)
                    yield late
            except StopAsyncIteration:
                return
            except TimeoutError:
                if self._last is None:
                    raise
                log.warning("the agent keeps the stream of run %s open after its end", self.run.id)
                return

    async def _take(self, event: BaseEvent) -> None:
        if self._over:
            raise asyncio.CancelledError  # the run was ended without its agent: nothing more is heard
        match event:
            case RunStartedEvent():
                if self._last is not None:  # another run on the same stream
                    await self._between(event)
            case RunFinishedEvent() | RunErrorEvent():
                self._last = event
            case _:
                if isinstance(event, CustomEvent) and event.name == LEGACY_INTERRUPT:
                    self._legacy.append(event)
                check_change(event, self._conversation)
                await self._store([event])

    async def _between(self, started: RunStartedEvent) -> None:
        last = self._last
        if isinstance(last, RunFinishedEvent) and self._asked(last):
            raise ProtocolError("another run began on the stream although the one before left questions open")
        await self._store([last, started] if last else [started])
        self._last = None

    async def _store(self, events: Sequence[BaseEvent]) -> None:
        await self.parts.store.commit(
            Change(thread_id=self.run.thread_id, events=events), at=self.parts.clock.now()
        )

    def _asked(self, finished: RunFinishedEvent) -> Sequence[Asked]:
        conversation = self._conversation()
        asked = read_pause(
            finished,
            conversation=conversation,
            legacy=self._legacy,
            client_tools=self.setting.tools,
            asking=self.setting.asking,
            thread_id=self.run.thread_id,
            run_id=self.run.id,
            opened_at=self.parts.clock.now(),
        )
        return mark_repeats(asked, conversation)

    async def _end(self, last: RunFinishedEvent | RunErrorEvent | None) -> None:
        """Store the end: the closing event, the pause that it opens, what became of the answers carried."""
        opened: Sequence[InterruptRecord] = ()
        state: RunState = "finished"
        if last is None:
            last, state = self._closing(RunFinishedCancelledOutcome()), "cancelled"
        elif isinstance(last, RunErrorEvent):
            state = "failed"
        else:
            try:
                opened = self.parts.desk.draft(self._asked(last))
            except ProtocolError as error:
                last, state = fault(error, self.run.id), "failed"
            else:
                last, state = self._rewritten(last, opened)
        await self._close(last, state, opened)

    async def give_up(self) -> None:
        """Store an end for a run whose own end could not be stored. What it asked is not opened."""
        await self._close(UNSTORED, "failed", ())

    async def _close(self, last: BaseEvent, state: RunState, opened: Sequence[InterruptRecord]) -> None:
        ended_well = state in ("finished", "paused")
        while True:
            carried = [await self.parts.store.interrupt(record.id) for record in self.answered]
            known = [record for record in carried if record is not None]
            moves = settled(
                known, self._conversation(), ended_well=ended_well, handed_over=self._gate.handed_over
            )
            now = self.parts.clock.now()
            run = replace(self.run, state=state, ended_at=now)
            change = Change(thread_id=run.thread_id, events=[last], run=run, opened=opened, moves=moves)
            try:
                await self.parts.store.commit(change, at=now)
            except MoveLostError:
                continue  # a call of an agent that does not stop came to its end in between
            return

    def _conversation(self) -> Conversation:
        assert self._watched is not None, "a run is driven by `go`"
        return self._watched.fold.conversation()

    def _closing(self, outcome: RunFinishedCancelledOutcome) -> RunFinishedEvent:
        return RunFinishedEvent(thread_id=self.run.thread_id, run_id=self.run.id, outcome=outcome)

    def _rewritten(
        self, last: RunFinishedEvent, opened: Sequence[InterruptRecord]
    ) -> tuple[RunFinishedEvent, RunState]:
        """The end with our ids in place of the agent's: every follower names an interrupt as we do."""
        outcome = last.outcome
        if getattr(outcome, "type", None) == "cancelled":
            return last, "cancelled"
        if not opened:
            return last, "finished"
        asked = [record for record in opened if not record.client_call]
        client_calls = [record.wire_id for record in opened if record.client_call]
        if not asked:
            left = RunFinishedSuccessOutcome(pending_tool_call_ids=client_calls)
            return last.model_copy(update={"outcome": left}), "paused"
        given = (
            {i.id: i for i in outcome.interrupts} if isinstance(outcome, RunFinishedInterruptOutcome) else {}
        )
        interrupts = [interrupt_event(record, given.get(record.wire_id)) for record in asked]
        metadata = last.metadata
        if client_calls:
            # An interrupted run has no field for the client calls that it leaves; they are read here.
            metadata = {**(metadata or {}), "pendingToolCallIds": client_calls}
        outcome = RunFinishedInterruptOutcome(interrupts=interrupts)
        return last.model_copy(update={"outcome": outcome, "metadata": metadata}), "paused"


def interrupt_event(record: InterruptRecord, given: Interrupt | None) -> Interrupt:
    """An interrupt as the log shows it: the agent's own, under our id."""
    if given is not None:
        return given.model_copy(update={"id": record.id})
    pending = record.pending
    return Interrupt(
        id=record.id,
        reason=pending.reason,
        message=pending.message or None,
        tool_call_id=pending.tool_call_id,
        response_schema=pending.response_schema,
        expires_at=pending.expires_at.isoformat() if pending.expires_at else None,
        metadata=dict(pending.metadata) or None,
    )
