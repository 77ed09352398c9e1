"""Events and run inputs, read from the wire and written to it.

Unknown material is dropped with a warning, since the sender may be newer. A known field with a wrong value is
an error with its place, since the sender is then wrong. Numbers keep their value in both directions.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any, Final, cast

from ag_ui.core import (
    BaseEvent,
    EventType,
    ReasoningMessageContentEvent,
    RunAgentInput,
    TextMessageContentEvent,
    ToolCallArgsEvent,
)

from reflex_agentkit.errors import InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.plain import plain
from reflex_agentkit.protocol.shapes import EVENT_CLASSES, from_retired, strip_unknown, validate

_log = logging.getLogger(__name__)

_PIECES: Final = (TextMessageContentEvent, ToolCallArgsEvent, ReasoningMessageContentEvent)


def read_event(data: str | bytes | Mapping[str, Any]) -> BaseEvent | None:
    """One event, from JSON text or an object that was read already; `None` where the type is unknown.

    The retired THINKING_* events are read as the REASONING_* ones.

    Raises:
        InvalidJSONError: the text is not JSON.
        MalformedEventError: a known event with a wrong value; `path` says where.
    """
    value = _object(data)
    kind = value.get("type")
    if not isinstance(kind, str):
        raise MalformedEventError(f"an event needs a text as `type`, not {kind!r}", path="/type")
    value = from_retired(value)
    found = EVENT_CLASSES.get(value["type"])
    if found is None:
        _log.warning("an event of the unknown type %r was dropped", kind)
        return None
    value["type"] = EventType(value["type"])
    event = validate(found, value, f"a {kind} event")
    if event is not None:
        strip_unknown(event, kind)
    return event


def admit_event(value: object) -> BaseEvent | None:
    """What an in-process agent yielded, as an event that can be stored and sent.

    A piece of text passes after a look at its type. Everything else is read again from what would be written,
    so live objects inside it become plain JSON and an agent cannot change an event that it gave away.

    Raises:
        MalformedEventError: not an event of the AG-UI SDK, or one with a wrong value.
    """
    kind = type(value)
    if kind in _PIECES and not (extra := cast("Any", value)).metadata and extra.raw_event is None:
        piece = cast("TextMessageContentEvent", value)
        if type(piece.delta) is str and not piece.model_extra:
            return piece
    if not isinstance(value, BaseEvent):
        raise MalformedEventError(
            f"an agent yielded {kind.__module__}.{kind.__qualname__}; it must yield events of ag_ui.core"
        )
    name = getattr(value.type, "value", value.type)
    dumped = _dump(value)
    raw = dumped.pop("rawEvent", None)
    found = cast("dict[str, Any]", plain(dumped, f"a {name} event"))
    if raw is not None:
        # It is there for debugging only; what it holds must not be able to end a run.
        try:
            found["rawEvent"] = plain(raw, "rawEvent")
        except MalformedEventError as error:
            _log.warning("the rawEvent of a %s event was dropped: %s", name, error)
    return read_event(found)


def write_event(event: BaseEvent) -> str:
    """The event as one line of JSON: camelCase names, exact numbers.

    Raises:
        InvalidJSONError: it holds something that is not JSON.
    """
    return json_text.write(_dump(event))


def read_input(data: str | bytes | Mapping[str, Any]) -> RunAgentInput:
    """A run input, from JSON text or an object that was read already.

    Raises:
        InvalidJSONError: the text is not JSON.
        MalformedEventError: a known field has a wrong value; `path` says where.
    """
    run_input = validate(RunAgentInput, dict(_object(data)), "a run input")
    if run_input is None:
        raise MalformedEventError("a run input is of a kind that is not known")
    strip_unknown(run_input, "the run input")
    return run_input


def write_input(run_input: RunAgentInput) -> str:
    """The run input as one line of JSON: camelCase names, exact numbers.

    Raises:
        InvalidJSONError: it holds something that is not JSON.
    """
    return json_text.write(_dump(run_input))


def _dump(model: BaseEvent | RunAgentInput) -> dict[str, Any]:
    dumped: dict[str, Any] = model.model_dump(by_alias=True, warnings="none")
    run_input = model if isinstance(model, RunAgentInput) else cast("object", getattr(model, "input", None))
    if isinstance(run_input, RunAgentInput) and run_input.resume:
        # The models leave out every None, and an answer may be null.
        written = dumped if model is run_input else dumped["input"]
        for entry, out in zip(run_input.resume, written["resume"], strict=True):
            if entry.status == "resolved" and "payload" in entry.model_fields_set:
                out.setdefault("payload", None)
    return dumped


def _object(data: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    if isinstance(data, bytes):
        try:
            data = data.decode("utf-8")
        except UnicodeDecodeError as error:
            raise InvalidJSONError(f"not UTF-8 at byte {error.start}") from None
    value: Any = json_text.read(data) if isinstance(data, str) else dict(data)
    if not isinstance(value, dict):
        raise MalformedEventError(f"expected a JSON object, not {type(value).__name__}")
    return cast("dict[str, Any]", value)
