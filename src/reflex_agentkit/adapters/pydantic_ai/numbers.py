"""Arguments whose numbers keep their value on the way into PydanticAI.

PydanticAI validates JSON text through floats: 12345678901234567.89 reaches a `Decimal` as 12345678901234568,
and even an `int` as that. Where a number needs more than a float, the arguments go in as values instead.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, TypeAlias, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

RawArgs: TypeAlias = str | dict[str, Any]


def arguments(written: RawArgs | None) -> dict[str, Any]:
    """The arguments of a call with exact numbers.

    Raises:
        InvalidJSONError: not a JSON object, or one whose values could not be kept.
    """
    value = written if isinstance(written, dict) else json_text.read(written or "{}")
    if not isinstance(value, dict):
        raise InvalidJSONError("the arguments are not a JSON object")
    return cast("dict[str, Any]", value)


def exact(written: RawArgs | None) -> RawArgs:
    """The arguments in the form in which validation loses nothing.

    That is JSON text where floats suffice, since strict models take dates and the like from JSON alone, and
    values with a `Decimal` where they do not.

    Raises:
        InvalidJSONError: not a JSON object, or one whose values could not be kept.
    """
    args = arguments(written)
    if holds_decimal(args):
        return args
    return written if isinstance(written, str) and written else json_text.write(args)


def holds_decimal(value: Any) -> bool:
    """Whether a number in the value needs more than a float. `json_text` bounds the depth."""
    if isinstance(value, dict):
        return any(map(holds_decimal, cast("dict[str, Any]", value).values()))
    if isinstance(value, list | tuple):
        return any(map(holds_decimal, cast("list[Any]", value)))
    return isinstance(value, Decimal)
