"""What a store must do: keep facts, find them, and change several of them together or not at all.

A store keeps; it does not decide. It knows no rule of answering: it only moves an interrupt from a state that
the caller expects to another, and says no when the state is not the expected one.
`testing.contracts.StoreContract` is the suite that every store passes.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from ag_ui.core import BaseEvent

from reflex_agentkit.errors import StoreError
from reflex_agentkit.records.decision import InterruptRecord, InterruptState
from reflex_agentkit.records.thread import NumberedEvent, RunRecord, ThreadRecord


@dataclass(frozen=True, slots=True, kw_only=True)
class Move:
    """Replace an interrupt's record by `to`, if its stored state is one of `expected`."""

    to: InterruptRecord
    expected: Collection[InterruptState]


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What is to be stored together. `events` get the next numbers of the thread's log, in order."""

    thread_id: str
    events: Sequence[BaseEvent] = ()
    run: RunRecord | None = None
    opened: Sequence[InterruptRecord] = ()
    moves: Sequence[Move] = ()
    title: str | None = None


class MoveLostError(StoreError):
    """An interrupt was not in an expected state any more; nothing of the change was stored.

    `current` is the record as it is now, `None` where the store has no such interrupt.
    """

    def __init__(self, interrupt_id: str, current: InterruptRecord | None) -> None:
        state = current.state if current else "unknown"
        super().__init__(f"interrupt {interrupt_id!r} is {state} now")
        self.interrupt_id = interrupt_id
        self.current = current


class Store(Protocol):
    """Where threads, events and interrupts are kept.

    Every method may raise `StoreError`. `durable` says whether the facts outlive the process.
    """

    durable: bool

    async def start(self) -> None:
        """Get ready; called once, in the process that will use the store."""
        ...

    async def stop(self) -> None:
        """Let go of everything."""
        ...

    async def create_thread(self, thread: ThreadRecord) -> ThreadRecord:
        """Keep a new thread; where the id exists already, give the stored one and change nothing."""
        ...

    async def thread(self, thread_id: str) -> ThreadRecord | None:
        """One thread."""
        ...

    async def threads(self, user: str | None = None, *, limit: int = 100) -> list[ThreadRecord]:
        """Threads, the latest changed first; of one user, or of all."""
        ...

    async def commit(self, change: Change, *, at: datetime) -> list[NumberedEvent]:
        """Store a change whole or not at all, and give its events their numbers.

        Raises:
            MoveLostError: an interrupt is not in the state that a move expects.
            StoreError: the thread is unknown, or an opened interrupt's id exists.
        """
        ...

    async def events(
        self, thread_id: str, *, after: int = 0, limit: int | None = None
    ) -> list[NumberedEvent]:
        """The events of a thread's log with a number above `after`, in order."""
        ...

    async def runs(self, thread_id: str) -> list[RunRecord]:
        """The runs of a thread, the oldest first."""
        ...

    async def interrupt(self, interrupt_id: str) -> InterruptRecord | None:
        """One interrupt, of whatever thread."""
        ...

    async def interrupts(
        self, thread_id: str | None = None, *, states: Collection[InterruptState] | None = None
    ) -> list[InterruptRecord]:
        """Interrupts in the order they were opened; of one thread or all, in these states or all."""
        ...
