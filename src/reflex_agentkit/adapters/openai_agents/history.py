"""The conversation of a run's input: as the SDK takes it, and where it stands still."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ag_ui.core import (
    AssistantMessage,
    DeveloperMessage,
    Message,
    ReasoningMessage,
    SystemMessage,
    ToolMessage,
    UserMessage,
)

from reflex_agentkit.adapters._notice import interruption
from reflex_agentkit.adapters.openai_agents.content import Content, given
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call as the conversation has it; `record` is what an agent tool left for going on."""

    id: str
    name: str
    args_text: str
    message_id: str
    record: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Past:
    """A conversation, taken apart where it stands still.

    `before` is all that is settled, `turn` the calls that stand side by side in the model's last response,
    `results` what they gave already, and `said` what the person says with the answers.
    """

    before: Sequence[Message]
    turn: Sequence[Call] = ()
    results: Mapping[str, Content] = field(default_factory=dict[str, Content])
    said: Sequence[UserMessage] = ()

    @property
    def open(self) -> dict[str, Call]:
        """The calls without a result, by id."""
        return {call.id: call for call in self.turn if call.id not in self.results}


def own(messages: Iterable[Message]) -> list[Message]:
    """The messages without those of sub-agents, whose words are their own business."""
    return [message for message in messages if getattr(message, "subagent_run_id", None) is None]


def past_of(messages: Sequence[Message]) -> Past:
    """Take a conversation apart at the first call of the agent's last turn that has no result."""
    end = len(messages)
    while end and isinstance(messages[end - 1], UserMessage):
        end -= 1
    turn = end
    while turn and not isinstance(messages[turn - 1], UserMessage):
        turn -= 1
    waiting = [at for at, _ in unanswered(messages[:end]) if at >= turn]
    if not waiting:
        return Past(before=closed(messages))
    start = waiting[0]
    calls = {call.id: call for message in messages[start:end] for call in calls_of(message)}
    results: dict[str, Content] = {}
    rest: list[Message] = []
    for message in messages[start:end]:
        if isinstance(message, ToolMessage) and message.tool_call_id in calls:
            results[message.tool_call_id] = message.content
        elif isinstance(message, AssistantMessage):
            rest.append(message.model_copy(update={"tool_calls": None}))
        else:
            rest.append(message)
    said = [message for message in messages[end:] if isinstance(message, UserMessage)]
    before = [*closed(messages[:start]), *rest]
    return Past(before=before, turn=list(calls.values()), results=results, said=said)


def closed(messages: Sequence[Message]) -> list[Message]:
    """The conversation with a result for every call: what nobody answers any more is told as such."""
    made: list[Message] = []
    missing = unanswered(messages)
    for at, message in enumerate(messages):
        made.append(message)
        made.extend(
            ToolMessage(id=f"closed-{call.id}", tool_call_id=call.id, content=interruption())
            for place, call in missing
            if place == at
        )
    return made


def unanswered(messages: Sequence[Message]) -> list[tuple[int, Call]]:
    """The calls without a result and the places of their messages, in order.

    A conversation is read from its start, since some models use the ids of their calls again.
    """
    open_calls: dict[str, tuple[int, Call]] = {}
    missing: list[tuple[int, Call]] = []
    for at, message in enumerate(messages):
        for call in calls_of(message):
            if call.id in open_calls:
                missing.append(open_calls[call.id])
            open_calls[call.id] = (at, call)
        if isinstance(message, ToolMessage):
            open_calls.pop(message.tool_call_id, None)
    return sorted([*missing, *open_calls.values()], key=lambda one: one[0])


def calls_of(message: Message) -> list[Call]:
    """The tool calls that a message makes."""
    if not isinstance(message, AssistantMessage):
        return []
    return [
        Call(
            id=call.id,
            name=call.function.name,
            args_text=call.function.arguments.strip() or "{}",
            message_id=message.id,
            record=call.encrypted_value,
        )
        for call in message.tool_calls or ()
    ]


def items_of(messages: Iterable[Message]) -> list[dict[str, Any]]:
    """A conversation as the SDK's input items."""
    return [item for message in messages for item in _items(message)]


def _items(message: Message) -> list[dict[str, Any]]:
    match message:
        case UserMessage():
            return [{"role": "user", "content": given(message.content)}]
        case SystemMessage() | DeveloperMessage():
            return [{"role": message.role, "content": message.content}]
        case AssistantMessage():
            text = [{"role": "assistant", "content": message.content}] if message.content else []
            calls = [
                {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.args_text}
                for call in calls_of(message)
            ]
            return [*text, *calls]
        case ToolMessage():
            output = given(message.content)
            return [{"type": "function_call_output", "call_id": message.tool_call_id, "output": output}]
        case ReasoningMessage():
            return _reasoning(message.encrypted_value)
        case _:
            return []


def _reasoning(kept: str | None) -> list[dict[str, Any]]:
    """A thought goes back to the model only as the provider sealed it; its words alone are not accepted."""
    try:
        item: Any = json_text.read(kept) if kept else None
    except InvalidJSONError:
        return []
    thought = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
    return [thought] if thought.get("type") == "reasoning" else []
