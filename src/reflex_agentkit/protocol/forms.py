"""Form cards: a request that brings its own form, read into fields.

The card comes from an agent, so nothing of it is trusted. A field of a kind that is not known becomes a text,
what is no field is kept beside the fields, and what cannot be read as a card at all is none, so that the JSON
editor stands in its place.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final, Literal, cast, get_args

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.formats import is_date

FieldKind = Literal[
    "text",
    "textarea",
    "number",
    "currency",
    "checkbox",
    "select",
    "radio",
    "multiselect",
    "date",
    "time",
    "json",
]

CHOICES: Final = frozenset({"select", "radio", "multiselect"})
NUMBERS: Final = frozenset({"number", "currency"})
TIME: Final = "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$"
"""What a time of day looks like."""

MAX_FIELDS: Final = 100
MAX_OPTIONS: Final = 500
MAX_BUTTON: Final = 40
"""Signs of a button's words; longer ones are left to ours."""

_KINDS: Final[tuple[str, ...]] = get_args(FieldKind)
_OTHER_NAMES: Final[Mapping[str, FieldKind]] = {
    "boolean": "checkbox", "switch": "checkbox", "toggle": "checkbox", "dropdown": "select",
    "float": "number", "int": "number", "integer": "number", "money": "currency", "object": "json",
}  # fmt: skip
_KNOWN: Final = frozenset({*_KINDS, *_OTHER_NAMES, "", "string", "email", "url", "tel"})
_DRAWN: Final = CHOICES | {"textarea", "checkbox", "currency", "switch", "toggle", "dropdown"}
"""Kinds that only a form has. Others are types of data too, of the columns of a table, say."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FormOption:
    """One choice: the value that is sent, and what is shown for it."""

    value: Any
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FormField:
    """One field. `default_text` is its default as JSON text, empty where it has none.

    `free` is a field of a kind that is not known, or with choices that cannot be read: drawn as a text, and
    any value may be given as JSON.
    `minimum` and `maximum` are numbers of a number, lengths of a text, ISO 8601 texts of a date or a time.
    """

    name: str
    label: str
    kind: FieldKind
    whole: bool = False
    free: bool = False
    options: tuple[FormOption, ...] = ()
    default_text: str = ""
    required: bool = False
    placeholder: str = ""
    help: str = ""
    currency: str = ""
    minimum: Any = None
    maximum: Any = None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormCard:
    """A card. `approve` and `decline` are its own words for the two buttons, empty where it has none.

    `left_out` is what stands among the fields and is none: it has no name, or that of another field.
    """

    form_type: str = ""
    tool: str = ""
    title: str = ""
    context: Any = None
    fields: tuple[FormField, ...] = ()
    left_out: tuple[Any, ...] = ()
    approve: str = ""
    decline: str = ""


def read_card(form: Mapping[str, Any] | None) -> FormCard | None:
    """The card that a form describes; `None` where there is none, or none that can be shown.

    With a `formType` or a `title` whatever has a list of `fields` is a card. Without them it is one if its
    fields can only be those of a form: one has a label, choices, or a kind such as `checkbox`.
    """
    listed: Any = (form or {}).get("fields")
    if form is None or not isinstance(listed, list) or len(cast("list[Any]", listed)) > MAX_FIELDS:
        return None
    found: dict[str, FormField] = {}
    left: list[Any] = []
    for item in cast("list[Any]", listed):
        field = _field(item)
        if field is None or field.name in found:
            left.append(item)
        else:
            found[field.name] = field
    if not found and listed:
        return None
    named = _text(form, "formType") or _text(form, "title")
    if not named and (left or not any(_is_of_a_form(item) for item in cast("list[Any]", listed))):
        return None
    return FormCard(
        form_type=_text(form, "formType"),
        tool=_text(form, "tool"),
        title=_text(form, "title"),
        context=form.get("context"),
        fields=tuple(found.values()),
        left_out=tuple(left),
        approve=_button(form, "approveLabel", "approve_label", "submitLabel", "submit_label"),
        decline=_button(form, "declineLabel", "decline_label", "rejectLabel", "reject_label"),
    )


def is_number(value: Any) -> bool:
    """Whether a value is a number; true and false are none."""
    return isinstance(value, int | float | Decimal) and not isinstance(value, bool)


def exact_number(text: str) -> Any:
    """The number that a text holds, exact; `None` where it holds none."""
    try:
        value = json_text.read(text.strip())
    except InvalidJSONError:
        return None
    return value if is_number(value) else None


def _field(item: Any) -> FormField | None:
    if not isinstance(item, dict):
        return None
    given = cast("dict[str, Any]", item)
    name = _text(given, "name")
    if not name:
        return None
    options = _options(given.get("options"))
    word = _word(given)
    kind = _kind(word, options or (), given.get("default")) if options is not None else "text"
    return FormField(
        name=name,
        label=_text(given, "label") or name,
        kind=kind,
        free=options is None or (kind == "text" and word not in CHOICES and word not in _KNOWN),
        whole=word in ("integer", "int"),
        options=(options or ()) if kind in CHOICES else (),
        default_text=_default(kind, options or (), given.get("default")),
        required=given.get("required") is True,
        placeholder=_text(given, "placeholder"),
        help=_text(given, "help") or _text(given, "description"),
        currency=_text(given, "currency")[:8] if kind == "currency" else "",
        minimum=_bound(kind, given, "min", "minimum"),
        maximum=_bound(kind, given, "max", "maximum"),
    )


def _word(given: Mapping[str, Any]) -> str:
    return "".join(sign for sign in _text(given, "type").lower() if sign.isalnum())


def _is_of_a_form(item: Mapping[str, Any]) -> bool:
    return bool(_text(item, "label") or isinstance(item.get("options"), list) or _word(item) in _DRAWN)


def _kind(word: str, options: tuple[FormOption, ...], default: Any) -> FieldKind:
    if word in CHOICES and not options:
        return "text"
    if word in _KINDS:
        return cast("FieldKind", word)
    if word in _OTHER_NAMES:
        return "text" if word == "dropdown" and not options else _OTHER_NAMES[word]
    # Not a kind of ours: what else the field says tells what its value is.
    if options:
        return "select"
    if isinstance(default, bool):
        return "checkbox"
    if is_number(default):
        return "number"
    return "json" if isinstance(default, dict | list) else "text"


def _options(listed: Any) -> tuple[FormOption, ...] | None:
    """The choices, each value once; `None` where they are no list, or too many."""
    if listed is None:
        return ()
    if not isinstance(listed, list) or len(cast("list[Any]", listed)) > MAX_OPTIONS:
        return None
    found: dict[str, FormOption] = {}
    for item in cast("list[Any]", listed):
        given = cast("dict[str, Any]", item) if isinstance(item, dict) else {"value": item}
        if "value" not in given and isinstance(given.get("label"), str):
            given = {"value": given["label"]}
        value: Any = given.get("value", given)
        shown = value if isinstance(value, str) else json_text.write(value)
        option = FormOption(value=value, label=_text(given, "label") or shown)
        found.setdefault(json_text.canonical(value), option)
    return tuple(found.values())


def _default(kind: FieldKind, options: tuple[FormOption, ...], default: Any) -> str:
    """A default that the field can hold, as JSON text."""
    values = {json_text.canonical(option.value) for option in options}
    if kind in NUMBERS and isinstance(default, str):
        default = exact_number(default)
    if default is None:
        return ""
    fits = {
        "checkbox": isinstance(default, bool),
        "json": True,
        "multiselect": isinstance(default, list)
        and all(json_text.canonical(one) in values for one in cast("list[Any]", default)),
        "number": is_number(default),
        "currency": is_number(default),
        "select": json_text.canonical(default) in values,
        "radio": json_text.canonical(default) in values,
        "date": _is_moment(kind, default),
        "time": _is_moment(kind, default),
    }
    return json_text.write(default) if fits.get(kind, isinstance(default, str)) else ""


def _bound(kind: FieldKind, given: Mapping[str, Any], *names: str) -> Any:
    value = next((given[name] for name in names if given.get(name) is not None), None)
    if kind in ("date", "time"):
        return value if _is_moment(kind, value) else None
    if kind in NUMBERS:
        value = exact_number(value) if isinstance(value, str) else value
        return value if is_number(value) else None
    if kind in ("text", "textarea", "multiselect"):
        return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
    return None


def _is_moment(kind: FieldKind, value: Any) -> bool:
    """Whether a value is a text that a field for a date, or for a time, can hold."""
    if not isinstance(value, str):
        return False
    return is_date(value) if kind == "date" else re.fullmatch(TIME, value) is not None


def _text(given: Mapping[str, Any], name: str) -> str:
    value = given.get(name)
    return value.strip() if isinstance(value, str) else ""


def _button(form: Mapping[str, Any], *names: str) -> str:
    words = next((text for name in names if (text := _text(form, name))), "")
    return words if len(words) <= MAX_BUTTON and words.isprintable() else ""
