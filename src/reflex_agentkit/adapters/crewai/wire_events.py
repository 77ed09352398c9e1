"""CrewAI's events as AG-UI events.

What a model says in a method of the flow is text, reasoning and tool calls. What agents of a crew say among
themselves is not shown, but the tools that they use are. A flow that says nothing says its result.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, cast

from ag_ui.core import (
    BaseEvent,
    EventType,
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
    TokenUsage,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.adapters.crewai.asked import shown
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text


class WireEvents:
    """Turns the events of one run of a flow, in order. `said` tells whether a person was told anything."""

    def __init__(self, flow: Any, new_id: Callable[[str], str]) -> None:
        self.said = False
        self.usage: list[TokenUsage] = []
        self._flow = flow
        self._new_id = new_id
        self._text: tuple[str, str] | None = None
        self._reasoning: str | None = None
        self._message: dict[str, str] = {}
        self._calls: dict[tuple[str, int], tuple[str, str]] = {}
        self._open: list[str] = []
        self._waiting: dict[str, tuple[str, str]] = {}
        self._steps: list[str] = []
        self._used: dict[str, str] = {}

    def admit(self, source: Any, event: Any) -> Iterator[BaseEvent]:
        """The AG-UI events that one event of CrewAI is."""
        turn = _TURNS.get(event.type)
        if turn is not None:
            yield from turn(self, source, event)

    def pass_on(self, event: BaseEvent) -> Iterator[BaseEvent]:
        """An event that the flow told by itself, with what was open ended before it."""
        if event.type in (
            EventType.TEXT_MESSAGE_START,
            EventType.TOOL_CALL_START,
            EventType.TOOL_CALL_RESULT,
        ):
            yield from self.close()
        self.said = self.said or event.type == EventType.TEXT_MESSAGE_CONTENT
        if isinstance(event, ToolCallResultEvent):
            self._waiting.pop(event.tool_call_id, None)
        yield event

    def close(self, *, steps: bool = False) -> Iterator[BaseEvent]:
        """The ends of what is open."""
        if self._text is not None:
            yield TextMessageEndEvent(message_id=self._text[1])
        if self._reasoning is not None:
            yield ReasoningMessageEndEvent(message_id=self._reasoning)
            yield ReasoningEndEvent(message_id=self._reasoning)
        for call_id in self._open:
            yield ToolCallEndEvent(tool_call_id=call_id)
        self._text, self._reasoning, self._open = None, None, []
        for name in reversed(self._steps if steps else ()):
            yield StepFinishedEvent(step_name=name)
        if steps:
            self._steps = []

    def say(self, text: str) -> Iterator[BaseEvent]:
        """A text of its own."""
        yield from self._content(self._new_id("text"), text)
        yield from self.close()

    def _chunk(self, _source: Any, event: Any) -> Iterator[BaseEvent]:
        if event.agent_id is not None:
            return
        call: Any = event.tool_call
        if call is None:
            if event.chunk:
                yield from self._content(event.call_id, event.chunk)
            return
        yield from self._tool_chunk(event.call_id, call, event.chunk)

    def _content(self, llm_call: str, delta: str) -> Iterator[BaseEvent]:
        if self._text is None or self._text[0] != llm_call:
            yield from self.close()
            self._text = llm_call, self._message_of(llm_call)
            yield TextMessageStartEvent(message_id=self._text[1], role="assistant")
        self.said = True
        yield TextMessageContentEvent(message_id=self._text[1], delta=delta)

    def _tool_chunk(self, llm_call: str, call: Any, chunk: str) -> Iterator[BaseEvent]:
        key = llm_call, int(call.index)
        name, written = call.function.name, call.function.arguments or ""
        if key not in self._calls:
            if not call.id or not name:
                return  # told when it is whole
            yield from self.close()
            self._calls[key] = str(call.id), ""
            yield from self._begin(str(call.id), str(name), self._message_of(llm_call))
        call_id, have = self._calls[key]
        # CrewAI tells all arguments so far beside the new piece; some providers tell the new piece alone.
        delta = chunk or (written[len(have) :] if written.startswith(have) else written)
        if delta and call_id in self._open:
            self._calls[key] = call_id, have + delta
            self._waiting[call_id] = self._waiting[call_id][0], have + delta
            yield ToolCallArgsEvent(tool_call_id=call_id, delta=delta)

    def _thinking(self, _source: Any, event: Any) -> Iterator[BaseEvent]:
        if event.agent_id is not None or not event.chunk:
            return
        if self._reasoning is None:
            yield from self.close()
            self._reasoning = self._new_id("reasoning")
            yield ReasoningStartEvent(message_id=self._reasoning)
            yield ReasoningMessageStartEvent(message_id=self._reasoning, role="reasoning")
        yield ReasoningMessageContentEvent(message_id=self._reasoning, delta=event.chunk)

    def _completed(self, _source: Any, event: Any) -> Iterator[BaseEvent]:
        self._count(event)
        if event.agent_id is not None:
            return
        response: Any = event.response
        if isinstance(response, str) and response and event.call_type.value == "llm_call":
            if event.call_id not in self._message:
                yield from self._content(event.call_id, response)
        elif isinstance(response, list):
            for call in cast("list[Any]", response):
                yield from self._whole_call(event.call_id, call)
        yield from self.close()

    def _whole_call(self, llm_call: str, call: Any) -> Iterator[BaseEvent]:
        call_id, name, text = _read_call(call)
        if not call_id or not name or call_id in {known for known, _ in self._calls.values()}:
            return
        self._calls[llm_call, 1000 + len(self._calls)] = call_id, text
        yield from self._begin(call_id, name, self._message_of(llm_call))
        self._waiting[call_id] = name, text
        yield ToolCallArgsEvent(tool_call_id=call_id, delta=text)

    def _begin(self, call_id: str, name: str, message_id: str | None) -> Iterator[BaseEvent]:
        self._open.append(call_id)
        self._waiting[call_id] = name, ""
        yield ToolCallStartEvent(tool_call_id=call_id, tool_call_name=name, parent_message_id=message_id)

    def _tool_started(self, _source: Any, event: Any) -> Iterator[BaseEvent]:
        yield from self.close()
        text = _args_text(event.tool_args)
        for call_id, (name, written) in self._waiting.items():
            if name == event.tool_name and _args_text(written) == text and call_id not in self._used.values():
                self._used[event.event_id] = call_id  # the model's own call, which CrewAI runs now
                return
        call_id = self._used[event.event_id] = f"call-{event.event_id}"
        yield from self._begin(call_id, event.tool_name, None)
        yield ToolCallArgsEvent(tool_call_id=call_id, delta=text)
        yield from self.close()

    def _tool_finished(self, _source: Any, event: Any) -> Iterator[BaseEvent]:
        call_id = self._used.pop(event.started_event_id or "", None)
        if call_id is None:
            return  # a tool that began before this run
        yield from self.close()
        self._waiting.pop(call_id, None)
        error: Any = getattr(event, "error", None)
        output = f"The tool failed: {error}" if error is not None else event.output
        failure: Any = getattr(event, "failure", None)
        told = str(error) if error is not None else str(failure) if failure is not None else None
        yield ToolCallResultEvent(
            message_id=self._new_id("result"),
            tool_call_id=call_id,
            content=output if isinstance(output, str) else json_text.write(shown(output)),
            role="tool",
            metadata={"error": told} if told else None,
        )

    def _method_started(self, source: Any, event: Any) -> Iterator[BaseEvent]:
        if source is self._flow and event.method_name not in self._steps:
            yield from self.close()
            self._steps.append(event.method_name)
            yield StepStartedEvent(step_name=event.method_name)

    def _method_ended(self, source: Any, event: Any) -> Iterator[BaseEvent]:
        if source is self._flow and event.method_name in self._steps:
            yield from self.close()
            self._steps.remove(event.method_name)
            yield StepFinishedEvent(step_name=event.method_name)

    def _count(self, event: Any) -> None:
        usage = cast("Mapping[str, Any]", event.usage or {})

        def number(*names: str) -> int | None:
            return next((usage[name] for name in names if isinstance(usage.get(name), int)), None)

        counts: dict[str, Any] = {
            "input_tokens": number("prompt_tokens", "input_tokens"),
            "output_tokens": number("completion_tokens", "output_tokens"),
            "total_tokens": number("total_tokens"),
            "reasoning_tokens": number("reasoning_tokens"),
            "cached_input_tokens": number("cached_prompt_tokens", "cached_tokens"),
        }
        if any(counts.values()):
            self.usage.append(TokenUsage(model=event.model, **counts))

    def _message_of(self, llm_call: str) -> str:
        """The message of one call of a model: its text and its tool calls stand in one."""
        if llm_call not in self._message:
            self._message[llm_call] = self._new_id("message")
        return self._message[llm_call]


_TURNS: Final[Mapping[str, Callable[[WireEvents, Any, Any], Iterator[BaseEvent]]]] = {
    "llm_stream_chunk": WireEvents._chunk,  # pyright: ignore[reportPrivateUsage]
    "llm_thinking_chunk": WireEvents._thinking,  # pyright: ignore[reportPrivateUsage]
    "llm_call_completed": WireEvents._completed,  # pyright: ignore[reportPrivateUsage]
    "tool_usage_started": WireEvents._tool_started,  # pyright: ignore[reportPrivateUsage]
    "tool_usage_finished": WireEvents._tool_finished,  # pyright: ignore[reportPrivateUsage]
    "tool_usage_error": WireEvents._tool_finished,  # pyright: ignore[reportPrivateUsage]
    "method_execution_started": WireEvents._method_started,  # pyright: ignore[reportPrivateUsage]
    "method_execution_finished": WireEvents._method_ended,  # pyright: ignore[reportPrivateUsage]
    "method_execution_failed": WireEvents._method_ended,  # pyright: ignore[reportPrivateUsage]
    "method_execution_paused": WireEvents._method_ended,  # pyright: ignore[reportPrivateUsage]
}


def _read_call(call: Any) -> tuple[str, str, str]:
    """The id, the name and the arguments of a call in a model's response, in whichever form it has them."""
    function = _part(call, "function") or call
    args: Any = _part(function, "arguments") or _part(function, "input") or "{}"
    text = args if isinstance(args, str) else json_text.write(shown(args))
    call_id = _part(call, "id") or _part(call, "call_id") or ""
    return str(call_id), str(_part(function, "name") or ""), text


def _part(of: Any, name: str) -> Any:
    return cast("dict[str, Any]", of).get(name) if isinstance(of, dict) else getattr(of, name, None)


def _args_text(args: Any) -> str:
    if not isinstance(args, str):
        return json_text.canonical(shown(args))
    try:
        return json_text.canonical(json_text.read(args or "{}"))
    except InvalidJSONError:
        return args
