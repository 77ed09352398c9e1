"""A channel whose websocket is a list: what each connection was sent."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from types import SimpleNamespace
from typing import Any

import pytest

from reflex_agentkit.live.channel import Live
from reflex_agentkit.live.grants import Grants
from reflex_agentkit.live.room import FRAME


class Wire(Live):
    """The channel with its sending end in memory; `tokens` says which tab a connection belongs to."""

    def __init__(self, tokens: dict[str, str], grants: Grants, clock: Any) -> None:
        manager = SimpleNamespace(
            eio_sid_from_sid=lambda sid, _namespace: f"eio-{sid}",
            sid_from_eio_sid=lambda eio_sid, _namespace: eio_sid.removeprefix("eio-"),
        )
        events = SimpleNamespace(sid_to_token=tokens, namespace="/_event")
        app = SimpleNamespace(sio=SimpleNamespace(manager=manager), event_namespace=events)
        super().__init__(app, grants=grants, clock=clock)
        self.sent: dict[str, list[tuple[str, tuple]]] = defaultdict(list)
        self.rooms_of: dict[str, set[str]] = defaultdict(set)

    async def emit(self, event: str, data: tuple, to: str) -> None:
        receivers = [sid for sid, rooms in self.rooms_of.items() if to in rooms] or [to]
        for sid in receivers:
            self.sent[sid].append((event, data))

    async def enter_room(self, sid: str, room: str) -> None:
        self.rooms_of[sid].add(room)

    async def leave_room(self, sid: str, room: str) -> None:
        self.rooms_of[sid].discard(room)

    async def until(self, sid: str, holds: Any) -> None:
        """Let frames pass until what a connection was sent fulfils the condition."""
        for _ in range(2000):
            if holds(self.sent[sid]):
                return
            self._clock.move(FRAME)
            await asyncio.sleep(0)
        raise AssertionError(f"never came; sent: {self.sent[sid]}")

    def text(self, sid: str) -> dict[str, str]:
        """What the page of a connection has of each message, put together as the page does."""
        names, texts = {}, {}
        for event, data in self.sent[sid]:
            if event == "m":
                names[data[0]] = data[1].rpartition(" ")[2]
            elif event == "c":
                name, offset, text = data
                have = texts.get(names[name], "")
                assert offset <= len(have), "a gap"
                texts[names[name]] = have + text[len(have) - offset :]
        return texts


@pytest.fixture
async def wire(clock):
    opened: list[Wire] = []

    def make(**tokens: str) -> Wire:
        made = Wire(dict(tokens), Grants(), clock)
        opened.append(made)
        return made

    yield make
    for one in opened:
        await one.close()
