"""JSON Schema keywords, safe and exact: patterns with a time limit, numbers by their digits, fields by name.

Each gives the verdict that the page gives for the same value (`components/schema_keywords.js`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias, cast

from jsonschema import validators
from jsonschema.exceptions import ValidationError

from reflex_agentkit.protocol.formats import checker
from reflex_agentkit.protocol.patterns import PatternError
from reflex_agentkit.protocol.patterns import matches as _matches

MOST_REFERENCES: Final = 64
"""So many references may lead from one to the next; the page has the same limit."""

_Errors: TypeAlias = Iterator[ValidationError]

_formats: Final = checker()


class UncheckableError(Exception):
    """A schema asks for something that cannot be checked safely. Never leaves `protocol.schema`."""


def guarded(kind: Any, schema: Any, registry: Any) -> Any:
    """A validator of a draft's class with these keywords for its own; `registry` is all that it may read."""
    inherited: Any = kind.VALIDATORS
    replaced: dict[str, Any] = {
        "$dynamicRef": _elsewhere,
        "$recursiveRef": _elsewhere,
        "const": _const,
        "enum": _enum,
        "exclusiveMaximum": _limit(lambda value, limit, _schema: value >= limit, "less than"),
        "exclusiveMinimum": _limit(lambda value, limit, _schema: value <= limit, "more than"),
        "maximum": _limit(_above, "at most"),
        "minimum": _limit(_below, "at least"),
        "required": _required,
        "uniqueItems": _unique_items,
    }
    own: dict[str, Any] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "multipleOf": _multiple_of,
        "formatMinimum": _format_minimum,
        "formatMaximum": _format_maximum,
        "$ref": _reference(inherited["$ref"], schema),
        **{name: keyword for name, keyword in replaced.items() if name in inherited},
    }
    if "unevaluatedProperties" in inherited:
        own["unevaluatedProperties"] = _unevaluated(inherited["unevaluatedProperties"])
    type_checker = kind.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
    made = cast("Any", validators).extend(kind, validators=own, type_checker=type_checker)
    return made(schema, registry=registry, format_checker=_formats)


def exact_key(value: Any) -> Any:
    """Something that is the same for the same JSON value: 1 and 1.0 are one number, and true is none."""
    if isinstance(value, bool) or value is None:
        return ("constant", value)
    if isinstance(value, int | float | Decimal):
        return ("number", exact(value))
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        return ("object", frozenset((name, exact_key(item)) for name, item in mapping.items()))
    if isinstance(value, list | tuple):
        return ("array", tuple(exact_key(item) for item in cast("list[Any]", value)))
    return ("text", value)


