"""Messages that came with a pause, and that the graph went past without being given them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ag_ui.core import AssistantMessage, Message
from langchain_core.messages import HumanMessage

from reflex_agentkit.adapters.langgraph.news import Held
from reflex_agentkit.adapters.langgraph.thread import Standing, Thread


async def waiting(thread: Thread, standing: Standing, messages: Sequence[Message]) -> list[Message]:
    """The user messages of a conversation that wait for the end of a pause, in their order.

    Each came after a pause of this thread, and no state of the graph since what was said before it has held
    it. So a graph that drops what it was given, or keeps a summary of it, is not told it again.
    """
    left = _candidates(Held.of(standing.messages), messages)
    if not left:
        return []
    found: set[int] = set()
    ours = {one.id for one in messages}
    async for step in thread.past(standing):
        held = Held.of(step.messages)
        copies = _copies(step.messages, ours)
        last = max((place for place, one in enumerate(messages) if _stands_in(one, held)), default=-1)
        for place, before in list(left.items()):
            one = messages[place]
            given = one.id in held.messages or one.content in copies
            if step.asked and before <= last < place:
                found.add(place)
            if given:
                found.discard(place)
            if given or last < before:
                del left[place]
        if not left:
            break
    return [messages[place] for place in sorted(found)]


def _candidates(held: Held, messages: Sequence[Message]) -> dict[int, int]:
    """The places of user messages that a graph may have gone past, each with how far back it could have come.

    They stand between those that the graph holds, or right before them all: what stands farther in front was
    given and forgotten, what stands behind is news anyway.
    """
    places = [place for place, one in enumerate(messages) if _stands_in(one, held)]
    if not places:
        return {}
    start = places[0]
    while start > 0 and messages[start - 1].role == "user":
        start -= 1
    found: dict[int, int] = {}
    before = start
    for place in range(start, places[-1]):
        if place in places:
            before = place
        elif messages[place].role == "user":
            found[place] = before
    return found


def _copies(messages: Sequence[Any], ours: set[str]) -> list[Any]:
    """What a graph holds of a person's words under ids of its own."""
    return [one.content for one in messages if isinstance(one, HumanMessage) and one.id not in ours]


def _stands_in(message: Message, held: Held) -> bool:
    """Whether a graph holds a message. A result counts for nothing: it may be what ended the pause."""
    if message.role == "tool":
        return False
    if message.id in held.messages:
        return True
    return isinstance(message, AssistantMessage) and any(
        call.id in held.calls for call in message.tool_calls or ()
    )
