"""What of a conversation a graph has not been told yet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import AssistantMessage, Message, ToolMessage

_KNOWN_TO_GRAPHS = ("user", "assistant", "tool", "system")


@dataclass(frozen=True, slots=True)
class Held:
    """The ids of what a graph's messages hold."""

    messages: frozenset[str]
    calls: frozenset[str]
    dangling: frozenset[str]
    """Calls without a result."""

    @classmethod
    def of(cls, messages: Sequence[Any]) -> Held:
        """Read LangChain messages."""
        calls: set[str] = set()
        dangling: set[str] = set()
        for one in messages:
            made = {str(call["id"]) for call in getattr(one, "tool_calls", None) or ()}
            calls |= made
            dangling |= made
            dangling.discard(str(getattr(one, "tool_call_id", "")))
        return cls(
            messages=frozenset(one.id for one in messages if getattr(one, "id", None)),
            calls=frozenset(calls),
            dangling=frozenset(dangling),
        )


def news_for(messages: Sequence[Message], held: Held) -> list[Message]:
    """The messages that a graph has to be given: all where it holds none, else what came since.

    Those are results of its open calls, and what the person said after the last thing that it holds. A graph
    that forgot older messages (a summary, say) is not told them again.
    """
    usable = [one for one in messages if one.role in _KNOWN_TO_GRAPHS]
    if not held.messages and not held.calls:
        return usable
    last = max((place for place, one in enumerate(usable) if _is_held(one, held)), default=None)
    if last is None:
        last = max((place for place, one in enumerate(usable) if one.role != "user"), default=-1)
    results = [one for one in usable if isinstance(one, ToolMessage) and one.tool_call_id in held.dangling]
    return [*results, *(one for one in usable[last + 1 :] if one.role == "user")]


def _is_held(message: Message, held: Held) -> bool:
    if message.id in held.messages:
        return True
    if isinstance(message, ToolMessage):
        return message.tool_call_id in held.calls
    return isinstance(message, AssistantMessage) and any(
        call.id in held.calls for call in message.tool_calls or ()
    )
