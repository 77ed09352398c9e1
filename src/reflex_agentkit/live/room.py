"""One followed thread: what its followers are sent, gathered into frames. All tabs share one watch of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from reflex_agentkit.clock import Clock
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.fold.dispatch import Fold

log = logging.getLogger("reflex_agentkit.live")

FRAME = 1 / 30
"""Seconds between two frames: text is gathered this long."""

POKE_FRAMES = 3
"""Frames between two pokes: a poke makes every tab pull, so it is gathered longer."""

RETRY = 1.0
"""Seconds before a watch that broke is tried again."""


@dataclass(frozen=True, slots=True)
class Frame:
    """Something to send: `event` is the name on the wire, `data` its arguments."""

    event: str
    data: tuple[Any, ...]


def live_id(channel: str, thread_id: str, message_id: str) -> str:
    """The name of a message on the page. Agents repeat their message ids, in other threads and other kits."""
    return f"{channel} {thread_id} {message_id}"


class Frames:
    """What followers have been sent of a thread, and what comes next.

    Frames: `m (handle, live id)` names a message that is being written; `c (handle, offset, text)` is a piece
    of it, offsets in code points; `r (channel, thread id, revision)` says that the thread changed otherwise.
    """

    def __init__(self, channel: str, thread_id: str, handles: Iterator[int]) -> None:
        self._channel = channel
        self._thread_id = thread_id
        self._handles = handles
        self._names: dict[str, int] = {}
        self._sent: dict[str, int] = {}
        self._revision: int = -1
        self._frames_since_poke = POKE_FRAMES
        self.owes_poke = False

    def take(self, fold: Fold) -> list[Frame]:
        """The next frames for all followers."""
        streaming = fold.streaming
        # A message that ended since the last frame still gets its last piece, so that nothing jumps.
        frames = [frame for message_id in list(self._names) for frame in self._piece(fold, message_id)]
        for message_id in streaming:
            if message_id not in self._names:
                frames += [self._introduce(message_id), *self._piece(fold, message_id)]
        for message_id in [known for known in self._names if known not in streaming]:
            del self._names[message_id], self._sent[message_id]
        return frames + self._poke(fold)

    def catch_up(self, fold: Fold, have: Mapping[str, int]) -> list[Frame]:
        """What one follower needs who has so many code points of each message: all up to now."""
        frames: list[Frame] = []
        for message_id in fold.streaming:
            if message_id not in self._names:
                self._introduce(message_id)
            handle, name = self._names[message_id], self._live_id(message_id)
            offset = max(0, have.get(name, 0))
            text = fold.text_since(message_id, offset)
            if not text and offset:
                # Either nothing is missing, or the tab claims more than there is: then it starts anew.
                offset, text = self._restart(fold, message_id, offset)
            frames.append(Frame("m", (handle, name)))
            if text:
                frames.append(Frame("c", (handle, offset, text)))
        return [*frames, self._poke_frame(fold)]

    def _restart(self, fold: Fold, message_id: str, offset: int) -> tuple[int, str]:
        whole = fold.text_since(message_id, 0)
        return (0, whole) if len(whole) < offset else (offset, "")

    def _introduce(self, message_id: str) -> Frame:
        self._names[message_id] = next(self._handles)
        self._sent[message_id] = 0
        return Frame("m", (self._names[message_id], self._live_id(message_id)))

    def _piece(self, fold: Fold, message_id: str) -> list[Frame]:
        offset = self._sent[message_id]
        text = fold.text_since(message_id, offset)
        if not text:
            return []
        self._sent[message_id] = offset + len(text)
        return [Frame("c", (self._names[message_id], offset, text))]

    def _poke(self, fold: Fold) -> list[Frame]:
        self._frames_since_poke += 1
        if fold.revision == self._revision:
            self.owes_poke = False
            return []
        self.owes_poke = self._frames_since_poke < POKE_FRAMES
        if self.owes_poke:
            return []
        self._revision, self._frames_since_poke = fold.revision, 0
        return [self._poke_frame(fold)]

    def _poke_frame(self, fold: Fold) -> Frame:
        return Frame("r", (self._channel, self._thread_id, fold.revision))

    def _live_id(self, message_id: str) -> str:
        return live_id(self._channel, self._thread_id, message_id)


class Room:
    """The followers of one thread on one channel, and the task that serves them while there are any."""

    def __init__(
        self,
        *,
        name: str,
        kit: AgentKit,
        thread_id: str,
        frames: Frames,
        clock: Clock,
        send: Callable[[Frame, str], Awaitable[None]],
    ) -> None:
        self.name = name
        self.followers: set[str] = set()
        self._kit = kit
        self._thread_id = thread_id
        self._frames = frames
        self._clock = clock
        self._send = send
        self._fold: Fold | None = None
        self._ready = asyncio.Event()
        self._wanted: dict[str, Mapping[str, int]] = {}
        self._task: asyncio.Task[None] | None = None

    def open(self, spawn: Callable[[Any], asyncio.Task[None]]) -> None:
        """Begin to watch, if nothing does yet."""
        if self._task is None:
            self._task = spawn(self._serve())

    async def close(self) -> None:
        """Stop watching."""
        task, self._task = self._task, None
        self._ready.set()
        if task is not None:
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task

    async def catch_up(self, sid: str, have: Mapping[str, int]) -> None:
        """Send one follower what it misses; what comes later overlaps, and the page trims it."""
        busy = sid in self._wanted
        self._wanted[sid] = have
        if busy:
            return  # what is under way ends with what was asked last, so asking on and on costs little
        try:
            await self._ready.wait()
            while self._fold is not None and sid in self.followers:
                have = self._wanted[sid]
                for frame in self._frames.catch_up(self._fold, have):
                    await self._send(frame, sid)
                await self._clock.sleep(FRAME)
                if self._wanted[sid] is have:
                    break
        finally:
            del self._wanted[sid]

    async def _serve(self) -> None:
        while True:
            try:
                await self._watch()
            except Exception:
                log.exception("thread %r cannot be followed at the moment", self._thread_id)
                self._fold = None
                await self._clock.sleep(RETRY)

    async def _watch(self) -> None:
        async with self._kit.watch(self._thread_id) as watched:
            while True:
                if not self._frames.owes_poke:
                    await watched.changed()
                self._fold = watched.fold
                self._ready.set()
                for frame in self._frames.take(watched.fold):
                    await self._send(frame, self.name)
                await self._clock.sleep(FRAME)
