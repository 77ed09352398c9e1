"""The SDK's stream of one agent's run as AG-UI events: text, reasoning, tool calls, results, handoffs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from ag_ui.core import (
    BaseEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from agents import AgentUpdatedStreamEvent, RawResponsesStreamEvent, RunItemStreamEvent
from agents.stream_events import StreamEvent

from reflex_agentkit.adapters.openai_agents.content import shown
from reflex_agentkit.protocol import json_text

NewId = Callable[[], str]
"""Gives an id that nothing else in the thread has."""

_TEXT = ("response.output_text.delta", "response.refusal.delta")
_THOUGHT = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_NEXT_THOUGHT = ("response.reasoning_summary_part.added",)
_RESULTS = ("tool_output", "handoff_occured")


def plain(raw: Any) -> dict[str, Any]:
    """An item of the SDK as JSON, in whichever of its two forms it comes."""
    if isinstance(raw, dict):
        return cast("dict[str, Any]", raw)
    return raw.model_dump(mode="json", exclude_none=True)


@dataclass(slots=True)
class _Item:
    """One item of the response that is being written: a message, a thought or a call."""

    kind: str
    id: str
    written: bool = False
    parts: int = 0


class Mapper:
    """Maps the events of one run in order; `owner` is the id of the sub-agent whose run it is.

    Items are told apart by their place in the response: not every model gives them ids of their own.
    """

    def __init__(self, new_id: NewId, *, owner: str | None, failed: Mapping[str, str]) -> None:
        self.calls: set[str] = set()
        """The calls of function tools that were told whole."""
        self._new_id = new_id
        self._common: dict[str, Any] = {"subagent_run_id": owner} if owner is not None else {}
        self._failed = failed
        self._steps = owner is None
        self._step = ""
        self._items: dict[int, _Item] = {}
        self._told: set[int] = set()
        self._parent = ""
        self._spoken = False

    def events(self, event: StreamEvent) -> Iterator[BaseEvent]:
        """What one event of the SDK is in AG-UI."""
        match event:
            case RawResponsesStreamEvent(data=data):
                yield from self._raw(data)
            case RunItemStreamEvent(name=name, item=item) if name in _RESULTS:
                yield from self._result(item.raw_item)
            case AgentUpdatedStreamEvent(new_agent=agent) if self._steps:
                yield from self.end()
                self._step = agent.name
                yield StepStartedEvent(step_name=agent.name)
            case _:
                pass

    def end(self) -> Iterator[BaseEvent]:
        """The end of the step that is open."""
        if self._step:
            yield StepFinishedEvent(step_name=self._step)
            self._step = ""

    def result(self, call_id: str, content: Any) -> ToolCallResultEvent:
        """The result of a call; `content` as the SDK sends it to the model."""
        error = self._failed.get(call_id)
        return ToolCallResultEvent(
            message_id=self._new_id(),
            tool_call_id=call_id,
            content=shown(content),
            role="tool",
            metadata={"error": error} if error is not None else None,
            **self._common,
        )

    def _result(self, raw: Any) -> Iterator[BaseEvent]:
        output = plain(raw)
        call_id = output.get("call_id")
        if output.get("type") == "function_call_output" and isinstance(call_id, str):
            yield self.result(call_id, output.get("output"))

    def _raw(self, data: Any) -> Iterator[BaseEvent]:
        kind: str = data.type
        if kind == "response.created":
            self._begin()
        elif kind == "response.output_item.added":
            yield from self._open(data.output_index, data.item)
        elif kind in _TEXT or kind in _THOUGHT:
            yield from self._write(data.output_index, data.delta)
        elif kind in _NEXT_THOUGHT:
            yield from self._next_part(data.output_index)
        elif kind == "response.function_call_arguments.delta":
            yield from self._write_args(data.output_index, data.delta)
        elif kind == "response.output_item.done":
            yield from self._close(data.output_index, data.item)
        elif kind in ("response.completed", "response.incomplete"):
            # What was not told piece by piece is told whole.
            for place, item in enumerate(data.response.output):
                yield from self._close(place, item)
            self._begin()

    def _begin(self) -> None:
        self._items.clear()
        self._told.clear()
        self._parent, self._spoken = "", False

    def _open(self, place: int, item: Any) -> Iterator[BaseEvent]:
        if item.type == "message":
            # The first text of a response is the message that its calls belong to.
            message_id = self._new_id() if self._spoken else self._message()
            self._spoken = True
            self._items[place] = _Item("message", message_id)
            yield TextMessageStartEvent(message_id=message_id, role="assistant", **self._common)
        elif item.type == "reasoning":
            self._items[place] = _Item("reasoning", self._new_id())
            yield ReasoningStartEvent(message_id=self._items[place].id, **self._common)
        elif item.type == "function_call":
            self._items[place] = _Item("call", item.call_id)
            yield ToolCallStartEvent(
                tool_call_id=item.call_id,
                tool_call_name=item.name,
                parent_message_id=self._message(),
                **self._common,
            )

    def _write(self, place: int, delta: str) -> Iterator[BaseEvent]:
        item = self._items.get(place)
        if item is None or not delta:
            return
        if item.kind == "message":
            item.written = True
            yield TextMessageContentEvent(message_id=item.id, delta=delta, **self._common)
        elif item.kind == "reasoning":
            if not item.written:
                item.written = True
                yield ReasoningMessageStartEvent(message_id=item.id, role="reasoning", **self._common)
            yield ReasoningMessageContentEvent(message_id=item.id, delta=delta, **self._common)

    def _next_part(self, place: int) -> Iterator[BaseEvent]:
        item = self._items.get(place)
        if item is not None and item.written:
            yield from self._write(place, "\n\n")

    def _write_args(self, place: int, delta: str) -> Iterator[BaseEvent]:
        item = self._items.get(place)
        if item is not None and delta:
            item.written = True
            yield ToolCallArgsEvent(tool_call_id=item.id, delta=delta, **self._common)

    def _close(self, place: int, given: Any) -> Iterator[BaseEvent]:
        if place in self._told:
            return
        if place not in self._items:
            yield from self._open(place, given)
        item = self._items.pop(place, None)
        if item is None:
            return
        self._told.add(place)
        self._items[place] = item
        if not item.written:
            yield from self._whole(place, given)
        del self._items[place]
        if item.kind == "message":
            yield TextMessageEndEvent(message_id=item.id, **self._common)
        elif item.kind == "call":
            self.calls.add(item.id)
            yield ToolCallEndEvent(tool_call_id=item.id, **self._common)
        else:
            yield from self._close_thought(item, given)

    def _whole(self, place: int, given: Any) -> Iterator[BaseEvent]:
        if given.type == "function_call":
            yield from self._write_args(place, given.arguments)
        elif given.type == "message":
            for part in given.content:
                yield from self._write(place, getattr(part, "text", "") or getattr(part, "refusal", ""))
        else:
            for part in [*given.summary, *(given.content or ())]:
                yield from self._next_part(place)
                yield from self._write(place, part.text)

    def _close_thought(self, item: _Item, given: Any) -> Iterator[BaseEvent]:
        if item.written:
            yield ReasoningMessageEndEvent(message_id=item.id, **self._common)
        if given.encrypted_content:
            # The model must get its sealed thought back with the calls that came of it.
            kept = {"id", "type", "summary", "encrypted_content"}
            sealed = given.model_dump(mode="json", exclude_none=True, include=kept)
            yield ReasoningEncryptedValueEvent(
                subtype="message",
                entity_id=item.id,
                encrypted_value=json_text.write(sealed),
                **self._common,
            )
        yield ReasoningEndEvent(message_id=item.id, **self._common)

    def _message(self) -> str:
        self._parent = self._parent or self._new_id()
        return self._parent
