"""What a run has told so far, as messages: what was said with an answer is given to the flow after them."""

from __future__ import annotations

from collections.abc import Sequence

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Message,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)


class Heard:
    """Folds the events of one AG-UI run. `results` are the tools' results, by call id."""

    def __init__(self) -> None:
        self.results: dict[str, str] = {}
        self._messages: dict[str, AssistantMessage] = {}

    def admit(self, event: BaseEvent) -> None:
        """Note one event."""
        match event:
            case TextMessageStartEvent():
                self._message(event.message_id)
            case TextMessageContentEvent():
                message = self._message(event.message_id)
                message.content = (message.content or "") + event.delta
            case ToolCallStartEvent():
                message = self._message(event.parent_message_id or f"of-{event.tool_call_id}")
                function = FunctionCall(name=event.tool_call_name, arguments="")
                call = ToolCall(id=event.tool_call_id, function=function)
                message.tool_calls = [*(message.tool_calls or ()), call]
            case ToolCallArgsEvent():
                for message in self._messages.values():
                    for call in message.tool_calls or ():
                        if call.id == event.tool_call_id:
                            call.function.arguments += event.delta
            case ToolCallResultEvent(tool_call_id=call_id, content=str(content)):
                self.results[call_id] = content
            case _:
                pass

    def among(self, messages: Sequence[Message], news: Sequence[Message]) -> list[Message]:
        """A conversation with what was heard before the news."""
        before = [one for one in messages if one not in news]
        return [*before, *self._messages.values(), *news]

    def _message(self, message_id: str) -> AssistantMessage:
        return self._messages.setdefault(message_id, AssistantMessage(id=message_id))
