"""Which tab may follow which thread: granted by the state that opened it, never asked of the browser."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from reflex_agentkit.kit import AgentKit

KEPT_GRANTS = 20_000
"""Grants of tabs that are long gone are forgotten beyond this many; a tab that is back is granted again."""


@dataclass(frozen=True, slots=True)
class Grant:
    """One tab may follow one thread of one kit. `channel` names the state class that opened it."""

    token: str
    channel: str
    thread_id: str
    kit: AgentKit


class Grants:
    """The threads that the tabs of this process have open, one a tab and channel."""

    def __init__(self, kept: int = KEPT_GRANTS) -> None:
        self._kept = kept
        self._grants: OrderedDict[tuple[str, str], Grant] = OrderedDict()
        self._listeners: list[Callable[[Grant], None]] = []

    def grant(self, token: str, channel: str, thread_id: str, kit: AgentKit) -> None:
        """Let a tab follow this thread, in place of the one it had open on the channel."""
        key, given = (token, channel), Grant(token, channel, thread_id, kit)
        self._grants[key] = given
        self._grants.move_to_end(key)
        while len(self._grants) > self._kept:
            self._grants.popitem(last=False)
        for listener in list(self._listeners):
            listener(given)

    def revoke(self, token: str, channel: str, kit: AgentKit) -> None:
        """The tab may follow nothing on this channel."""
        self.grant(token, channel, "", kit)

    def find(self, token: str | None, channel: str) -> Grant | None:
        """What a tab may follow on a channel."""
        return self._grants.get((token, channel)) if token else None

    @property
    def heard(self) -> bool:
        """Whether a channel is open in this process."""
        return bool(self._listeners)

    def listen(self, listener: Callable[[Grant], None]) -> Callable[[], None]:
        """Be told of every grant; gives the function that ends it."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)


GRANTS = Grants()
"""The grants of this process: states write them, the channel reads them. A tab's events and its websocket are
served by the same process."""
