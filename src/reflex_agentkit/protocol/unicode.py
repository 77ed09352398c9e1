"""Text that can be stored and sent.

Half a surrogate pair has no UTF-8: one in a message would close the connection of every page that shows it.
"""

from __future__ import annotations

import re
from typing import Any, Final, cast

from ag_ui.core import (
    BaseEvent,
    ReasoningMessageContentEvent,
    TextMessageContentEvent,
    ToolCallArgsEvent,
)

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.wire import read_event, write_event

_PIECES: Final = (TextMessageContentEvent, ReasoningMessageContentEvent, ToolCallArgsEvent)

_HALF: Final = re.compile(r"[\ud800-\udfff]|\\u[dD][89a-fA-F]")
"""Half a pair in a JSON text, as it is or escaped. A whole pair is one character there."""


def sendable(text: str) -> str:
    """The text, with a replacement character where half a pair stands. Two halves side by side are a pair."""
    if text.isascii():
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def sendable_value(value: Any) -> Any:
    """A JSON value with all its texts sendable, the keys too."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, dict):
        given = cast("dict[str, Any]", value)
        return {sendable(key): sendable_value(item) for key, item in given.items()}
    if isinstance(value, list | tuple):
        return [sendable_value(item) for item in cast("list[Any]", value)]
    return value


def is_sendable(value: Any) -> bool:
    """Whether a JSON value holds no half of a pair."""
    return _HALF.search(json_text.canonical(value)) is None or sendable_value(value) == value


def sendable_event(event: BaseEvent) -> BaseEvent:
    """The event with all its texts sendable. Gives a copy, so that nobody else holds what is stored."""
    if isinstance(event, _PIECES) and event.delta.isascii() and not event.metadata:
        return event.model_copy()
    text = write_event(event)
    if _HALF.search(text) is None:
        return event.model_copy()
    return read_event(sendable_value(json_text.read(text))) or event
