"""Short ways to write the AG-UI events of a script."""

from __future__ import annotations

from typing import Any

from ag_ui.core import (
    BaseEvent,
    Interrupt,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.payload import approval_schema


def says(message_id: str, *pieces: str) -> list[BaseEvent]:
    """An assistant message in pieces."""
    return [
        TextMessageStartEvent(message_id=message_id, role="assistant"),
        *(TextMessageContentEvent(message_id=message_id, delta=piece) for piece in pieces),
        TextMessageEndEvent(message_id=message_id),
    ]


def calls(call_id: str, name: str, args: dict[str, Any] | str) -> list[BaseEvent]:
    """A tool call; `args` as a text goes out letter for letter."""
    text = args if isinstance(args, str) else json_text.write(args)
    return [
        ToolCallStartEvent(tool_call_id=call_id, tool_call_name=name),
        *([ToolCallArgsEvent(tool_call_id=call_id, delta=text)] if text else []),
        ToolCallEndEvent(tool_call_id=call_id),
    ]


def gives(call_id: str, result: str) -> list[BaseEvent]:
    """The result of a call."""
    return [ToolCallResultEvent(message_id=f"result-{call_id}", tool_call_id=call_id, content=result)]


def approval(call_id: str, *, args_schema: dict[str, Any] | None = None, **more: Any) -> Interrupt:
    """An approval of a call, under the id `int-<call id>`."""
    return Interrupt(
        id=f"int-{call_id}",
        reason="tool_call",
        tool_call_id=call_id,
        response_schema=approval_schema(args_schema),
        **more,
    )


def question(interrupt_id: str, message: str = "How many nights?", **more: Any) -> Interrupt:
    """A question."""
    return Interrupt(id=interrupt_id, reason=more.pop("reason", "question"), message=message, **more)


def pauses(*interrupts: Interrupt) -> list[BaseEvent]:
    """The end of a run that waits for answers."""
    outcome = RunFinishedInterruptOutcome(interrupts=list(interrupts))
    return [RunFinishedEvent(thread_id="", run_id="", outcome=outcome)]
