"""Runs of an agent: start, go on after a pause, try again, stop. A run is a task of the server, not of a tab.

One thing at a time happens to a thread: whoever starts, answers or stops holds its lock, and what is possible
is looked up in the store under that lock.
"""

from __future__ import annotations

import asyncio
import contextvars
import logging
from collections.abc import Sequence

from ag_ui.core import (
    ResumeEntry,
    StateSnapshotEvent,
    UserMessage,
)

from reflex_agentkit.clock import Clock
from reflex_agentkit.errors import RefusedError
from reflex_agentkit.ids import Ids
from reflex_agentkit.protocol.conversation import Conversation, RunStatus
from reflex_agentkit.protocol.unicode import sendable_event
from reflex_agentkit.protocol.verdicts import AnswerValue, Outcome, Ready
from reflex_agentkit.records.decision import InterruptState
from reflex_agentkit.records.principal import Principal
from reflex_agentkit.records.thread import RunRecord, RunState
from reflex_agentkit.review.desk import Desk
from reflex_agentkit.runs.drive import Drive, Parts
from reflex_agentkit.runs.feed import Feed
from reflex_agentkit.runs.locks import Locks
from reflex_agentkit.runs.preparation import Preparation
from reflex_agentkit.runs.setting import Setting
from reflex_agentkit.runs.whole import whole
from reflex_agentkit.store.base import Change, Store

log = logging.getLogger("reflex_agentkit.runs")

_GOING_ON: frozenset[InterruptState] = frozenset({"decided", "expired"})
"""Decisions that a run must carry by itself. What was cancelled may wait for the next message."""


