"""Arguments whose numbers keep their value on the way into a tool.

The SDK reads arguments with floats: 12345678901234567.89 would reach a `Decimal` as another number. Where the
tool's schema takes a number as a text too, as pydantic's does for a `Decimal`, it goes in as that.
"""

from __future__ import annotations

from decimal import Decimal
from typing import Any, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.schema import check


def arguments(written: str) -> dict[str, Any]:
    """The arguments of a call with exact numbers.

    Raises:
        InvalidJSONError: not a JSON object, or one whose values could not be kept.
    """
    value = json_text.read(written.strip() or "{}")
    if not isinstance(value, dict):
        raise InvalidJSONError("the arguments are not a JSON object")
    return cast("dict[str, Any]", value)


def exact_text(args: dict[str, Any], schema: dict[str, Any]) -> str:
    """The arguments as JSON text from which the SDK loses nothing that the tool can take."""
    quoted = _quoted(args)
    if quoted != args and not check(quoted, schema):
        return json_text.write(quoted)
    return json_text.write(args)


def _quoted(value: Any) -> Any:
    """The value with those numbers as texts that need more than a float."""
    if isinstance(value, dict):
        return {key: _quoted(item) for key, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, list):
        return [_quoted(item) for item in cast("list[Any]", value)]
    return str(value) if isinstance(value, Decimal) else value
