"""The history of a run's input: which calls wait, and in which order PydanticAI has to read it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ag_ui.core import AssistantMessage, Message, ToolMessage, UserMessage

from reflex_agentkit.adapters._notice import interruption


@dataclass(frozen=True, slots=True)
class Call:
    """A tool call as the history has it."""

    id: str
    name: str
    args_text: str
    message_id: str


@dataclass(slots=True)
class Calls:
    """The tool calls of a history, by id: those without a result, and all that were ever made."""

    open: dict[str, Call] = field(default_factory=dict[str, Call])
    seen: set[str] = field(default_factory=set[str])

    @classmethod
    def of(cls, messages: Sequence[Message]) -> Calls:
        """Read a history from its start, so that a call id that comes again is the later call."""
        calls = cls()
        for message in messages:
            if isinstance(message, AssistantMessage):
                for call in message.tool_calls or ():
                    calls.seen.add(call.id)
                    calls.open[call.id] = Call(
                        call.id, call.function.name, call.function.arguments, message.id
                    )
            elif isinstance(message, ToolMessage):
                calls.open.pop(message.tool_call_id, None)
        return calls


def last_turn(messages: Sequence[Message]) -> tuple[int, int]:
    """Where the agent's last turn begins and ends; what the person says with the answer comes after it."""
    end = len(messages)
    while end and isinstance(messages[end - 1], UserMessage):
        end -= 1
    start = end
    while start and not isinstance(messages[start - 1], UserMessage):
        start -= 1
    return start, end


def results_last(turn: Sequence[Message]) -> list[Message]:
    """The turn with results behind the calls that wait.

    A result between two messages would part one response of the model in two, and PydanticAI goes on with the
    calls of the last response alone.
    """
    waiting = Calls.of(turn).open
    places = [at for at, message in enumerate(turn) if _makes(message, waiting)]
    if not places:
        return list(turn)
    first, last = places[0], places[-1] + 1
    moved = [message for message in turn[first:last] if isinstance(message, ToolMessage)]
    kept = [message for message in turn[first:last] if not isinstance(message, ToolMessage)]
    return [*turn[:first], *kept, *moved, *turn[last:]]


def _makes(message: Message, calls: Mapping[str, Call]) -> bool:
    return isinstance(message, AssistantMessage) and any(c.id in calls for c in message.tool_calls or ())


def closed(call: Call) -> ToolMessage:
    """The result of a call that nobody answers any more."""
    text = interruption()
    return ToolMessage(id=f"closed-{call.id}", tool_call_id=call.id, content=text, error=text)
