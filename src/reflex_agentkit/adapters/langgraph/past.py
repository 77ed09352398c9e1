"""Calls of a thread: those that wait for a result, and whether anybody was asked about them."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any, cast

from ag_ui.core import Message

from reflex_agentkit.adapters.langgraph.asked import Scene, asked
from reflex_agentkit.adapters.langgraph.middleware import ProposedCall
from reflex_agentkit.adapters.langgraph.news import Held, results_of
from reflex_agentkit.adapters.langgraph.thread import Standing, Thread
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text


def proposed_calls(
    held: Sequence[Sequence[Any]], messages: Sequence[Message], schemas: Mapping[str, dict[str, Any]]
) -> list[ProposedCall]:
    """The calls without a result: of the graph and of those below it, then of the conversation."""
    calls: dict[str, tuple[str, dict[str, Any]]] = {}
    for graph in held:
        dangling = Held.of(graph).dangling
        for message in graph:
            for call in getattr(message, "tool_calls", None) or ():
                if str(call["id"]) in dangling:
                    calls[str(call["id"])] = str(call["name"]), cast("dict[str, Any]", call["args"])
    answered = results_of(messages)
    for message in messages:
        for call in getattr(message, "tool_calls", None) or ():
            args = _read(call.function.arguments)
            if args is not None and call.id not in answered and call.id not in calls:
                calls[call.id] = call.function.name, args
    return [
        ProposedCall(id=call_id, name=name, args=args, args_schema=schemas.get(name))
        for call_id, (name, args) in calls.items()
    ]


async def asked_about(thread: Thread, standing: Standing, calls: Collection[str]) -> set[str]:
    """Those of a thread's calls without a result that somebody was asked about since they were proposed.

    A call that lies too far back to tell counts as one.
    """
    found: set[str] = set()
    left = set(calls)
    async for step in thread.past(standing):
        left &= Held.of(step.messages).dangling.keys()
        scene = Scene(proposed=proposed_calls([step.messages], (), {}))
        for one in step.asked:
            found |= {call for it in asked(one, scene) if (call := it.tool_call_id) in left}
        left -= found
        if not left:
            return found
    return found | left


def _read(text: str) -> dict[str, Any] | None:
    try:
        value = json_text.read(text or "{}")
    except InvalidJSONError:
        return None
    return cast("dict[str, Any]", value) if isinstance(value, dict) else None
