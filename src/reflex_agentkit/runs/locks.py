"""A lock a thread, made when first asked for and forgotten when nobody holds it."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary


class Locks:
    """Locks by name. Holding one keeps it; a lock that nobody refers to is gone."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def of(self, name: str) -> asyncio.Lock:
        """The lock of this name."""
        found = self._locks.get(name)
        if found is None:
            found = asyncio.Lock()
            self._locks[name] = found
        return found
