"""What a graph holds of a conversation, and what it still has to be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import AssistantMessage, Message, ToolMessage
from langchain_core.messages import ToolMessage as GraphToolMessage

from reflex_agentkit.protocol.conversation import NO_RESULT

_KNOWN_TO_GRAPHS = ("user", "assistant", "tool", "system")


@dataclass(frozen=True, slots=True)
class Held:
    """What a graph's messages hold, by id."""

    messages: frozenset[str]
    calls: frozenset[str]
    dangling: Mapping[str, str]
    """The names of the calls without a result, by call id, in their order."""
    passed: frozenset[str]
    """Those of them behind which something else than a result stands: no result can be added at the end."""

    @classmethod
    def of(cls, messages: Sequence[Any]) -> Held:
        """Read LangChain messages."""
        calls: set[str] = set()
        dangling: dict[str, str] = {}
        passed: set[str] = set()
        for one in messages:
            if isinstance(one, GraphToolMessage):
                dangling.pop(one.tool_call_id, None)
                continue
            passed |= dangling.keys()
            for call in getattr(one, "tool_calls", None) or ():
                call_id = str(call["id"])
                # The id of an older call, used again: from here on it names this one.
                dangling.pop(call_id, None)
                passed.discard(call_id)
                dangling[call_id] = str(call["name"])
                calls.add(call_id)
        return cls(
            messages=frozenset(one.id for one in messages if getattr(one, "id", None)),
            calls=frozenset(calls),
            dangling=dangling,
            passed=frozenset(passed & dangling.keys()),
        )


def results_of(messages: Sequence[Message]) -> dict[str, ToolMessage]:
    """The results that a conversation holds, each of the latest call of its id."""
    found: dict[str, ToolMessage] = {}
    for one in messages:
        if isinstance(one, AssistantMessage):
            for call in one.tool_calls or ():
                found.pop(call.id, None)
        elif isinstance(one, ToolMessage):
            found[one.tool_call_id] = one
    return found


def stored_results(messages: Sequence[Any]) -> dict[str, GraphToolMessage]:
    """The results that a graph holds, each of the latest call of its id."""
    found: dict[str, GraphToolMessage] = {}
    for one in messages:
        for call in getattr(one, "tool_calls", None) or ():
            found.pop(str(call["id"]), None)
        if isinstance(one, GraphToolMessage):
            found[one.tool_call_id] = one
    return found


def words_for(messages: Sequence[Message], held: Held) -> list[Message]:
    """What was said that a graph has to be given: all where it holds nothing, else what came since.

    That is what the person said after the last thing that it holds. A graph that forgot older messages (a
    summary, say) is not told them again.
    """
    usable = [one for one in messages if one.role in _KNOWN_TO_GRAPHS]
    if not held.messages and not held.calls:
        return usable
    last = max((place for place, one in enumerate(usable) if _is_held(one, held)), default=None)
    if last is None:
        last = max((place for place, one in enumerate(usable) if one.role != "user"), default=-1)
    return [one for one in usable[last + 1 :] if one.role == "user"]


def mended(messages: Sequence[Any], results: Mapping[str, GraphToolMessage]) -> list[Any]:
    """A graph's messages with results put behind calls that the conversation has gone past."""
    whole: list[Any] = []
    waiting: list[str] = []
    for one in messages:
        if isinstance(one, GraphToolMessage):
            waiting = [call_id for call_id in waiting if call_id != one.tool_call_id]
        else:
            whole.extend(results[call_id] for call_id in waiting if call_id in results)
            waiting = [str(call["id"]) for call in getattr(one, "tool_calls", None) or ()]
        whole.append(one)
    return whole


def stands_in(result: ToolMessage) -> bool:
    """Whether a result was only put in where a run left none: then nobody knows what became of its call."""
    return result.content == NO_RESULT


def _is_held(message: Message, held: Held) -> bool:
    if message.id in held.messages:
        return True
    if isinstance(message, ToolMessage):
        return message.tool_call_id in held.calls
    return isinstance(message, AssistantMessage) and any(
        call.id in held.calls for call in message.tool_calls or ()
    )
