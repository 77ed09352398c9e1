"""Whatever a Python agent puts into an event, as plain JSON values."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Mapping
from datetime import date, time
from decimal import Decimal
from enum import Enum
from typing import Any, cast
from uuid import UUID

from pydantic import BaseModel

from reflex_agentkit.errors import MalformedEventError
from reflex_agentkit.protocol.json_text import MAX_DEPTH


def plain(value: Any, name: str) -> Any:
    """A copy that holds only `None`, bool, int, float, Decimal, str, list and dict.

    Pydantic models, dataclasses, enums, times, UUIDs, tuples and sets are turned into these. `name` is what a
    message calls the whole.

    Raises:
        MalformedEventError: something cannot be JSON, or is nested too deep; `path` says where.
    """
    return _plain(value, name, "", 0)


def _plain(value: Any, name: str, path: str, depth: int) -> Any:
    if value is None or type(value) in (str, bool, int):
        return value
    if isinstance(value, Decimal) and math.isfinite(near := float(value)):
        # The form in which it would be read again, so that a digest is the same before and after.
        return near if Decimal(repr(near)) == value else value
    if depth > MAX_DEPTH:
        raise MalformedEventError(f"{name} is nested deeper than {MAX_DEPTH} levels", path=path[:200])
    if isinstance(value, Mapping):
        return _mapping(cast("Mapping[Any, Any]", value), name, path, depth)
    if isinstance(value, list | tuple | set | frozenset):
        items = cast("list[Any]", value)
        return [_plain(item, name, f"{path}/{place}", depth + 1) for place, item in enumerate(items)]
    if isinstance(value, float) and math.isfinite(value):
        return float(value)
    turned = _turned(value)
    if turned is value:
        shown = repr(value) if isinstance(value, float | Decimal) else type(value).__qualname__
        raise MalformedEventError(f"{name} holds {shown} at {path or '/'}, which is not JSON", path=path)
    return _plain(turned, name, path, depth + 1)


def _turned(value: Any) -> Any:
    """One step towards plain JSON; the value itself where there is none."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        return value.model_dump(by_alias=True, warnings="none")
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        return {field.name: getattr(value, field.name) for field in dataclasses.fields(value)}
    if isinstance(value, date | time):
        return value.isoformat()
    if isinstance(value, str | UUID):
        return str(value)
    if isinstance(value, int):
        return int(value)
    return value


def _mapping(value: Mapping[Any, Any], name: str, path: str, depth: int) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for key, item in value.items():
        text = key.value if isinstance(key, Enum) else key
        if not isinstance(text, str):
            raise MalformedEventError(
                f"{name} has the key {key!r} at {path or '/'}; a key must be a text", path=path
            )
        found[text] = _plain(item, name, f"{path}/{pointer_part(text)}", depth + 1)
    return found


def pointer_part(key: str | int) -> str:
    """One step of a JSON pointer, escaped."""
    return str(key).replace("~", "~0").replace("/", "~1")
