"""What a schema's complaint is called for a person: the field, what it must be, what it is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, TypeAlias, cast

from jsonschema.exceptions import ValidationError

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

Place: TypeAlias = tuple[str | int, ...]

_TYPES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "object": "an object with named fields",
    "array": "a list",
    "null": "null",
}

_Words: TypeAlias = Callable[[Any, ValidationError], str]

_WORDS: Final[dict[str, _Words]] = {
    "type": lambda wanted, error: f"must be {_one_of_types(wanted)}, not {shown(error.instance)}",
    "enum": lambda wanted, _: f"must be one of {_several(wanted)}",
    "const": lambda wanted, _: f"must be {shown(wanted)}",
    "minimum": lambda wanted, error: f"must be {wanted} or more, not {shown(error.instance)}",
    "maximum": lambda wanted, error: f"must be {wanted} or less, not {shown(error.instance)}",
    "exclusiveMinimum": lambda wanted, error: f"must be more than {wanted}, not {shown(error.instance)}",
    "exclusiveMaximum": lambda wanted, error: f"must be less than {wanted}, not {shown(error.instance)}",
    "minLength": lambda wanted, error: f"must have at least {wanted} characters, not {_length(error)}",
    "maxLength": lambda wanted, error: f"must have at most {wanted} characters, not {_length(error)}",
    "minItems": lambda wanted, error: f"must have at least {wanted} entries, not {_length(error)}",
    "maxItems": lambda wanted, error: f"must have at most {wanted} entries, not {_length(error)}",
    "minProperties": lambda wanted, error: f"must have at least {wanted} fields, not {_length(error)}",
    "maxProperties": lambda wanted, error: f"must have at most {wanted} fields, not {_length(error)}",
    "uniqueItems": lambda _wanted, _error: "must not hold the same entry twice",
    "format": lambda wanted, error: f"must be a valid {wanted}, not {shown(error.instance)}",
}


def describe(error: ValidationError) -> Iterator[tuple[Place, str]]:
    """The complaint as places and words; of several allowed forms, only the one that was meant is told."""
    keyword = str(error.validator)
    if keyword in ("anyOf", "oneOf") and error.context:
        yield from _alternatives(error)
        return
    words = _WORDS.get(keyword)
    text = words(error.validator_value, error) if words else error.message
    yield _place(error), text if len(text) <= 300 else f"{text[:300]}…"


def shown(value: Any) -> str:
    """A value in a sentence, short."""
    try:
        text = json_text.write(value)
    except InvalidJSONError:
        return "something that is not JSON"
    return text if len(text) <= 60 else f"{text[:60]}… ({len(text):,} characters)"


def _alternatives(error: ValidationError) -> Iterator[tuple[Place, str]]:
    forms: dict[Any, list[ValidationError]] = {}
    for found in error.context or ():
        forms.setdefault(found.relative_schema_path[0], []).append(found)
    meant = [found for found in forms.values() if not _wrong_type(found, _place(error))]
    if len(meant) == 1:
        for found in meant[0]:
            yield from describe(found)
        return
    types: list[str] = []
    for found in forms.values():
        for one in found:
            if one.validator == "type" and _place(one) == _place(error):
                wanted: Any = one.validator_value
                types.extend(cast("list[str]", wanted) if isinstance(wanted, list) else [str(wanted)])
    if types and not meant:
        yield _place(error), f"must be {_one_of_types(types)}, not {shown(error.instance)}"
        return
    yield _place(error), f"fits none of the {len(forms)} allowed forms: {shown(error.instance)}"


def _wrong_type(errors: Sequence[ValidationError], place: Place) -> bool:
    return any(error.validator == "type" and _place(error) == place for error in errors)


def _place(error: ValidationError) -> Place:
    return tuple(error.absolute_path)


def _one_of_types(wanted: Any) -> str:
    names = cast("list[str]", wanted) if isinstance(wanted, list) else [str(wanted)]
    return " or ".join(dict.fromkeys(_TYPES.get(name, name) for name in names))


def _several(values: Any) -> str:
    some = [shown(value) for value in cast("list[Any]", values)[:10]]
    return ", ".join(some) + (", …" if len(values) > 10 else "")


def _length(error: ValidationError) -> str:
    return f"{len(cast('Any', error.instance)):,}"
