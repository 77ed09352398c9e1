"""A store in the process's memory: nothing to set up, and a restart loses everything."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field, replace
from datetime import datetime

from reflex_agentkit.errors import StoreError
from reflex_agentkit.records.decision import InterruptRecord, InterruptState
from reflex_agentkit.records.thread import NumberedEvent, RunRecord, ThreadRecord
from reflex_agentkit.store.base import Change, MoveLostError


@dataclass(slots=True)
class _Thread:
    record: ThreadRecord
    events: list[NumberedEvent] = field(default_factory=list[NumberedEvent])
    runs: dict[str, RunRecord] = field(default_factory=dict[str, RunRecord])
    interrupt_ids: list[str] = field(default_factory=list[str])


class MemoryStore:
    """Keeps everything in dictionaries. No method waits for anything, so each one is whole by itself."""

    durable = False

    def __init__(self) -> None:
        self._threads: dict[str, _Thread] = {}
        self._interrupts: dict[str, InterruptRecord] = {}

    async def start(self) -> None:
        """Nothing to get ready."""

    async def stop(self) -> None:
        """Nothing to let go of; the facts stay as long as the object does."""

    async def create_thread(self, thread: ThreadRecord) -> ThreadRecord:
        return self._threads.setdefault(thread.id, _Thread(thread)).record

    async def thread(self, thread_id: str) -> ThreadRecord | None:
        found = self._threads.get(thread_id)
        return found.record if found else None

    async def threads(self, user: str | None = None, *, limit: int = 100) -> list[ThreadRecord]:
        found = [t.record for t in self._threads.values() if user is None or t.record.user == user]
        return sorted(found, key=lambda record: record.updated_at, reverse=True)[:limit]

    async def commit(self, change: Change, *, at: datetime) -> list[NumberedEvent]:
        thread = self._thread(change.thread_id)
        self._check(change)
        for record in change.opened:
            self._interrupts[record.id] = record
            thread.interrupt_ids.append(record.id)
        for move in change.moves:
            self._interrupts[move.to.id] = move.to
        if change.run is not None:
            thread.runs[change.run.id] = change.run
        first = len(thread.events) + 1
        added = [NumberedEvent(first + place, event) for place, event in enumerate(change.events)]
        thread.events.extend(added)
        title = thread.record.title if change.title is None else change.title
        thread.record = replace(thread.record, title=title, updated_at=max(at, thread.record.updated_at))
        return added

    async def events(
        self, thread_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[NumberedEvent]:
        found = self._threads.get(thread_id)
        start = max(after, 0)
        return found.events[start : None if limit is None else start + limit] if found else []

    async def runs(self, thread_id: str) -> list[RunRecord]:
        found = self._threads.get(thread_id)
        return list(found.runs.values()) if found else []

    async def interrupt(self, interrupt_id: str) -> InterruptRecord | None:
        return self._interrupts.get(interrupt_id)

    async def interrupts(
        self, thread_id: str | None = None, *, states: Collection[InterruptState] | None = None
    ) -> list[InterruptRecord]:
        if thread_id is None:
            records = list(self._interrupts.values())
        else:
            found = self._threads.get(thread_id)
            records = [self._interrupts[i] for i in found.interrupt_ids] if found else []
        return [record for record in records if states is None or record.state in states]

    def _thread(self, thread_id: str) -> _Thread:
        found = self._threads.get(thread_id)
        if found is None:
            raise StoreError(f"there is no thread {thread_id!r}; create it first")
        return found

    def _check(self, change: Change) -> None:
        """Everything that could refuse the change, before anything is written."""
        for record in change.opened:
            if record.id in self._interrupts:
                raise StoreError(f"interrupt {record.id!r} exists already")
            if record.thread_id != change.thread_id:
                raise StoreError(
                    f"interrupt {record.id!r} is of thread {record.thread_id!r}, not {change.thread_id!r}"
                )
        for move in change.moves:
            current = self._interrupts.get(move.to.id)
            if current is None or current.state not in move.expected or current.thread_id != change.thread_id:
                raise MoveLostError(move.to.id, current)
