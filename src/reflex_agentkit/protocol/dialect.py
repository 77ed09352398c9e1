"""What of JSON Schema is checked at all: the part that the page and the server read alike.

`components/schema_shape.js` is the counterpart.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, cast

from jsonschema import Draft3Validator

from reflex_agentkit.protocol.patterns import PatternError, translated

_ONE: Final = frozenset(
    {
        "additionalItems", "additionalProperties", "contains", "else", "if", "items", "not", "propertyNames",
        "then", "unevaluatedItems", "unevaluatedProperties",
    }
)  # fmt: skip
_LIST: Final = frozenset({"allOf", "anyOf", "oneOf", "prefixItems"})
_NAMED: Final = frozenset(
    {"$defs", "definitions", "dependencies", "dependentSchemas", "patternProperties", "properties"}
)
_MOVED: Final = ("$id", "$dynamicRef", "$recursiveRef")


def dialect_fault(root: Any, kind: Any) -> str | None:
    """Why a schema is not checked, `None` where it is. `kind` is the validator class of its draft."""
    if kind is Draft3Validator:
        return "it is of draft 3"
    for schema in _schemas(root, kind):
        moved = next(
            (name for name in _MOVED if name in schema and (name != "$id" or schema is not root)), None
        )
        if moved is not None:
            return f"it uses {moved} inside"
        fault = _pattern_fault(schema)
        if fault is not None:
            return fault
    return None


def _pattern_fault(schema: dict[str, Any]) -> str | None:
    named: Any = schema.get("patternProperties")
    patterns: list[Any] = [schema.get("pattern"), *(named if isinstance(named, dict) else ())]
    for pattern in patterns:
        try:
            if isinstance(pattern, str):
                translated(pattern)
        except PatternError as error:
            return str(error)
    return None


def _schemas(root: Any, kind: Any) -> Iterator[dict[str, Any]]:
    """A schema and every schema inside it that its draft looks at."""
    waiting = [root]
    while waiting:
        schema = waiting.pop()
        if isinstance(schema, dict):
            found = cast("dict[str, Any]", schema)
            yield found
            for name, value in found.items():
                if _counts(name, kind):
                    waiting.extend(_inside(name, value))


def _counts(name: str, kind: Any) -> bool:
    # Definitions are reached by reference alone, and conditions by their partner.
    return name in kind.VALIDATORS or name in ("$defs", "definitions", "then", "else")


def _inside(name: str, value: Any) -> list[Any]:
    if name in _LIST or (name == "items" and isinstance(value, list)):
        return cast("list[Any]", value) if isinstance(value, list) else []
    if name in _NAMED:
        return list(cast("dict[str, Any]", value).values()) if isinstance(value, dict) else []
    return [value] if name in _ONE else []
