"""From what the app named to a store."""

from __future__ import annotations

import logging

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.store.base import Store
from reflex_agentkit.store.memory import MemoryStore

log = logging.getLogger("reflex_agentkit")


def open_store(named: Store | str | None) -> Store:
    """The store behind `AgentKit(store=...)`: a store object as it is, `None` or `"memory:"` for memory.

    Raises:
        ConfigurationError: a text that names no store.
    """
    if named is None:
        log.warning(
            "reflex_agentkit: conversations and open requests are kept in memory; a restart loses them."
        )
        return MemoryStore()
    if isinstance(named, str):
        if named == "memory:":
            return MemoryStore()
        raise ConfigurationError(
            f"store={named!r} names no store that this version has; leave it out or give 'memory:' or a Store"
        )
    return named
