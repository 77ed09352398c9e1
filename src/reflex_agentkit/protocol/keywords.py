"""JSON Schema keywords made safe: patterns with a time limit, exact numbers, missing fields by name."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import date, datetime, time
from decimal import Decimal
from fractions import Fraction
from typing import Any, Final, TypeAlias, cast
from urllib.parse import urlsplit

import regex
from jsonschema import FormatChecker, validators
from jsonschema.exceptions import ValidationError

PATTERN_SECONDS: Final = 0.1
"""How long one pattern may take on one text."""

MAX_PATTERN: Final = 2_000

_Errors: TypeAlias = Iterator[ValidationError]

formats: Final = FormatChecker(formats=())


class UncheckableError(Exception):
    """A schema asks for something that cannot be checked safely. Never leaves `protocol.schema`."""


def guarded(kind: Any, schema: Any, registry: Any) -> Any:
    """A validator of a draft's class with these keywords for its own; `registry` is all that it may read."""
    own: dict[str, Any] = {
        "pattern": _pattern,
        "patternProperties": _pattern_properties,
        "additionalProperties": _additional_properties,
        "multipleOf": _multiple_of,
        "formatMinimum": _format_minimum,
        "formatMaximum": _format_maximum,
    }
    inherited: Any = kind.VALIDATORS
    if "required" in inherited:
        own["required"] = _required
    if "unevaluatedProperties" in inherited:
        own["unevaluatedProperties"] = _unevaluated(inherited["unevaluatedProperties"])
    checker = kind.TYPE_CHECKER.redefine_many({"number": _is_number, "integer": _is_integer})
    made = cast("Any", validators).extend(kind, validators=own, type_checker=checker)
    return made(schema, registry=registry, format_checker=formats)


def _is_number(_checker: Any, value: Any) -> bool:
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def _is_integer(_checker: Any, value: Any) -> bool:
    if isinstance(value, bool):
        return False
    if isinstance(value, float):
        return value.is_integer()
    return isinstance(value, int) or (isinstance(value, Decimal) and value == value.to_integral_value())


def matches(pattern: str, text: str) -> bool:
    """Whether a pattern is found in a text.

    Raises:
        UncheckableError: it is too long, not a pattern, or takes too long.
    """
    if len(pattern) > MAX_PATTERN:
        raise UncheckableError(f"a pattern of {len(pattern):,} characters")
    try:
        return regex.search(pattern, text, timeout=PATTERN_SECONDS) is not None
    except TimeoutError:
        raise UncheckableError(f"the pattern {pattern[:60]!r} takes too long") from None
    except regex.error as error:
        raise UncheckableError(f"{pattern[:60]!r} is not a pattern ({error})") from None


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
    if validator.is_type(instance, "number") and _exact(instance) % _exact(step):
        yield ValidationError(f"must be a multiple of {step}")


def _format_minimum(_validator: Any, first: Any, instance: Any, _schema: Any) -> _Errors:
    # Dates and times as ISO 8601 texts: their order is that of their letters.
    if isinstance(instance, str) and isinstance(first, str) and instance < first:
        yield ValidationError(f"must be {first} or later")


def _format_maximum(_validator: Any, last: Any, instance: Any, _schema: Any) -> _Errors:
    if isinstance(instance, str) and isinstance(last, str) and instance > last:
        yield ValidationError(f"must be {last} or earlier")


def _exact(number: Any) -> Fraction:
    # The shortest text of a float is what a person meant by it: 0.3 is a multiple of 0.1.
    return Fraction(repr(number)) if isinstance(number, float) else Fraction(number)


# The standard library reads weeks and short forms too, which JSON Schema does not mean.
_DATE: Final = regex.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")


def _has_form(value: object, form: Any, read: Callable[[str], object]) -> bool:
    if not isinstance(value, str):
        return True
    try:
        read(value)
    except ValueError:
        return False
    return form.fullmatch(value) is not None


@formats.checks("date")
def is_date(value: object) -> bool:
    """Whether a text is a date like 2026-11-30. What is no text is for other keywords."""
    return _has_form(value, _DATE, date.fromisoformat)


_TIME: Final = regex.compile(r"[0-9]{2}:[0-9]{2}(:[0-9]{2}(\.[0-9]+)?)?([zZ]|[+-][0-9]{2}:[0-9]{2})?")


@formats.checks("time")
def _is_time(value: object) -> bool:
    # A zone may be left out: Python's own models publish this format for a time of day without one.
    return _has_form(value, _TIME, lambda text: time.fromisoformat(text.replace("z", "Z")))


@formats.checks("date-time")
def _is_date_time(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        moment = datetime.fromisoformat(value.replace("t", "T").replace("z", "Z"))
    except ValueError:
        return False
    day, mark = value[:10], value[10:11]
    return moment.tzinfo is not None and mark in ("T", "t", " ") and _DATE.fullmatch(day) is not None


_EMAIL: Final = regex.compile(r"[^\s@<>()\[\],;:\\\"]+@[^\s@.<>()\[\],;:\\\"]+(?:\.[^\s@.<>()\[\],;:\\\"]+)*")


@formats.checks("email")
def _is_email(value: object) -> bool:
    return not isinstance(value, str) or (len(value) <= 320 and _EMAIL.fullmatch(value) is not None)


@formats.checks("uri")
def _is_uri(value: object) -> bool:
    if not isinstance(value, str):
        return True
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    whole = value.isascii() and value.isprintable() and not any(part in value for part in ' <>"{}|\\^`')
    return whole and bool(parts.scheme) and bool(parts.netloc or parts.path)
