"""A clock that a test moves and ids that a test can read."""

from __future__ import annotations

import asyncio
from collections import Counter
from datetime import UTC, datetime, timedelta


class FakeClock:
    """Stands still until `move` is called; sleepers wake when their time has come."""

    def __init__(self, start: datetime = datetime(2030, 1, 1, 10, 0, tzinfo=UTC)) -> None:
        self._now = start
        self._moved = asyncio.Event()

    def now(self) -> datetime:
        return self._now

    async def sleep(self, seconds: float) -> None:
        until = self._now + timedelta(seconds=seconds)
        while self._now < until:
            await self._moved.wait()

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self._now += timedelta(seconds=seconds)
        self._moved.set()
        self._moved = asyncio.Event()


class CountingIds:
    """`run-1`, `run-2`, `int-1`, ..."""

    def __init__(self) -> None:
        self._made: Counter[str] = Counter()

    def new(self, kind: str) -> str:
        self._made[kind] += 1
        return f"{kind}-{self._made[kind]}"
