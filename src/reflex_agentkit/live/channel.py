"""The live channel: a socket.io namespace beside Reflex's own, on the same websocket.

A tab says `sub {k: channel, th: thread id, have: {live id: code points}}` and is answered `True` when it
follows, `False` when its state has not opened that thread (yet): then it follows as soon as the state has.
`unsub {k}` ends it. What is sent back is described in `live.room.Frames`.
"""

# python-socketio says nothing about its types.
# pyright: reportMissingTypeStubs=false, reportUnknownMemberType=false

from __future__ import annotations

import asyncio
import contextvars
import itertools
import logging
from collections.abc import Coroutine
from dataclasses import dataclass, field
from typing import Any, cast

import socketio

from reflex_agentkit.clock import Clock, SystemClock
from reflex_agentkit.live.grants import GRANTS, Grant, Grants
from reflex_agentkit.live.room import Frame, Frames, Room

log = logging.getLogger("reflex_agentkit.live")

NAMESPACE = "/agentkit"

_HEARD = ("sub", "unsub")
_CONNECTION = ("connect", "disconnect")

MAX_CHANNELS = 16
"""Channels that one page may follow at once."""

MAX_NAME = 400
"""Characters of a channel's or a thread's name; a live id may have three times as many."""

MAX_MESSAGES = 200
"""Messages whose offsets one page may name."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What a page asked to follow, read from what it sent."""

    channel: str
    thread_id: str
    have: dict[str, int]


@dataclass(slots=True)
class _Tab:
    wishes: dict[str, Wish] = field(default_factory=dict[str, Wish])
    rooms: dict[str, Room] = field(default_factory=dict[str, Room])


def read_wish(data: object) -> Wish | None:
    """A `sub` as it must be, or `None`: whatever a browser sends may come here."""
    if not isinstance(data, dict):
        return None
    given = cast("dict[object, object]", data)
    channel, thread_id, have = given.get("k"), given.get("th"), given.get("have", {})
    if not (isinstance(channel, str) and isinstance(thread_id, str) and isinstance(have, dict)):
        return None
    if not (0 < len(channel) <= MAX_NAME and 0 < len(thread_id) <= MAX_NAME):
        return None
    offsets = cast("dict[object, object]", have)
    if len(offsets) > MAX_MESSAGES:
        return None
    read = {
        name: offset
        for name, offset in offsets.items()
        if isinstance(name, str)
        and len(name) <= 3 * MAX_NAME
        and isinstance(offset, int)
        and not isinstance(offset, bool)
        and offset >= 0
    }
    return Wish(channel, thread_id, read)


