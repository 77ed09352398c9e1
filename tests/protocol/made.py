"""Short ways to write events for these tests."""

from __future__ import annotations

from typing import Any

from ag_ui.core import (
    BaseEvent,
    Interrupt,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.protocol.conversation import Conversation, DecisionNote, ToolCall, Verdict
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.notes import decided_event


def begins(run: str = "r", **more: Any) -> RunStartedEvent:
    return RunStartedEvent(thread_id="t", run_id=run, **more)


def ends(run: str = "r", **more: Any) -> RunFinishedEvent:
    return RunFinishedEvent(thread_id="t", run_id=run, **more)


def fails(message: str = "no connection", **more: Any) -> RunErrorEvent:
    return RunErrorEvent(message=message, **more)


def pauses(*interrupts: Interrupt, run: str = "r", **more: Any) -> RunFinishedEvent:
    return ends(run, outcome=RunFinishedInterruptOutcome(interrupts=list(interrupts)), **more)


def leaves(*call_ids: str, run: str = "r") -> RunFinishedEvent:
    return ends(run, outcome=RunFinishedSuccessOutcome(pending_tool_call_ids=list(call_ids)))


def says(message: str, *pieces: str, **more: Any) -> list[BaseEvent]:
    return [
        TextMessageStartEvent(message_id=message, role="assistant", **more),
        *(TextMessageContentEvent(message_id=message, delta=piece) for piece in pieces),
        TextMessageEndEvent(message_id=message),
    ]


def calls(call: str, name: str = "pay", args: str = "{}", parent: str | None = None) -> list[BaseEvent]:
    return [
        ToolCallStartEvent(tool_call_id=call, tool_call_name=name, parent_message_id=parent),
        *([ToolCallArgsEvent(tool_call_id=call, delta=args)] if args else []),
        ToolCallEndEvent(tool_call_id=call),
    ]


def gives(call: str, content: Any, message: str | None = None, **more: Any) -> ToolCallResultEvent:
    return ToolCallResultEvent(
        message_id=message or f"result-{call}", tool_call_id=call, content=content, **more
    )


def approval(call: str = "c", name: str = "i", **more: Any) -> Interrupt:
    return Interrupt(id=name, reason=more.pop("reason", "tool_call"), tool_call_id=call, **more)


def decided(verdict: Verdict, call: str = "c", **more: Any) -> BaseEvent:
    note = DecisionNote(interrupt_id=more.pop("name", "i"), verdict=verdict, tool_call_id=call, **more)
    return decided_event(note)


def fold(*events: BaseEvent | list[BaseEvent]) -> Fold:
    folded = Fold()
    for event in events:
        for item in event if isinstance(event, list) else [event]:
            folded.apply(item)
    return folded


def shown(*events: BaseEvent | list[BaseEvent]) -> Conversation:
    return fold(*events).conversation()


def only_call(conversation: Conversation) -> ToolCall:
    [call] = [call for message in conversation.messages for call in message.tool_calls]
    return call
