"""What an interrupt says about itself: its call, what may be decided, what to show, until when."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from datetime import datetime
from typing import Any, cast

from ag_ui.core import Interrupt

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import ToolCall
from reflex_agentkit.protocol.pending import APPROVAL_DECISIONS, AllowedDecision

_log = logging.getLogger(__name__)


def asks_yes_or_no(interrupt: Interrupt) -> bool:
    """Whether an interrupt is an approval: it names a tool call, and its answer is an `approved`."""
    if not interrupt.tool_call_id:
        return False
    properties = (interrupt.response_schema or {}).get("properties")
    if isinstance(properties, dict) and properties:
        approved: Any = cast("dict[str, Any]", properties).get("approved")
        boolean = isinstance(approved, dict) and cast("dict[str, Any]", approved).get("type") == "boolean"
        return boolean or (approved is not None and interrupt.reason == "tool_call")
    return interrupt.reason == "tool_call" and not _other_answer(interrupt.response_schema)


def proposal(
    call: ToolCall | None, metadata: Mapping[str, Any]
) -> tuple[str | None, dict[str, Any] | None, str]:
    """A call's tool, its arguments where they can be read, and their text."""
    name = call.name if call else first_of(metadata, "toolName", "tool_name")
    given = first_of(metadata, "toolArgs", "tool_input")
    if call is not None and call.args_text.strip():
        text = call.again_text or call.args_text
    elif given is not None:
        text = given if isinstance(given, str) else json_text.write(given)
    elif call is not None:
        text = "{}"  # a call without arguments
    else:
        return (name if isinstance(name, str) else None), None, ""
    try:
        args = json_text.read(text)
    except InvalidJSONError:
        args = None
    readable = cast("dict[str, Any]", args) if isinstance(args, dict) else None
    return (name if isinstance(name, str) and name else None), readable, text


def approval_decisions(
    metadata: Mapping[str, Any], schema: dict[str, Any] | None, *, known: bool
) -> tuple[AllowedDecision, ...]:
    """What may be decided. Cancelling always may; what is not known cannot be approved.

    `metadata.allowedDecisions` narrows; a response schema without `editedArgs` takes no edit.
    """
    allowed: list[AllowedDecision] = list(APPROVAL_DECISIONS)
    properties: Any = (schema or {}).get("properties") or {}
    if properties and "editedArgs" not in properties:
        allowed.remove("edit")
    if "response" in properties:
        allowed.insert(-1, "respond")
    narrowed = first_of(metadata, "allowedDecisions", "allowed_decisions")
    if isinstance(narrowed, list):
        named = {str(item).lower() for item in cast("list[Any]", narrowed)}
        wanted: tuple[AllowedDecision, ...] = ("approve", "edit", "reject", "respond")
        can_edit = "edit" in allowed
        allowed = [one for one in wanted if one in named and (one != "edit" or can_edit)]
        allowed.append("cancel")
    elif narrowed is not None:
        _log.warning("allowedDecisions is not a list; the call can only be rejected or cancelled")
        allowed = ["reject", "cancel"]
    if not known:
        allowed = [one for one in allowed if one not in ("approve", "edit")]
    return tuple(allowed)


def payload_of(interrupt: Interrupt) -> Any:
    """All that was asked, where the agent gave more than the fields of an interrupt."""
    metadata = interrupt.metadata or {}
    if "payload" in metadata:
        return metadata["payload"]
    for outer, inner in (("langgraph", "raw"), ("crewai", "output")):
        held: Any = metadata.get(outer)
        if isinstance(held, dict) and inner in held:
            return cast("dict[str, Any]", held)[inner]
    return None


def form_of(metadata: Mapping[str, Any], payload: Any) -> dict[str, Any] | None:
    """The form card that an agent sent along: an object with a `formType` or with `fields`."""
    for value in (metadata.get("form"), metadata, payload):
        if isinstance(value, dict):
            found = cast("dict[str, Any]", value)
            if isinstance(found.get("formType"), str) or isinstance(found.get("fields"), list):
                return dict(found)
    return None


def deadline_of(interrupt: Interrupt) -> datetime | None:
    """Until when it can be answered; `None`, with a warning, where the time cannot be read."""
    if interrupt.expires_at is None:
        return None
    try:
        deadline = datetime.fromisoformat(interrupt.expires_at)
    except ValueError:
        deadline = None
    if deadline is None or deadline.tzinfo is None:
        _log.warning(
            "expiresAt of the interrupt %r is %r, not an ISO 8601 time with a zone; there is no deadline",
            interrupt.id,
            interrupt.expires_at,
        )
        return None
    return deadline


def _other_answer(schema: dict[str, Any] | None) -> bool:
    return schema is not None and schema.get("type") not in (None, "object")


def first_of(given: Mapping[str, Any], *names: str) -> Any:
    """The value under the first of these names that has one; `None` where none has."""
    return next((given[name] for name in names if given.get(name) is not None), None)