class Engine:
    """Drives the runs of one kit."""

    def __init__(self, *, store: Store, feed: Feed, desk: Desk, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._feed = feed
        self._desk = desk
        self._clock = clock
        self._preparation = Preparation(store, clock, ids)
        self._locks = Locks()
        self._drives: dict[str, Drive] = {}
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._unended: dict[str, Drive] = {}
        self._settings: dict[str, Setting] = {}

    @whole
    async def send(
        self,
        thread_id: str,
        said: UserMessage,
        setting: Setting,
        *,
        by: Principal,
        instead_of_answer: bool = False,
    ) -> str:
        """Start a run with a message. With `instead_of_answer` what stands open is cancelled by `by` first.

        Who stopped a run and then says something else has taken back the calls that had not begun: they are
        cancelled. `retry` is what goes on with them.

        Raises:
            RefusedError: `already_running`, or `awaiting_input` while something is open.
        """
        async with self._locks.of(thread_id):
            if instead_of_answer:
                await self._end_run(thread_id)
                await self._desk.cancel_all(thread_id, by=by)
            await self._check_free(thread_id)
            if await self._last_state(thread_id) == "cancelled":
                await self._desk.take_back(thread_id, by=by)
            return await self._start(thread_id, setting, said=[said])

    @whole
    async def answer(
        self,
        interrupt_id: str,
        answer: AnswerValue,
        setting: Setting,
        *,
        by: Principal,
        seen: str | None,
        thread_id: str | None,
    ) -> Outcome:
        """Record an answer; with the last one the run goes on. Another thread's interrupt is not touched."""
        record = await self._store.interrupt(interrupt_id)
        if record is None or thread_id not in (None, record.thread_id):
            return await self._desk.answer(interrupt_id, answer, by=by, seen=seen, thread_id=thread_id)
        async with self._locks.of(record.thread_id):
            await self._expire_due(record.thread_id, setting)
            outcome = await self._desk.answer(interrupt_id, answer, by=by, seen=seen, thread_id=thread_id)
            await self._go_on(outcome, setting)
            return outcome

    @whole
    async def resume(
        self, thread_id: str, entries: Sequence[ResumeEntry], setting: Setting, *, by: Principal
    ) -> Outcome:
        """Record the answers to a whole pause, or none of them; then the run goes on."""
        async with self._locks.of(thread_id):
            await self._expire_due(thread_id, setting)
            outcome = await self._desk.resume(thread_id, entries, by=by)
            await self._go_on(outcome, setting)
            return outcome

    @whole
    async def retry(self, thread_id: str, setting: Setting) -> str:
        """Run again what ended badly, with the same answers and without repeating a tool that ran.

        Raises:
            RefusedError: `already_running`, `awaiting_input`, or `nothing_to_retry`.
        """
        async with self._locks.of(thread_id):
            await self._expire_due(thread_id, setting)
            await self._check_free(thread_id)
            runs = await self._store.runs(thread_id)
            if not runs or runs[-1].state not in ("failed", "cancelled"):
                raise RefusedError(
                    "nothing_to_retry", "The last answer did not fail; there is nothing to try again."
                )
            return await self._start(thread_id, setting, retried=runs[-1])

    @whole
    async def cancel(self, thread_id: str, *, by: Principal) -> None:
        """Stop a run; take a pause back. Starts nothing."""
        async with self._locks.of(thread_id):
            await self._end_run(thread_id)
            # Always: the run may have come to a pause just before it was told to stop.
            await self._desk.cancel_all(thread_id, by=by)

    @whole
    async def expire(self, thread_id: str, setting: Setting) -> None:
        """Decide by the clock what is out of time in a thread.

        Where nothing else is open, the run goes on.
        """
        async with self._locks.of(thread_id):
            if thread_id not in self._drives:
                await self._end_late(thread_id)
            await self._expire_due(thread_id, setting)
            if not await self._store.interrupts(thread_id, states={"open"}):
                # Also what was decided when the store could not keep the start of the resume.
                waiting = await self._preparation.unsent(thread_id)
                if any(one.carried_by is None and one.state in _GOING_ON for one in waiting):
                    await self._go_on(Ready(interrupt_id="", thread_id=thread_id), setting)

    @whole
    async def set_state(self, thread_id: str, state: object) -> None:
        """Replace the shared state; the next run gets it.

        Raises:
            RefusedError: `already_running`, since the agent is about to change it too.
        """
        async with self._locks.of(thread_id):
            if thread_id in self._drives:
                raise RefusedError("already_running", "The agent is working; change this when it is done.")
            snapshot = sendable_event(StateSnapshotEvent(snapshot=state))
            await self._store.commit(Change(thread_id=thread_id, events=[snapshot]), at=self._clock.now())

    async def wait(self, thread_id: str) -> RunStatus:
        """Come back when the thread's run has ended or paused."""
        while True:
            async with self._locks.of(thread_id):
                task = self._tasks.get(thread_id)
            if task is None:
                return (await self.conversation(thread_id)).run_status
            await asyncio.wait({task})

    async def conversation(self, thread_id: str) -> Conversation:
        """What the thread shows now."""
        return (await self._feed.open(thread_id)).fold.conversation()

    def setting_of(self, thread_id: str) -> Setting | None:
        """How the latest run of a thread was made, as far as this process made it."""
        return self._settings.get(thread_id)

    def unended(self) -> list[str]:
        """The threads whose last run has no end in the store yet; `expire` tries again."""
        return list(self._unended)

    async def stop(self) -> None:
        """End every run and wait until it is stored."""
        for drive in list(self._drives.values()):
            drive.stop()
        if self._tasks:
            await asyncio.wait(set(self._tasks.values()))

    async def _check_free(self, thread_id: str) -> None:
        if thread_id in self._drives:
            raise RefusedError(
                "already_running", "The agent is still answering. Wait for it or stop it first."
            )
        await self._end_late(thread_id)
        await self._desk.expire_due(thread_id)
        waiting = await self._store.interrupts(thread_id, states={"open"})
        if waiting:
            raise RefusedError(
                "awaiting_input",
                f"The agent waits for {len(waiting)} answer{'s' if len(waiting) > 1 else ''}. "
                "Answer or cancel first; your message was not sent.",
            )

    async def _expire_due(self, thread_id: str, setting: Setting) -> None:
        for ready in await self._desk.expire_due(thread_id):
            await self._go_on(Ready(interrupt_id="", thread_id=ready), setting)

    async def _end_run(self, thread_id: str) -> None:
        drive, task = self._drives.get(thread_id), self._tasks.get(thread_id)
        if drive is not None and task is not None:
            drive.stop()
            await asyncio.wait({task})
        await self._end_late(thread_id)

    async def _end_late(self, thread_id: str) -> None:
        """Store the end of a run whose end could not be stored when it came."""
        drive = self._unended.get(thread_id)
        if drive is not None:
            await drive.give_up()
            self._unended.pop(thread_id, None)

    async def _last_state(self, thread_id: str) -> RunState | None:
        runs = await self._store.runs(thread_id)
        return runs[-1].state if runs else None

    async def _go_on(self, outcome: Outcome, setting: Setting) -> None:
        """After the last answer: one run that carries all of them. The same answer again starts nothing."""
        if not isinstance(outcome, Ready):
            return
        answered = await self._preparation.unsent(outcome.thread_id)
        if any(record.carried_by is None for record in answered):
            # Where a run is still there, it is the one that asked: its end is stored, and it is about to go.
            if ending := self._tasks.get(outcome.thread_id):
                await asyncio.wait({ending})
            await self._start(outcome.thread_id, setting)

    async def _start(
        self,
        thread_id: str,
        setting: Setting,
        *,
        said: Sequence[UserMessage] = (),
        retried: RunRecord | None = None,
    ) -> str:
        conversation = await self.conversation(thread_id)
        self._settings[thread_id] = setting
        prepared = await self._preparation.prepare(thread_id, conversation, setting, said, retried)
        parts = Parts(store=self._store, desk=self._desk, clock=self._clock)
        drive = Drive(
            parts=parts,
            setting=setting,
            run=prepared.run,
            run_input=prepared.run_input,
            answered=prepared.answered,
        )
        # A context of its own: the run belongs to the server, not to the tab that happened to start it.
        task = asyncio.create_task(
            self._drive(drive), name=f"run {drive.run.id}", context=contextvars.Context()
        )
        self._drives[thread_id], self._tasks[thread_id] = drive, task
        return drive.run.id

    async def _drive(self, drive: Drive) -> None:
        thread_id = drive.run.thread_id
        try:
            async with self._feed.watch(thread_id) as watched:
                await drive.go(watched)
        except Exception:
            log.exception("run %s could not be stored to its end", drive.run.id)
            self._unended[thread_id] = drive
            try:
                await self._end_late(thread_id)
            except Exception:
                # The store is gone. Whoever acts in this thread next tries again.
                log.exception("the end of run %s waits for the store", drive.run.id)
        finally:
            del self._drives[thread_id], self._tasks[thread_id]
