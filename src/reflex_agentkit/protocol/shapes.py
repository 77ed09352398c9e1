"""The shapes of AG-UI: which model reads which event, what of it is newer than we are, what is wrong."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any, Final, TypeVar, cast, get_args

from ag_ui.core import BaseEvent, Event
from ag_ui.core.types import ConfiguredBaseModel
from pydantic import BaseModel, ValidationError

from reflex_agentkit.errors import MalformedEventError
from reflex_agentkit.protocol.plain import pointer_part

_log = logging.getLogger(__name__)

_Model = TypeVar("_Model", bound=BaseModel)

_KINDS: Final[tuple[type[BaseEvent], ...]] = get_args(get_args(Event)[0])

EVENT_CLASSES: Final[dict[str, type[BaseEvent]]] = {
    kind.model_fields["type"].default.value: kind for kind in _KINDS
}
"""The model of each event type."""

RETIRED_ID: Final = "ag-ui.thinking"
"""The message id of a retired THINKING_* event, which carries none; `StreamOrder` gives it one of its own."""

_RETIRED: Final = {
    "THINKING_START": "REASONING_START",
    "THINKING_END": "REASONING_END",
    "THINKING_TEXT_MESSAGE_START": "REASONING_MESSAGE_START",
    "THINKING_TEXT_MESSAGE_CONTENT": "REASONING_MESSAGE_CONTENT",
    "THINKING_TEXT_MESSAGE_END": "REASONING_MESSAGE_END",
}

# JSON Patch asks that members it does not define are left alone.
_OPEN: Final = frozenset(
    {"AddOperation", "RemoveOperation", "ReplaceOperation", "MoveOperation", "CopyOperation", "TestOperation"}
)


def from_retired(value: dict[str, Any]) -> dict[str, Any]:
    """The event in its present shape, as a new dict: THINKING_* became REASONING_*."""
    present = _RETIRED.get(value["type"])
    if present is None:
        return dict(value)
    found: dict[str, Any] = {"messageId": RETIRED_ID, **value, "type": present}
    found.pop("title", None)
    if present == "REASONING_MESSAGE_START":
        found["role"] = "reasoning"
    return found


def validate(kind: type[_Model], value: dict[str, Any], name: str) -> _Model | None:
    """Read a model without any coercion; union members that are not known are dropped with a warning.

    `None` where the whole value is of a kind that is not known.

    Raises:
        MalformedEventError: a known field has a wrong value.
    """
    while True:
        try:
            return kind.model_validate(value, strict=True)
        except ValidationError as error:
            unknown = _unknown_member(error, value, name)
        if unknown is None:
            return None
        value = _without(value, unknown, name)


def strip_unknown(model: BaseModel, name: str) -> None:
    """Take out every field that the protocol does not describe, with a warning, all the way down."""
    if type(model).__name__ in _OPEN:
        return
    if extra := model.__pydantic_extra__:
        _log.warning("unknown fields of %s were dropped: %s", name, ", ".join(sorted(extra)))
        extra.clear()
    for field in type(model).model_fields:
        value = getattr(model, field)
        if isinstance(value, ConfiguredBaseModel):
            strip_unknown(value, name)
        elif isinstance(value, list):
            for item in cast("list[Any]", value):
                if isinstance(item, ConfiguredBaseModel):
                    strip_unknown(item, name)


def _unknown_member(error: ValidationError, value: Any, name: str) -> list[str | int] | None:
    """The place of the first unknown union member; `None` if the whole is unknown; else it is an error."""
    wrong = [
        (found["type"], _place(found["loc"], value), found["msg"], found["loc"])
        for found in error.errors(include_url=False, include_input=False, include_context=False)
    ]
    members = [place for kind, place, _, _ in wrong if kind == "union_tag_invalid"]
    for kind, place, message, loc in wrong:
        if kind == "union_tag_invalid":
            continue
        if kind == "literal_error" and place == ["subtype"] and isinstance(value["subtype"], str):
            _log.warning("%s of an unknown subtype was dropped", name)
            return None
        # A list that may also be a text is tried as both; only the list is what was meant.
        if loc[-1] == "str" and isinstance(_at(value, place), list) and members:
            continue
        path = "".join(f"/{pointer_part(part)}" for part in place)
        raise MalformedEventError(f"{name} is wrong at {path or '/'}: {message}", path=path)
    return members[0]


def _without(value: dict[str, Any], place: Sequence[str | int], name: str) -> dict[str, Any]:
    """A copy without the unknown member: an element leaves its list, an optional field goes."""
    *above, last = place
    if last == "source":
        # A part cannot be without its source, so the part goes.
        *above, last = above
    path = "".join(f"/{pointer_part(part)}" for part in [*above, last])
    _log.warning("an unknown member of %s was dropped: %s", name, path)
    copy = dict(value)
    holder: Any = copy
    for part in above:
        holder[part] = holder[part].copy()
        holder = holder[part]
    del holder[last]
    return copy


def _place(loc: Sequence[str | int], value: Any) -> list[str | int]:
    """Where an error lies in the data: the location without the names of union branches."""
    place: list[str | int] = []
    for depth, part in enumerate(loc):
        if isinstance(value, dict):
            mapping = cast("dict[Any, Any]", value)
            # The last part may be a field that is missing.
            if part not in mapping and (depth < len(loc) - 1 or _is_branch(part)):
                continue
            place.append(part)
            value = mapping.get(part)
        elif isinstance(value, list) and isinstance(part, int):
            place.append(part)
            value = cast("list[Any]", value)[part]
    return place


def _is_branch(part: str | int) -> bool:
    return part in ("str", "bool", "int") or "[" in str(part)


def _at(value: Any, place: Sequence[str | int]) -> Any:
    for part in place:
        value = value[part]
    return value
