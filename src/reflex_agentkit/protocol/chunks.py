"""The short spelling of a stream, spelled out: chunk events become start, content and end.

A chunk stream has no end of its own; it is closed when something shows that it cannot go on. One can be open
in each lane: the agent's own, and one for each sub-agent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, Literal, NoReturn

from ag_ui.core import (
    BaseEvent,
    EventType,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)

ChunkKind = Literal["message", "tool call", "reasoning message"]

CHUNKS: Final = frozenset(
    {EventType.TEXT_MESSAGE_CHUNK, EventType.TOOL_CALL_CHUNK, EventType.REASONING_MESSAGE_CHUNK}
)


@dataclass(slots=True)
class _Open:
    """A chunk stream that goes on. `fixed` is what its first chunk settled, so that a later one can agree."""

    kind: ChunkKind
    id: str
    owner: str | None
    fixed: dict[str, str | None]


class ChunkLanes:
    """The chunk streams that are open, by lane. `fail` raises with the place of the event that is read."""

    def __init__(self, fail: Callable[[str], NoReturn]) -> None:
        self._fail = fail
        self._lanes: dict[str | None, _Open] = {}

    def __bool__(self) -> bool:
        return bool(self._lanes)

    def expand(self, event: BaseEvent) -> list[BaseEvent]:
        """What a chunk event stands for, with the end of whatever it closes."""
        match event:
            case TextMessageChunkEvent():
                fixed = {"role": event.role, "name": event.name}
                return self._expand("message", event.message_id, event, fixed)
            case ReasoningMessageChunkEvent():
                return self._expand("reasoning message", event.message_id, event, {})
            case ToolCallChunkEvent():
                fixed = {"tool_call_name": event.tool_call_name, "parent_message_id": event.parent_message_id}
                return self._expand("tool call", event.tool_call_id, event, fixed)
            case _:
                return [event]

    def close(self, owner: str | None) -> list[BaseEvent]:
        """End the chunk stream of one lane."""
        found = self._lanes.pop(owner, None)
        return [_end(found)] if found else []

    def close_all(self) -> list[BaseEvent]:
        """End every chunk stream."""
        ends = [_end(found) for found in self._lanes.values()]
        self._lanes.clear()
        return ends

    def _expand(
        self, kind: ChunkKind, item: str | None, event: Any, fixed: dict[str, str | None]
    ) -> list[BaseEvent]:
        going = self._going(kind, item, event.subagent_run_id)
        if going is not None:
            self._agree(going, fixed, event)
            bare = event.delta is None and event.metadata is None
            return [] if bare else [_content(going, event.delta or "", event)]
        if not item:
            self._fail(f"the first chunk of a {kind} carries no id, and no chunk of one is open")
        if kind == "tool call" and not fixed["tool_call_name"]:
            self._fail(f"the first chunk of the tool call {item!r} carries no toolCallName")
        opened = _Open(kind, item, event.subagent_run_id, fixed)
        events = [*self.close(opened.owner), _start(opened, event)]
        if event.delta is not None:
            # The start has taken the metadata.
            events.append(_content(opened, event.delta, None))
        self._lanes[opened.owner] = opened
        return events

    def _going(self, kind: ChunkKind, item: str | None, owner: str | None) -> _Open | None:
        """The chunk stream that a chunk goes on with; `None` where it opens one."""
        same = [found for found in self._lanes.values() if found.kind == kind]
        if item:
            return next((found for found in same if found.id == item), None)
        if owner is not None or not same:
            return next((found for found in same if found.owner == owner), None)
        own = [found for found in same if found.owner is None]
        if not own and len(same) > 1:
            self._fail(
                f"a chunk says neither which {kind} nor which sub-agent it goes on with; several are open"
            )
        return (own or same)[0]

    def _agree(self, going: _Open, fixed: dict[str, str | None], event: Any) -> None:
        for name, value in fixed.items():
            settled = going.fixed[name] or ("assistant" if name == "role" else None)
            if value is not None and value != settled:
                self._fail(
                    f"a chunk of the {going.kind} {going.id!r} changes {name} from {settled!r} to {value!r}"
                )
        if event.subagent_run_id is not None and event.subagent_run_id != going.owner:
            self._fail(f"a chunk of the {going.kind} {going.id!r} names another sub-agent than its first")


def _common(opened: _Open, event: Any) -> dict[str, Any]:
    common: dict[str, Any] = {"subagent_run_id": opened.owner} if opened.owner is not None else {}
    if event is not None:
        for name in ("metadata", "raw_event"):
            if (value := getattr(event, name)) is not None:
                common[name] = value
    return common


def _start(opened: _Open, event: Any) -> BaseEvent:
    common = _common(opened, event)
    match opened.kind:
        case "message":
            return TextMessageStartEvent(
                message_id=opened.id, role=event.role or "assistant", name=event.name, **common
            )
        case "reasoning message":
            return ReasoningMessageStartEvent(message_id=opened.id, role="reasoning", **common)
        case "tool call":
            return ToolCallStartEvent(
                tool_call_id=opened.id,
                tool_call_name=event.tool_call_name,
                parent_message_id=event.parent_message_id,
                **common,
            )


def _content(opened: _Open, delta: str, event: Any) -> BaseEvent:
    common = _common(opened, event)
    match opened.kind:
        case "message":
            return TextMessageContentEvent(message_id=opened.id, delta=delta, **common)
        case "reasoning message":
            return ReasoningMessageContentEvent(message_id=opened.id, delta=delta, **common)
        case "tool call":
            return ToolCallArgsEvent(tool_call_id=opened.id, delta=delta, **common)


def _end(opened: _Open) -> BaseEvent:
    common = _common(opened, None)
    match opened.kind:
        case "message":
            return TextMessageEndEvent(message_id=opened.id, **common)
        case "reasoning message":
            return ReasoningMessageEndEvent(message_id=opened.id, **common)
        case "tool call":
            return ToolCallEndEvent(tool_call_id=opened.id, **common)
