"""The formats of texts that are checked, with the same verdict as the page (`components/formats.js`).

Another format is only a hint. Dates and times are those of RFC 3339; a time alone may be without a zone,
since pydantic calls its times so.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from datetime import date
from typing import Final

from jsonschema import FormatChecker

_DATE: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_ZONE: Final = r"[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9]"
_CLOCK: Final = r"(?:[01][0-9]|2[0-3]):[0-5][0-9](?::[0-5][0-9](?:\.[0-9]{1,9})?)?"
_TIME: Final = re.compile(rf"{_CLOCK}(?:{_ZONE})?")
_ZONED_TIME: Final = re.compile(rf"[Tt ]{_CLOCK}(?:{_ZONE})")
_UUID: Final = re.compile(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")

_BLANK: Final = r"\u0000-\u0020\u007f-\u00a0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"
_LOCAL: Final = rf"""[^{_BLANK}@<>()\[\],;:\\"]+"""
_LABEL: Final = rf"""[^{_BLANK}@.<>()\[\],;:\\"]+"""
_EMAIL: Final = re.compile(rf"{_LOCAL}@{_LABEL}(?:\.{_LABEL})*")
_URI: Final = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]*:(?://(?P<host>[^/?#]*))?(?P<path>[^?#]*)(?:\?[^#]*)?(?:#.*)?"
)
_URI_SIGNS: Final = re.compile(r"[!#-;=?-\[\]_a-z~]*")
_HOST: Final = re.compile(r"(?:[^\[\]@]*@)?(?:\[[0-9A-Fa-f:.]+\]|[^\[\]@]*)(?::[0-9]*)?")


def is_date(text: str) -> bool:
    """Whether a text is a date like 2026-11-30."""
    if _DATE.fullmatch(text) is None:
        return False
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def _is_date_time(text: str) -> bool:
    return is_date(text[:10]) and _ZONED_TIME.fullmatch(text, 10) is not None


def _is_email(text: str) -> bool:
    return len(text) <= 320 and _EMAIL.fullmatch(text) is not None


def _is_uri(text: str) -> bool:
    parts = _URI.fullmatch(text) if _URI_SIGNS.fullmatch(text) else None
    if parts is None or not (parts["host"] or parts["path"]):
        return False
    return _HOST.fullmatch(parts["host"] or "") is not None


FORMATS: Final[Mapping[str, Callable[[str], bool]]] = {
    "date": is_date,
    "date-time": _is_date_time,
    "email": _is_email,
    "time": lambda text: _TIME.fullmatch(text) is not None,
    "uri": _is_uri,
    "uuid": lambda text: _UUID.fullmatch(text) is not None,
}
"""From the name of a format to whether a text has it."""


def checker() -> FormatChecker:
    """These formats, and no other, for a validator."""
    made = FormatChecker(formats=())
    for name, test in FORMATS.items():
        made.checks(name)(_of_texts(test))
    return made


def _of_texts(test: Callable[[str], bool]) -> Callable[[object], bool]:
    return lambda value: not isinstance(value, str) or test(value)
