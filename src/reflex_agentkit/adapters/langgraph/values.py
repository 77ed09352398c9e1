"""Values of a graph as plain JSON, and the parts of its state that a person shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from ag_ui_langgraph.utils import make_json_safe

from reflex_agentkit.errors import InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.plain import plain

NOT_SHARED: Final = frozenset({"messages", "tools", "ag-ui", "copilotkit"})
"""Keys of a graph's state that AG-UI carries in another way, and those that the integration keeps there."""


def normal(value: Any) -> Any:
    """A value as plain JSON. What has no JSON form becomes its text."""
    try:
        return plain(value, "a value of the graph")
    except MalformedEventError:
        return plain(make_json_safe(value), "a value of the graph")


def shared(values: Mapping[str, Any]) -> dict[str, Any]:
    """The part of a graph's state that is shared with the person."""
    return {key: normal(value) for key, value in values.items() if key not in NOT_SHARED}


def changed(given: Any, values: Mapping[str, Any]) -> dict[str, Any]:
    """What a person changed in the shared state.

    What is as the graph has it is not given back: a reducer that adds would add it again.
    """
    if not isinstance(given, Mapping):
        return {}
    return {
        key: value
        for key, value in given.items()  # pyright: ignore[reportUnknownVariableType]
        if key not in NOT_SHARED and not (key in values and _same(normal(values[key]), value))
    }


def _same(left: Any, right: Any) -> bool:
    try:
        return json_text.same(left, right)
    except InvalidJSONError:
        return False
