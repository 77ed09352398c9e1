"""What happens in a thread, told to whoever watches: from any number on, stored and live as one pipe.

`PublishedStore` is the store that the desk and the engine write to: each change that it stores is told on, in
the order of the numbers. A follower that falls behind reads from the store again; nobody waits for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import datetime

from ag_ui.core import BaseEvent

from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.records.thread import NumberedEvent
from reflex_agentkit.runs.locks import Locks
from reflex_agentkit.store.base import Change, Store

log = logging.getLogger("reflex_agentkit.runs")

KEPT_FOLDS = 256
"""Folds of threads that nobody watches are kept up to this many, so that opening one again costs nothing."""


class ThreadFeed:
    """One thread as this process knows it: its fold, the number it stands at, and a bell for its watchers."""

    def __init__(self) -> None:
        self.fold = Fold()
        self.number = 0
        self.watchers = 0
        self.behind = False
        """Whether the store may have more than was told."""
        self._bell = asyncio.Event()

    def take(self, added: Sequence[NumberedEvent]) -> None:
        """Fold new events in and ring."""
        for item in added:
            if item.number <= self.number:
                continue
            self.number = item.number
            try:
                self.fold.apply(item.event)
            except Exception:
                # The engine checks before it stores, so this is a log from elsewhere: show what can be shown.
                log.exception("event %d of the log cannot be shown", item.number)
        self._bell.set()
        self._bell = asyncio.Event()

    @property
    def bell(self) -> asyncio.Event:
        """Set at the next change; ask for it before you look at what is there."""
        return self._bell


class Watched:
    """A thread that is being watched. `fold` and `number` are live: read them, do not keep them."""

    def __init__(self, feed: ThreadFeed) -> None:
        self._feed = feed
        self._seen = -1

    @property
    def fold(self) -> Fold:
        return self._feed.fold

    @property
    def number(self) -> int:
        return self._feed.number

    async def changed(self) -> None:
        """Come back when something new came since the last call; many changes may be one return."""
        while True:
            bell = self._feed.bell
            if self._feed.number != self._seen:
                self._seen = self._feed.number
                return
            await bell.wait()


class Feed:
    """The threads that this process keeps in view."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._feeds: OrderedDict[str, ThreadFeed] = OrderedDict()
        self._locks = Locks()

    def lock(self, thread_id: str) -> asyncio.Lock:
        """Held while a change is stored and told on, and while a feed is being read from the store."""
        return self._locks.of(thread_id)

    async def open(self, thread_id: str) -> ThreadFeed:
        """The feed of a thread, read from the store where it is not in view yet."""
        found = self._feeds.get(thread_id)
        if found is not None and not found.behind:
            self._feeds.move_to_end(thread_id)
            return found
        async with self.lock(thread_id):
            found = self._feeds.get(thread_id) or ThreadFeed()
            found.take(await self._store.events(thread_id, after=found.number))
            found.behind = False
            self._feeds[thread_id] = found
            self._forget_some(thread_id)
            return found

    async def tell(self, thread_id: str, added: Sequence[NumberedEvent]) -> None:
        """Pass on what was stored; a thread that nobody looks at is left alone. The caller holds the lock."""
        found = self._feeds.get(thread_id)
        if found is None or not added:
            return
        if found.behind or added[0].number > found.number + 1:
            found.behind = True
            added = await self._store.events(thread_id, after=found.number)
            found.behind = False
        found.take(added)

    def doubt(self, thread_id: str) -> None:
        """A change broke off, and nobody knows whether it is stored: the next look asks the store."""
        found = self._feeds.get(thread_id)
        if found is not None:
            found.behind = True

    @asynccontextmanager
    async def watch(self, thread_id: str) -> AsyncGenerator[Watched]:
        """Watch a thread; its fold stays in memory meanwhile."""
        feed = await self.open(thread_id)
        feed.watchers += 1
        try:
            yield Watched(feed)
        finally:
            feed.watchers -= 1

    async def follow(self, thread_id: str, after: int = 0) -> AsyncIterator[tuple[int, BaseEvent]]:
        """Every event above a number, stored and then live, without end."""
        async with self.watch(thread_id) as watched:
            while True:
                await watched.changed()
                for item in await self._store.events(thread_id, after=after):
                    after = item.number
                    yield item.number, item.event

    def _forget_some(self, asked: str) -> None:
        idle = [key for key, feed in self._feeds.items() if feed.watchers == 0 and key != asked]
        for key in idle[: max(0, len(self._feeds) - KEPT_FOLDS)]:
            del self._feeds[key]


class PublishedStore:
    """A store whose changes are told on as they are stored. Reads go straight through."""

    def __init__(self, store: Store, feed: Feed) -> None:
        self._feed = feed
        self._store = store
        self.durable = store.durable
        self.start, self.stop = store.start, store.stop
        self.create_thread, self.thread, self.threads = store.create_thread, store.thread, store.threads
        self.events, self.runs = store.events, store.runs
        self.interrupt, self.interrupts = store.interrupt, store.interrupts

    async def commit(self, change: Change, *, at: datetime) -> list[NumberedEvent]:
        async with self._feed.lock(change.thread_id):
            try:
                added = await self._store.commit(change, at=at)
                await self._feed.tell(change.thread_id, added)
            except BaseException:
                self._feed.doubt(change.thread_id)
                raise
            return added
