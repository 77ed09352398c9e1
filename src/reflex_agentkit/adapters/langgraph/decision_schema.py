"""The schema that `HumanInTheLoopMiddleware` publishes for one call: what is allowed, what an edit holds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias, cast

DecisionType: TypeAlias = Literal["approve", "edit", "reject", "respond"]

DECISIONS: Final[tuple[DecisionType, ...]] = ("approve", "edit", "reject", "respond")
"""What the middleware knows, in the order in which it is shown."""

_Schema: TypeAlias = Mapping[str, Any]
_DEFINITIONS: Final = "#/$defs/"


def read_decision_schema(
    schema: dict[str, Any] | None,
) -> tuple[tuple[DecisionType, ...], dict[str, Any] | None]:
    """The allowed decisions, and the schema of edited arguments with the definitions that it needs.

    Where there is no schema to read, all are let through: LangGraph holds the answer against its own before
    it keeps it.
    """
    if schema is None:
        return DECISIONS, None
    definitions = _mapping(schema.get("$defs"))
    branches = {_type_of(branch): branch for branch in _branches(schema, definitions)}
    allowed: tuple[DecisionType, ...] = tuple(one for one in DECISIONS if one in branches)
    if not allowed:
        return DECISIONS, None
    edit = _properties(branches.get("edit", {}))
    action = _properties(_resolved(edit.get("edited_action", edit.get("editedAction")), definitions))
    args = _resolved(action.get("args"), definitions)
    if not args:
        return allowed, None
    needed = _needed(args, definitions)
    return allowed, {**args, "$defs": needed} if needed else dict(args)


def _branches(schema: _Schema, definitions: _Schema) -> Iterator[_Schema]:
    members: Any = schema.get("oneOf", schema.get("anyOf"))
    for member in cast("list[Any]", members) if isinstance(members, list) else [schema]:
        yield _resolved(member, definitions)


def _type_of(branch: _Schema) -> str | None:
    """The decision that a branch is about, however its `type` is pinned."""
    kind = _mapping(_properties(branch).get("type"))
    listed: Any = kind.get("enum")
    only = (
        cast("list[Any]", listed)[0] if isinstance(listed, list) and len(cast("Any", listed)) == 1 else None
    )
    const = kind.get("const", only)
    return const if isinstance(const, str) else None


def _properties(schema: _Schema) -> _Schema:
    return _mapping(schema.get("properties"))


def _resolved(schema: Any, definitions: _Schema) -> _Schema:
    found = _mapping(schema)
    to = found.get("$ref")
    if isinstance(to, str) and to.startswith(_DEFINITIONS):
        return _mapping(definitions.get(to.removeprefix(_DEFINITIONS)))
    return found


def _needed(schema: Any, definitions: _Schema) -> dict[str, Any]:
    """The definitions that a schema refers to, and those that these refer to."""
    needed: dict[str, Any] = {}
    waiting = [schema]
    while waiting:
        part: Any = waiting.pop()
        if isinstance(part, list):
            waiting.extend(cast("list[Any]", part))
        elif isinstance(part, Mapping):
            held = cast("_Schema", part)
            waiting.extend(held.values())
            to = held.get("$ref")
            name = to.removeprefix(_DEFINITIONS) if isinstance(to, str) else ""
            if name in definitions and name not in needed:
                needed[name] = definitions[name]
                waiting.append(definitions[name])
    return needed


def _mapping(value: Any) -> _Schema:
    return cast("_Schema", value) if isinstance(value, Mapping) else {}
