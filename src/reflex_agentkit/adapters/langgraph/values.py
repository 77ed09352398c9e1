"""Values of a graph as plain JSON, and the parts of its state that a person shares."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, cast

from ag_ui_langgraph.utils import make_json_safe

from reflex_agentkit.errors import InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.plain import plain

NOT_SHARED: Final = frozenset({"messages", "tools", "ag-ui", "copilotkit"})
"""Keys of a graph's state that AG-UI carries in another way, and those that the integration keeps there."""

MAX_DEPTH: Final = json_text.MAX_DEPTH - 20
"""How deep a value may be nested; the event around it has levels of its own."""

_WHOLE: Final = "a value of the graph"


def normal(value: Any) -> Any:
    """A value as plain JSON. What has no JSON form becomes its text: an object, `nan`, a number as a key."""
    try:
        found = plain(value, _WHOLE)
        json_text.check_depth(found, MAX_DEPTH)
    except (MalformedEventError, InvalidJSONError):
        return _told(value, 0)
    return found


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same JSON, number for number; what is no JSON is like nothing else."""
    try:
        return json_text.same(left, right)
    except InvalidJSONError:
        return False


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
        if key not in NOT_SHARED and not (key in values and same(normal(values[key]), value))
    }


def _told(value: Any, depth: int) -> Any:
    if depth > MAX_DEPTH:
        return f"(nested deeper than {MAX_DEPTH} levels)"
    if isinstance(value, Mapping):
        items = cast("Mapping[Any, Any]", value).items()
        return {key if isinstance(key, str) else str(key): _told(item, depth + 1) for key, item in items}
    if isinstance(value, list | tuple | set | frozenset):
        return [_told(item, depth + 1) for item in cast("list[Any]", value)]
    try:
        return plain(value, _WHOLE)
    except MalformedEventError:
        safe = make_json_safe(value)
    # A model or an object by its fields, which may hold more of the kind; the rest is a text by now.
    return _told(safe, depth + 1) if isinstance(safe, dict | list) else str(safe)