def exact(number: Any) -> Fraction:
    """The number that was meant: of a float its shortest text, so that 0.3 is a multiple of 0.1."""
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text.

    Raises:
        UncheckableError: it is no pattern that can be checked, or takes too long.
    """
    try:
        return _matches(pattern, text)
    except PatternError as error:
        raise UncheckableError(str(error)) from None


def _reference(inherited: Any, root: Any) -> Any:
    """`$ref` into the schema itself, and not without end."""
    own = str(cast("dict[str, Any]", root).get("$id", "")).rstrip("#") if isinstance(root, dict) else ""
    depth = 0

    def keyword(validator: Any, name: Any, instance: Any, schema: Any) -> _Errors:
        nonlocal depth
        local = name[len(own) :] if own and name.startswith(f"{own}#") else name
        if local != "#" and not local.startswith("#/"):
            raise UncheckableError(f"it refers to {name[:60]!r}; nothing is fetched from elsewhere")
        depth += 1
        try:
            if depth > MOST_REFERENCES:
                raise UncheckableError(f"it leads into itself more than {MOST_REFERENCES} times")
            yield from inherited(validator, name, instance, schema)
        finally:
            depth -= 1

    return keyword


def _elsewhere(_validator: Any, name: Any, _instance: Any, _schema: Any) -> _Errors:
    raise UncheckableError(f"it refers to {str(name)[:60]!r} by name alone")
    yield  # pragma: no cover


def _limit(wrong: Callable[[Fraction, Fraction, Any], bool], words: str) -> Any:
    def keyword(validator: Any, limit: Any, instance: Any, schema: Any) -> _Errors:
        # Draft 4 has true and false here, which belong to the limit beside them.
        if isinstance(limit, bool) or not validator.is_type(instance, "number"):
            return
        if wrong(exact(instance), exact(limit), schema):
            yield ValidationError(f"must be {words} {limit}")

    return keyword


def _below(value: Fraction, limit: Fraction, schema: Any) -> bool:
    return value < limit or (value == limit and schema.get("exclusiveMinimum") is True)


def _above(value: Fraction, limit: Fraction, schema: Any) -> bool:
    return value > limit or (value == limit and schema.get("exclusiveMaximum") is True)


def _enum(_validator: Any, wanted: Any, instance: Any, _schema: Any) -> _Errors:
    key = exact_key(instance)
    if not any(exact_key(one) == key for one in wanted):
        yield ValidationError("is not one of the values")


def _const(validator: Any, wanted: Any, instance: Any, schema: Any) -> _Errors:
    yield from _enum(validator, [wanted], instance, schema)


def _unique_items(validator: Any, wanted: Any, instance: Any, _schema: Any) -> _Errors:
    if not wanted or not validator.is_type(instance, "array"):
        return
    if len({exact_key(item) for item in instance}) < len(instance):
        yield ValidationError("holds the same entry twice")


def _is_number(_checker: Any, value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_integer(_checker: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) or (isinstance(value, Decimal) and value == value.to_integral_value())


def _pattern(validator: Any, pattern: str, instance: Any, _schema: Any) -> _Errors:
    if validator.is_type(instance, "string") and not matches(pattern, instance):
        yield ValidationError(f"does not match {pattern!r}")


def _pattern_properties(
    validator: Any, properties: Mapping[str, Any], instance: Any, _schema: Any
) -> _Errors:
    if not validator.is_type(instance, "object"):
        return
    for pattern, subschema in properties.items():
        for name, value in instance.items():
            if matches(pattern, name):
                yield from validator.descend(value, subschema, path=name, schema_path=pattern)


def _additional_properties(validator: Any, allowed: Any, instance: Any, schema: Any) -> _Errors:
    if not validator.is_type(instance, "object"):
        return
    known: Any = schema.get("properties", {})
    patterns: Any = schema.get("patternProperties", {})
    for name, value in instance.items():
        if name in known or any(matches(pattern, name) for pattern in patterns):
            continue
        if allowed is False:
            yield ValidationError("is not one of the fields", path=[name])
        elif isinstance(allowed, dict):
            yield from validator.descend(value, cast("Any", allowed), path=name)


def _unevaluated(inherited: Any) -> Any:
    def keyword(validator: Any, allowed: Any, instance: Any, schema: Any) -> _Errors:
        # The library's own search for what was evaluated would run these patterns without a limit.
        if _holds(schema, "patternProperties"):
            raise UncheckableError("it uses patternProperties and unevaluatedProperties together")
        if allowed is not False or not validator.is_type(instance, "object"):
            yield from inherited(validator, allowed, instance, schema)
            return
        for name in instance:
            if any(inherited(validator, False, {name: instance[name]}, schema)):
                yield ValidationError("is not one of the fields", path=[name])

    return keyword


def _holds(schema: Any, keyword: str) -> bool:
    level: list[Any] = [schema]
    while level:
        item = level.pop()
        if isinstance(item, dict):
            mapping = cast("dict[str, Any]", item)
            if keyword in mapping:
                return True
            level.extend(mapping.values())
        elif isinstance(item, list):
            level.extend(cast("list[Any]", item))
    return False


def _required(validator: Any, names: Any, instance: Any, _schema: Any) -> _Errors:
    if not validator.is_type(instance, "object"):
        return
    for name in names:
        if name not in instance:
            yield ValidationError("is missing", path=[name])


def _multiple_of(validator: Any, step: Any, instance: Any, _schema: Any) -> _Errors:
    if validator.is_type(instance, "number") and exact(instance) % exact(step):
        yield ValidationError(f"must be a multiple of {step}")


def _format_minimum(_validator: Any, first: Any, instance: Any, _schema: Any) -> _Errors:
    # Dates and times as ISO 8601 texts: their order is that of their letters.
    if isinstance(instance, str) and isinstance(first, str) and instance < first:
        yield ValidationError(f"must be {first} or later")


def _format_maximum(_validator: Any, last: Any, instance: Any, _schema: Any) -> _Errors:
    if isinstance(instance, str) and isinstance(last, str) and instance > last:
        yield ValidationError(f"must be {last} or earlier")