class Live(socketio.AsyncNamespace):
    """The channel of one process. `app` is the Reflex app whose websocket it shares."""

    def __init__(self, app: Any, *, grants: Grants = GRANTS, clock: Clock | None = None) -> None:
        super().__init__(NAMESPACE)
        self._app = app
        self._grants = grants
        self._clock = clock or SystemClock()
        self._handles = itertools.count(1)
        self._tabs: dict[str, _Tab] = {}
        self._rooms: dict[str, Room] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._unlisten = grants.listen(self._granted)

    def token_of(self, sid: str) -> str | None:
        """The Reflex token of the tab behind a connection: both namespaces share the tab's websocket."""
        sio, events = self._app.sio, self._app.event_namespace
        eio_sid = sio.manager.eio_sid_from_sid(sid, self.namespace)
        reflex_sid = sio.manager.sid_from_eio_sid(eio_sid, events.namespace) if eio_sid else None
        return events.sid_to_token.get(reflex_sid) if reflex_sid else None

    async def on_connect(self, sid: str, *_environ_and_auth: Any) -> None:
        """A page is there; it follows nothing yet. A page may also send an event of this name."""
        self._tabs.setdefault(sid, _Tab())

    async def on_disconnect(self, sid: str, *_reason: Any) -> None:
        """A page is gone; the last follower of a thread takes the watch with it."""
        tab = self._tabs.pop(sid, None)
        if tab is not None:
            for empty in [self._leave(sid, tab, channel) for channel in list(tab.rooms)]:
                await _close(empty)

    async def trigger_event(self, event: object, *args: Any) -> Any:
        """Only what a page has to say is heard, whatever it sends beside it."""
        if event in _HEARD:
            return await super().trigger_event(cast("str", event), *args[:2])
        if event in _CONNECTION:
            return await super().trigger_event(cast("str", event), *args)
        return None

    async def on_sub(self, sid: str, data: Any = None) -> bool:
        """Follow a thread, or wait until the tab's state has opened it."""
        wish, tab = read_wish(data), self._tabs.get(sid)
        if wish is None or tab is None:
            return False
        if wish.channel not in tab.wishes and len(tab.wishes) >= MAX_CHANNELS:
            return False
        tab.wishes[wish.channel] = wish
        grant = self._grants.find(self.token_of(sid), wish.channel)
        if grant is None or grant.thread_id != wish.thread_id:
            await self._turn(sid, tab, wish.channel, None)
            return False
        await self._follow(sid, tab, wish, grant)
        return True

    async def on_unsub(self, sid: str, data: Any = None) -> None:
        """Follow nothing on a channel any more."""
        channel = cast("dict[object, object]", data).get("k") if isinstance(data, dict) else None
        tab = self._tabs.get(sid)
        if tab is not None and isinstance(channel, str):
            tab.wishes.pop(channel, None)
            await self._turn(sid, tab, channel, None)

    async def close(self) -> None:
        """End every watch, at the end of the process."""
        self._unlisten()
        for room in list(self._rooms.values()):
            await room.close()
        self._rooms.clear()
        for task in list(self._tasks):
            task.cancel()

    def _granted(self, grant: Grant) -> None:
        """A state opened a thread: what its tab waits for begins, what it followed before ends."""
        for sid, tab in self._tabs.items():
            wish = tab.wishes.get(grant.channel)
            if wish is not None and self.token_of(sid) == grant.token:
                self._spawn(self._settle(sid, wish.channel))

    async def _settle(self, sid: str, channel: str) -> None:
        tab = self._tabs.get(sid)
        wish = tab.wishes.get(channel) if tab else None
        grant = self._grants.find(self.token_of(sid), channel)
        if tab is None or wish is None or grant is None:
            return
        if grant.thread_id != wish.thread_id:
            await self._turn(sid, tab, channel, None)
        elif channel not in tab.rooms:
            await self._follow(sid, tab, wish, grant)

    async def _follow(self, sid: str, tab: _Tab, wish: Wish, grant: Grant) -> None:
        room = self._room(grant)
        await self._turn(sid, tab, wish.channel, room)
        room.open(self._spawn)
        # The websocket's own loop waits for this handler, so what takes longer is done beside it.
        self._spawn(room.catch_up(sid, wish.have))

    async def _turn(self, sid: str, tab: _Tab, channel: str, room: Room | None) -> None:
        """Let a tab follow this room on a channel and no other; `None` for none.

        Who follows what is noted before anything is waited for, so two turns at once leave nobody behind.
        """
        before = tab.rooms.get(channel)
        if before is room:
            return
        empty = self._leave(sid, tab, channel)
        if room is not None:
            tab.rooms[channel] = room
            room.followers.add(sid)
        if before is not None:
            await self.leave_room(sid, before.name)
        if room is not None:
            await self.enter_room(sid, room.name)
        await _close(empty)

    def _room(self, grant: Grant) -> Room:
        name = f"{id(grant.kit)} {grant.channel} {grant.thread_id}"
        found = self._rooms.get(name)
        if found is None:
            frames = Frames(grant.channel, grant.thread_id, self._handles)
            found = self._rooms[name] = Room(
                name=name,
                kit=grant.kit,
                thread_id=grant.thread_id,
                frames=frames,
                clock=self._clock,
                send=self._send,
            )
        return found

    def _leave(self, sid: str, tab: _Tab, channel: str) -> Room | None:
        """Follow a channel's room no more; gives the room if nobody follows it now, to be closed."""
        room = tab.rooms.pop(channel, None)
        if room is None:
            return None
        room.followers.discard(sid)
        if room.followers or self._rooms.get(room.name) is not room:
            return None
        del self._rooms[room.name]
        return room

    async def _send(self, frame: Frame, to: str) -> None:
        await self.emit(frame.event, frame.data, to=to)

    def _spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        # In a context of its own: a task must not act in the name of the tab whose event started it.
        task = asyncio.create_task(work, context=contextvars.Context())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return task


async def _close(room: Room | None) -> None:
    if room is not None:
        await room.close()
