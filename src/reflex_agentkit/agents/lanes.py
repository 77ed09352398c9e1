"""One after the other by name, on whichever event loops those who wait are running."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import AsyncGenerator
from concurrent.futures import Future, InvalidStateError
from contextlib import asynccontextmanager, suppress


class Lanes:
    """Holds back all but the first of those with the same name. A lane that nobody is on is forgotten."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._lanes: dict[str, deque[Future[None]]] = {}

    @asynccontextmanager
    async def of(self, name: str) -> AsyncGenerator[None]:
        """Wait for those before; the lane is free again when the block is left, in whatever way."""
        turn: Future[None] = Future()
        with self._guard:
            lane = self._lanes.setdefault(name, deque())
            lane.append(turn)
            if lane[0] is turn:
                turn.set_result(None)
        try:
            await asyncio.wrap_future(turn)
            yield
        finally:
            with self._guard:
                lane.remove(turn)
                if not lane:
                    del self._lanes[name]
                else:
                    # One whose turn has come keeps it; one that gave up at this moment passes it on itself.
                    with suppress(InvalidStateError):
                        lane[0].set_result(None)
