"""A form card as a page shows it: pure functions from `protocol.forms` to views. Values are JSON texts."""

from __future__ import annotations

from typing import Any, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.form_answers import values_schema
from reflex_agentkit.protocol.forms import FormCard, FormField, read_card
from reflex_agentkit.state.views import CardView, FieldView, OptionView


def card_view(card: FormCard | None) -> CardView | None:
    """The card with every value as text, `None` where there is no card."""
    if card is None:
        return None
    return CardView(
        form_type=card.form_type,
        tool=card.tool,
        title=card.title,
        context_text="" if card.context in (None, {}, "") else json_text.write(card.context, indent=2),
        fields=[_field_view(field) for field in card.fields],
        left_out_text=json_text.write(list(card.left_out), indent=2) if card.left_out else "",
        approve=card.approve,
        decline=card.decline,
        schema_text=json_text.write(values_schema(card)),
    )


def noted_card(text: str) -> CardView | None:
    """The card that a decision's note keeps."""
    try:
        form: Any = json_text.read(text) if text else None
    except InvalidJSONError:
        return None
    return card_view(read_card(cast("dict[str, Any]", form))) if isinstance(form, dict) else None


def _field_view(field: FormField) -> FieldView:
    return FieldView(
        name=field.name,
        label=field.label,
        kind=field.kind,
        whole=field.whole,
        options=[OptionView(json_text.write(one.value), one.label) for one in field.options],
        default_text=field.default_text,
        required=field.required,
        placeholder=field.placeholder,
        help=field.help,
        currency=field.currency,
        minimum=_limit(field.minimum),
        maximum=_limit(field.maximum),
    )


def _limit(value: Any) -> str:
    return "" if value is None else value if isinstance(value, str) else json_text.write(value)
