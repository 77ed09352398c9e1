"""A store that waits before and after everything it does, as one on a disk or a network does."""

from __future__ import annotations

import asyncio
import functools
import random
from typing import Any

from reflex_agentkit.store.memory import MemoryStore


class SlowStore:
    """`MemoryStore` with others getting their turn around every call; the seed says how many turns."""

    durable = False
    _WAITING = ("create_thread", "thread", "threads", "commit", "events", "runs", "interrupt", "interrupts")

    def __init__(self, chance: random.Random) -> None:
        self.kept = MemoryStore()
        self.start, self.stop = self.kept.start, self.kept.stop
        self._chance = chance
        self.fails = 0
        for name in self._WAITING:
            setattr(self, name, functools.partial(self._slow, getattr(self.kept, name)))

    async def _slow(self, work: Any, *args: Any, **options: Any) -> Any:
        await turns(self._chance)
        if self.fails and work.__name__ == "commit":
            self.fails -= 1
            raise ConnectionError("the store is away")
        found = await work(*args, **options)
        await turns(self._chance)
        return found


async def turns(chance: random.Random, most: int = 4) -> None:
    """Let others go first, some times."""
    for _ in range(chance.randrange(most)):
        await asyncio.sleep(0)
