"""What the receiver of a run holds already: from the run's input, and from what the run has said.

A messages snapshot is whole or it is none: AG-UI knows no partial one. It is left out where it would tell
nothing.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, Final

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Message,
    ReasoningMessage,
    RunAgentInput,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)

from reflex_agentkit.adapters.langgraph.news import stands_in
from reflex_agentkit.adapters.langgraph.values import normal
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

SHORT: Final = 50
"""Messages up to which a pause is always shown with a snapshot of all of them."""


class Baseline:
    """The messages, calls and results that the receiver has.

    `dangling` are the calls without a result in the graph: what only stands in for one is no result, and what
    a gate noted of one was told to nobody.
    """

    def __init__(self, run_input: RunAgentInput, dangling: Collection[str] = ()) -> None:
        self.texts: dict[str, Any] = {}
        self.calls: dict[str, str] = {}
        self.names: dict[str, str] = {}
        self.owners: dict[str, str | None] = {}
        self.results: dict[str, str] = {}
        """The id of each result's message, by call id."""
        self.result_texts: dict[str, Any] = {}
        self.untold: set[str] = set()
        """Calls whose result was put into the input by whoever made it: nobody was told it."""
        for message in run_input.messages:
            if isinstance(message, ToolMessage) and message.id == f"result-{message.tool_call_id}":
                self.untold.add(message.tool_call_id)
                if message.tool_call_id in dangling:
                    continue
            self._hold(message)
        self._over = set(self.results)

    def open_calls(self) -> set[str]:
        """The calls that have no result."""
        return set(self.calls) - set(self.results)

    def has_args(self, call_id: str, args: dict[str, Any]) -> bool:
        """Whether the receiver has a call with these arguments."""
        return _same_args(self.calls.get(call_id), json_text.write(normal(args)))

    def lacks(self, result: ToolMessage) -> bool:
        """Whether the receiver has to be told a result. What stands in for one comes from it."""
        return result.tool_call_id in self.open_calls() and not stands_in(result)

    def admit(self, event: BaseEvent) -> None:
        """Note what an event tells."""
        match event:
            case TextMessageStartEvent():
                self.texts.setdefault(event.message_id, "")
            case TextMessageContentEvent():
                self.texts[event.message_id] = f"{self.texts.get(event.message_id) or ''}{event.delta}"
            case ToolCallStartEvent():
                self.calls[event.tool_call_id] = ""
                self.names[event.tool_call_id] = event.tool_call_name
                self.owners[event.tool_call_id] = event.subagent_run_id
                self.results.pop(event.tool_call_id, None)
                self._over.discard(event.tool_call_id)
                self.texts.setdefault(event.parent_message_id or "", "")
            case ToolCallArgsEvent():
                self.calls[event.tool_call_id] = self.calls.get(event.tool_call_id, "") + event.delta
            case ToolCallResultEvent():
                self.results[event.tool_call_id] = event.message_id
                self.result_texts[event.tool_call_id] = event.content
            case _:
                return

    def whole(self, messages: Sequence[Message], undelivered: Sequence[Message]) -> list[Message]:
        """A snapshot's messages, with what the graph does not hold: results of a step that was not stored.

        A result has one id, that under which it was told first.
        """
        stated = {one.tool_call_id for one in messages if isinstance(one, ToolMessage)}
        whole: list[Message] = []
        for message in messages:
            if isinstance(message, ToolMessage) and message.tool_call_id in self.results:
                message = message.model_copy(update={"id": self.results[message.tool_call_id]})
            whole.append(message)
            if isinstance(message, AssistantMessage):
                whole.extend(self._left_out(message, stated))
        held = {one.id for one in whole}
        return [*whole, *(one for one in undelivered if one.id not in held)]

    def asked_about(self, messages: Sequence[Message], asked: Mapping[str, dict[str, Any]]) -> list[Message]:
        """A snapshot's messages in which the calls by id have these arguments.

        A receiver shows what the call says, and compares with it what is about to run. A call that none of
        the messages has, of a graph below, is put behind them.
        """
        texts = {call_id: json_text.write(normal(args)) for call_id, args in asked.items()}
        whole: list[Message] = []
        for message in reversed(messages):
            if isinstance(message, AssistantMessage) and message.tool_calls:
                calls = [_asked_with(call, texts.pop(call.id, "")) for call in message.tool_calls]
                message = message.model_copy(update={"tool_calls": calls})
            whole.insert(0, message)
        for call_id, text in texts.items():
            if call_id in self.calls and not _same_args(self.calls[call_id], text):
                function = FunctionCall(name=self.names[call_id], arguments=text)
                call = ToolCall(id=call_id, function=function)
                whole.append(AssistantMessage(id=f"asked-{call_id}", tool_calls=[call]))
        return whole

    def has_news(self, messages: Sequence[Message]) -> bool:
        """Whether a snapshot would tell something."""
        return any(self._is_news(message) for message in messages)

    def _left_out(self, message: AssistantMessage, stated: Collection[str]) -> Iterator[ToolMessage]:
        for call in message.tool_calls or ():
            if call.id in self.results and call.id not in stated:
                yield ToolMessage(
                    id=self.results[call.id], tool_call_id=call.id, content=self.result_texts[call.id]
                )

    def _is_news(self, message: Message) -> bool:
        match message:
            case ToolMessage():
                return message.tool_call_id not in self.results
            case AssistantMessage():
                if self.texts.get(message.id, None) != (message.content or ""):
                    return True
                # A call that was over before this run may be held with the arguments that were asked about.
                return any(
                    not _same_args(self.calls.get(call.id), call.function.arguments)
                    for call in message.tool_calls or ()
                    if call.id not in self._over
                )
            case ReasoningMessage():
                return False  # it is streamed, and the snapshot names it by another id
            case _:
                return self.texts.get(message.id, None) != message.content

    def _hold(self, message: Message) -> None:
        match message:
            case ToolMessage():
                self.results[message.tool_call_id] = message.id
                self.result_texts[message.tool_call_id] = message.content
            case AssistantMessage():
                self.texts[message.id] = message.content or ""
                for call in message.tool_calls or ():
                    self.calls[call.id] = call.function.arguments
                    self.names[call.id] = call.function.name
                    self.results.pop(call.id, None)
                    self.untold.discard(call.id)
            case UserMessage():
                self.texts[message.id] = message.content
            case _:
                self.texts[message.id] = message.content


def _asked_with(call: ToolCall, text: str) -> ToolCall:
    if not text or _same_args(call.function.arguments, text):
        return call
    return call.model_copy(update={"function": call.function.model_copy(update={"arguments": text})})


def _same_args(known: str | None, stated: str) -> bool:
    if known is None:
        return False
    try:
        return json_text.same(json_text.read(known or "{}"), json_text.read(stated or "{}"))
    except InvalidJSONError:
        return known == stated
