"""Which event may follow which. The first break ends a stream: what comes after it cannot be trusted.

The rules are AG-UI's. A run begins with RUN_STARTED, or fails before it begins with a lone RUN_ERROR; what it
opens it closes; after its end only a late RUN_ERROR or the next run may come.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any, Final, NoReturn

from ag_ui.core import BaseEvent, EventType, RunErrorEvent, RunFinishedEvent, RunStartedEvent

from reflex_agentkit.errors import EventOrderError
from reflex_agentkit.protocol.chunks import CHUNKS, ChunkLanes
from reflex_agentkit.protocol.notes import is_note
from reflex_agentkit.protocol.open_items import OpenItems
from reflex_agentkit.protocol.shapes import RETIRED_ID

_log = logging.getLogger(__name__)


class StreamOrder:
    """Reads one agent's stream, event by event, and lets through what is in order.

    With `thread_id` every run must belong to that thread. With `run_id` that run must be among them; replayed
    ones may come before it.
    `open_run` is the id of the run that is open, or `None`.
    """

    open_run: str | None

    def __init__(self, *, thread_id: str | None = None, run_id: str | None = None) -> None:
        self.open_run = None
        self._thread_id = thread_id
        self._wanted = run_id
        self._items = OpenItems(self._fail)
        self._chunks = ChunkLanes(self._fail)
        self._count = 0
        self._thoughts = 0
        self._last_end: EventType | None = None

    def admit(self, event: BaseEvent) -> list[BaseEvent]:
        """The events that this one stands for, in order: itself, mostly; a chunk is spelled out.

        An event that speaks in this library's name is dropped with a warning: an agent decides nothing.

        Raises:
            EventOrderError: the event may not come here; `index` is its place in the stream.
        """
        kind = event.type
        boundary = _BOUNDARIES.get(kind)
        if self.open_run is None and boundary is None:
            self._fail(f"{kind.value} came {self._outside()}")
        if is_note(event):
            _log.warning("an agent sent %r, a name of this library; dropped", getattr(event, "name", ""))
            self._count += 1
            return []
        event = self._named(event)
        if kind in CHUNKS:
            events = self._chunks.expand(event)
        elif self._chunks:
            events = [*self._closed_by(event), event]
        else:
            events = [event]
        for item in events:
            if item is not event or boundary is None:
                self._items.check(item)
        if boundary is not None:
            boundary(self, event)
        self._count += 1
        return events

    def finish(self) -> list[BaseEvent]:
        """The stream has ended. Gives the events that were still owed.

        Raises:
            EventOrderError: a run is still open, the one asked for never began, or nothing came at all.
        """
        if self.open_run is not None:
            self._fail(f"the stream ended while the run {self.open_run!r} was open; RUN_FINISHED is missing")
        if self._last_end is None:
            self._fail("the stream ended before a run began")
        if self._wanted is not None and self._last_end is not EventType.RUN_ERROR:
            self._fail(f"the run {self._wanted!r} was asked for; the stream ended without it")
        return self._chunks.close_all()

    def run_started(self, event: RunStartedEvent) -> None:
        if self.open_run is not None:
            self._fail(f"RUN_STARTED of {event.run_id!r} came while the run {self.open_run!r} was open")
        self._same_thread(event)
        if event.run_id == self._wanted:
            self._wanted = None
        self.open_run = event.run_id

    def run_finished(self, event: RunFinishedEvent) -> None:
        if self.open_run is None:
            self._fail(f"RUN_FINISHED came {self._outside()}")
        self._same_thread(event)
        if event.run_id != self.open_run:
            self._fail(f"RUN_FINISHED names the run {event.run_id!r}; {self.open_run!r} is open")
        for what, name in self._items.left():
            self._fail(f"RUN_FINISHED came while the {what} {name!r} was open")
        self._ended(event)

    def run_error(self, event: RunErrorEvent) -> None:
        if self.open_run is None and self._last_end is EventType.RUN_ERROR:
            self._fail("a second RUN_ERROR came after the run had failed")
        self._ended(event)

    def _ended(self, event: BaseEvent) -> None:
        self.open_run = None
        self._last_end = event.type
        self._items = OpenItems(self._fail)

    def _same_thread(self, event: RunStartedEvent | RunFinishedEvent) -> None:
        if self._thread_id is None:
            self._thread_id = event.thread_id
        elif event.thread_id != self._thread_id:
            kind, thread_id = event.type.value, event.thread_id
            self._fail(f"{kind} names the thread {thread_id!r}; this one is {self._thread_id!r}")

    def _fail(self, message: str) -> NoReturn:
        raise EventOrderError(f"event {self._count}: {message}", index=self._count)

    def _outside(self) -> str:
        if self._last_end is None:
            return "before RUN_STARTED; a stream begins with RUN_STARTED or RUN_ERROR"
        return f"after {self._last_end.value}; only RUN_STARTED begins something new"

    def _closed_by(self, event: BaseEvent) -> list[BaseEvent]:
        """The ends of the chunk streams that this event shows to be over."""
        if event.type in _CLOSE_ALL:
            return self._chunks.close_all()
        if event.type in _CLOSE_NONE:
            return []
        owner: str | None = getattr(event, "subagent_run_id", None)
        if owner is None:
            item = getattr(event, "message_id", None) or getattr(event, "tool_call_id", None)
            owner = self._items.owner_of(item or "")
        return self._chunks.close(owner)

    def _named(self, event: BaseEvent) -> BaseEvent:
        """A retired THINKING_* event carries no id; each span and its messages share a new one."""
        if getattr(event, "message_id", None) != RETIRED_ID:
            return event
        span = event.type is EventType.REASONING_START
        alone = event.type is EventType.REASONING_MESSAGE_START and not self._items.spans
        if span or alone:
            self._thoughts += 1
        return event.model_copy(update={"message_id": f"{self.open_run}-thinking-{self._thoughts}"})


_BOUNDARIES: Final[dict[EventType, Callable[[StreamOrder, Any], None]]] = {
    EventType.RUN_STARTED: StreamOrder.run_started,
    EventType.RUN_FINISHED: StreamOrder.run_finished,
    EventType.RUN_ERROR: StreamOrder.run_error,
}

_CLOSE_ALL: Final = frozenset({*_BOUNDARIES, EventType.MESSAGES_SNAPSHOT})

_CLOSE_NONE: Final = frozenset(
    {
        EventType.RAW,
        EventType.ACTIVITY_SNAPSHOT,
        EventType.ACTIVITY_DELTA,
        EventType.REASONING_ENCRYPTED_VALUE,
        EventType.SUBAGENT_STARTED,
    }
)
