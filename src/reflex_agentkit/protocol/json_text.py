"""JSON whose numbers keep their value.

Arguments travel as text, from the model through a browser to the tool. Reading that text gives an `int`
for an integer of any size, a `float` where a float holds exactly what was written, and a `Decimal`
where it would not (12345678901234567.89). Writing gives the same number back, so 1.0 does not become 1.
"""

from __future__ import annotations

import json
import math
import re
from decimal import Decimal
from typing import Any, Final, cast

import simplejson

from reflex_agentkit.errors import InvalidJSONError

MAX_DEPTH = 200
"""Deeper nesting is refused: no tool needs it, and every later step would have to survive it."""

MAX_DIGITS = 4000
"""A longer number is refused (Python itself stops at 4,300 digits)."""

_HALF: Final = re.compile(r"[\ud800-\udfff]")


def read(text: str) -> Any:
    """The value that a JSON text holds, every number exact.

    Raises:
        InvalidJSONError: not JSON, a key given twice, `NaN`, a number that is too large, nested too deep.
    """
    try:
        value = json.loads(
            text,
            parse_int=_integer,
            parse_float=_decimal,
            parse_constant=_constant,
            object_pairs_hook=_object,
        )
    except json.JSONDecodeError as error:
        raise InvalidJSONError(
            f"{error.msg} (line {error.lineno}, column {error.colno})", line=error.lineno, column=error.colno
        ) from None
    except RecursionError:
        raise InvalidJSONError(f"nested deeper than {MAX_DEPTH} levels") from None
    check_depth(value)
    return value


def write(value: Any, *, indent: int | None = None) -> str:
    """The JSON text of a value; a `Decimal` is written as the number it is.

    Raises:
        InvalidJSONError: the value is not JSON (a set, `NaN`, a key that is not text, nested too deep).
    """
    separators = (",", ": ") if indent else (", ", ": ")
    return _dump(value, indent=indent, separators=separators, sort_keys=False)


def canonical(value: Any) -> str:
    """One text for one value: sorted keys, no spaces. 1 and 1.0 are two values."""
    return _dump(value, indent=None, separators=(",", ":"), sort_keys=True)


def same(left: Any, right: Any) -> bool:
    """Whether two values are the same JSON, telling 1 from 1.0 and from true."""
    return canonical(left) == canonical(right)


def check_depth(value: Any, limit: int = MAX_DEPTH) -> None:
    """Refuse a value that is nested deeper than `limit` or has a key that is not text, without recursion."""
    level: list[Any] = [value]
    for _ in range(limit + 1):
        level = [child for item in level for child in _children(item)]
        if not level:
            return
    raise InvalidJSONError(f"nested deeper than {limit} levels")


def _children(item: Any) -> list[Any]:
    if isinstance(item, dict):
        mapping = cast("dict[Any, Any]", item)
        if not all(isinstance(key, str) for key in mapping):
            raise InvalidJSONError("a key of an object is not a text")
        return list(mapping.values())
    if isinstance(item, list | tuple):
        return list(cast("list[Any]", item))
    return []


def _integer(text: str) -> int:
    if len(text) > MAX_DIGITS:
        raise InvalidJSONError(f"a number of {len(text)} digits; at most {MAX_DIGITS} are possible")
    return int(text)


def _decimal(text: str) -> float | Decimal:
    if len(text) > MAX_DIGITS:
        raise InvalidJSONError(f"a number of {len(text)} digits; at most {MAX_DIGITS} are possible")
    exact, near = Decimal(text), float(text)
    if math.isinf(near):
        raise InvalidJSONError(f"{text} is too large for a number")
    # `repr` is the shortest text that gives the same float: where it says what was written, nothing is lost.
    return near if Decimal(repr(near)) == exact else exact


def _constant(text: str) -> Any:
    raise InvalidJSONError(f"{text} is not a JSON number")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        seen: set[str] = set()
        twice = next(key for key, _ in pairs if key in seen or seen.add(key))
        raise InvalidJSONError(f"the key {twice!r} is given twice")
    return found


def _dump(value: Any, *, indent: int | None, separators: tuple[str, str], sort_keys: bool) -> str:
    check_depth(value)

    def dumped(*, ascii_only: bool) -> str:
        # simplejson, since the standard writer has no way to give a Decimal its own digits.
        return simplejson.dumps(
            value,
            use_decimal=True,
            indent=indent,
            separators=separators,
            sort_keys=sort_keys,
            ensure_ascii=ascii_only,
            allow_nan=False,
        )

    try:
        text = dumped(ascii_only=False)
        # Half of a surrogate pair has no UTF-8: it stays the escape that it came as.
        return dumped(ascii_only=True) if _HALF.search(text) else text
    except (TypeError, ValueError, ArithmeticError) as error:
        raise InvalidJSONError(f"not JSON: {error}") from None
