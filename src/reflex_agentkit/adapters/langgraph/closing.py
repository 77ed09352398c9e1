"""What a run has open on the wire, so that it can be closed where the graph broke off."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

from ag_ui.core import (
    BaseEvent,
    EventType,
    ReasoningEndEvent,
    ReasoningMessageEndEvent,
    StepFinishedEvent,
    SubagentFinishedEvent,
    TextMessageEndEvent,
    ToolCallEndEvent,
)


class Opened:
    """The open items of a run, in the order in which they were opened."""

    def __init__(self) -> None:
        self._open: dict[tuple[str, Any], BaseEvent] = {}

    def admit(self, event: BaseEvent) -> None:
        """Note what an event opens or closes."""
        if found := _OPENS.get(event.type):
            self._open[found, _id_of(event)] = event
        elif found := _CLOSES.get(event.type):
            self._open.pop((found, _id_of(event)), None)

    def close(self) -> Iterator[BaseEvent]:
        """The ends of all that is open, the last opened first."""
        for (kind, _), event in reversed(list(self._open.items())):
            yield _ENDS[kind](event)
        self._open.clear()


def _id_of(event: Any) -> Any:
    if event.type in (EventType.STEP_STARTED, EventType.STEP_FINISHED):
        return event.subagent_run_id, event.step_name
    for name in ("message_id", "tool_call_id", "subagent_run_id"):
        if found := getattr(event, name, None):
            return found
    return None


_OPENS: Final[dict[EventType, str]] = {
    EventType.TEXT_MESSAGE_START: "text",
    EventType.TOOL_CALL_START: "call",
    EventType.REASONING_START: "reasoning",
    EventType.REASONING_MESSAGE_START: "thought",
    EventType.STEP_STARTED: "step",
    EventType.SUBAGENT_STARTED: "subagent",
}

_CLOSES: Final[dict[EventType, str]] = {
    EventType.TEXT_MESSAGE_END: "text",
    EventType.TOOL_CALL_END: "call",
    EventType.REASONING_END: "reasoning",
    EventType.REASONING_MESSAGE_END: "thought",
    EventType.STEP_FINISHED: "step",
    EventType.SUBAGENT_FINISHED: "subagent",
    EventType.SUBAGENT_ERROR: "subagent",
}

_ENDS: Final[dict[str, Callable[[Any], BaseEvent]]] = {
    "text": lambda event: TextMessageEndEvent(message_id=event.message_id),
    "call": lambda event: ToolCallEndEvent(tool_call_id=event.tool_call_id),
    "reasoning": lambda event: ReasoningEndEvent(message_id=event.message_id),
    "thought": lambda event: ReasoningMessageEndEvent(message_id=event.message_id),
    "step": lambda event: StepFinishedEvent(step_name=event.step_name, subagent_run_id=event.subagent_run_id),
    "subagent": lambda event: SubagentFinishedEvent(subagent_run_id=event.subagent_run_id),
}
