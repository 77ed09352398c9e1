"""The older way to ask: a CUSTOM event named `on_interrupt`, in the several shapes that agents send."""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final, cast

from ag_ui.core import CustomEvent, Interrupt

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

LEGACY_INTERRUPT: Final = "on_interrupt"
"""The name of the CUSTOM event by which older agents ask."""


def read_legacy(event: CustomEvent, place: int, run_id: str) -> tuple[Interrupt, Any]:
    """An `on_interrupt` event as an interrupt: an object, JSON text of one, or just what is asked."""
    value: Any = event.value
    if isinstance(value, str):
        with suppress(InvalidJSONError):
            value = json_text.read(value)
    if not isinstance(value, dict):
        message = value if isinstance(value, str) else None
        return Interrupt(id=f"legacy-{run_id}-{place}", reason=LEGACY_INTERRUPT, message=message), value
    given = cast("dict[str, Any]", value)
    held = {name: _field(given, name, kind) for name, kind in _FIELDS.items()}
    if held["metadata"] is None:
        helps = {"toolName": given.get("tool"), "toolArgs": given.get("args")}
        held["metadata"] = {name: item for name, item in helps.items() if item is not None} or None
    interrupt = Interrupt(
        id=_field(given, "id", str) or f"legacy-{run_id}-{place}",
        reason=_field(given, "reason", str) or LEGACY_INTERRUPT,
        **held,
    )
    return interrupt, given


_FIELDS: Final[dict[str, type[Any]]] = {
    "message": str,
    "tool_call_id": str,
    "response_schema": dict,
    "expires_at": str,
    "metadata": dict,
    "subagent_run_id": str,
}


def _field(given: dict[str, Any], name: str, kind: type[Any]) -> Any:
    # The value is the application's own: a field that only looks like an interrupt's stays in the payload.
    first, *more = name.split("_")
    value = given.get(first + "".join(part.capitalize() for part in more), given.get(name))
    return value if isinstance(value, kind) else None
