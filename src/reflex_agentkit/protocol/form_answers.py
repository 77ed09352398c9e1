"""The answer to a form card: its JSON Schema, and an answer as the form itself would send it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.forms import NUMBERS, TIME, FormCard, FormField, exact_number, read_card


def answer_schema(card: FormCard) -> dict[str, Any]:
    """The schema of `{"approved": bool, "values": {...}}`. Declining needs no values, so none are checked."""
    agreed: dict[str, Any] = {"properties": {"values": values_schema(card)}}
    if any(field.required for field in card.fields):
        agreed["required"] = ["values"]
    return {
        "type": "object",
        "properties": {"approved": {"type": "boolean"}, "values": {"type": "object"}},
        "required": ["approved"],
        "if": {"properties": {"approved": {"const": True}}},
        "then": agreed,
    }


def values_schema(card: FormCard) -> dict[str, Any]:
    """The schema of the values alone: one property a field, and no other."""
    schema: dict[str, Any] = {
        "type": "object",
        "properties": {field.name: _schema(field) for field in card.fields},
        "additionalProperties": False,
    }
    if required := [field.name for field in card.fields if field.required]:
        schema["required"] = required
    return schema


def schema_of_form(form: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """The schema of the answer to a form, `None` where it is no card."""
    card = read_card(form)
    return None if card is None else answer_schema(card)


def card_of(form: Mapping[str, Any] | None, schema: dict[str, Any] | None) -> FormCard | None:
    """The card that a person answers: where the form's own schema is what was asked for.

    `None` where the form is no card, or the agent wants another answer than that of the card.
    """
    card = read_card(form)
    own = None if card is None else _rough(answer_schema(card))
    return card if own is not None and own == _rough(schema) else None


def form_answer(form: Mapping[str, Any] | None, schema: dict[str, Any] | None, value: Any) -> Any:
    """An answer as the form would have sent it.

    A yes without `values` means the form as it stood, with its defaults. Texts for number fields are the
    exact numbers that they hold: a page of an app sends what was typed, and a browser would change a long
    number. Where the agent asks for another answer than that of its card, the value stays what it is.
    """
    card = card_of(form, schema)
    if card is None or not isinstance(value, dict):
        return cast("object", value)
    answer = cast("dict[str, Any]", value)
    if answer.get("approved") is True and "values" not in answer:
        stood = {one.name: json_text.read(one.default_text) for one in card.fields if one.default_text}
        return {**answer, "values": stood}
    if not isinstance(answer.get("values"), dict):
        return answer
    given: dict[str, Any] = dict(answer["values"])
    for field in card.fields:
        text = given.get(field.name)
        if field.kind in NUMBERS and isinstance(text, str) and (number := exact_number(text)) is not None:
            given[field.name] = number
    return {**answer, "values": given}


def _rough(schema: dict[str, Any] | None) -> Any:
    """A schema with every number as a float: on its way over a wire an exact one may have become that."""
    try:
        return json.loads(json_text.write(schema), parse_int=float)
    except (InvalidJSONError, ValueError, OverflowError):
        return None


def _schema(field: FormField) -> dict[str, Any]:
    schema: dict[str, Any] = {"title": field.label}
    low, high = field.minimum, field.maximum
    if field.free:
        return schema
    match field.kind:
        case "checkbox":
            schema["type"] = "boolean"
            if field.required:  # as everywhere on the web: it has to be ticked
                schema["const"] = True
        case "number" | "currency":
            schema["type"] = "integer" if field.whole else "number"
            _limits(schema, "minimum", "maximum", low, high)
        case "select" | "radio":
            schema["enum"] = [option.value for option in field.options]
        case "multiselect":
            schema |= {"type": "array", "uniqueItems": True}
            schema["items"] = {"enum": [option.value for option in field.options]}
            _limits(schema, "minItems", "maxItems", _some(field, low), high)
        case "date":
            schema |= {"type": "string", "format": "date"}
            _limits(schema, "formatMinimum", "formatMaximum", low, high)
        case "time":
            schema |= {"type": "string", "pattern": TIME}
            _limits(schema, "formatMinimum", "formatMaximum", low, high)
        case "text" | "textarea":
            schema["type"] = "string"
            _limits(schema, "minLength", "maxLength", _some(field, low), high)
        case "json":
            pass
    return schema


def _some(field: FormField, low: Any) -> Any:
    """What a person has to fill in cannot be left empty."""
    return max(low or 0, 1) if field.required else low


def _limits(schema: dict[str, Any], least: str, most: str, low: Any, high: Any) -> None:
    if low is not None:
        schema[least] = low
    if high is not None:
        schema[most] = high
