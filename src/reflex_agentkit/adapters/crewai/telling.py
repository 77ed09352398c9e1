"""What a flow's methods tell the person by themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ag_ui.core import (
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.adapters.crewai.scene import Result, current_scene
from reflex_agentkit.protocol import json_text


def emit_tool_result(tool_call_id: str, content: str) -> None:
    """Tell the result of a call that the flow ran by itself. Once told, it stands."""
    current_scene().tell_result(tool_call_id, Result(text=content))


def emit_tool_call(tool_call_id: str, tool_name: str, args: Mapping[str, Any]) -> None:
    """Show a call that no model of CrewAI made: one that the flow makes by itself, or another library's."""
    tell = current_scene().tell
    tell(ToolCallStartEvent(tool_call_id=tool_call_id, tool_call_name=tool_name))
    tell(ToolCallArgsEvent(tool_call_id=tool_call_id, delta=json_text.write(dict(args))))
    tell(ToolCallEndEvent(tool_call_id=tool_call_id))


def emit_text(text: str) -> None:
    """Say something to the person. What CrewAI's models say is shown by itself."""
    scene = current_scene()
    if not text:
        return
    message_id = scene.new_id("text")
    scene.tell(TextMessageStartEvent(message_id=message_id, role="assistant"))
    scene.tell(TextMessageContentEvent(message_id=message_id, delta=text))
    scene.tell(TextMessageEndEvent(message_id=message_id))
