"""A JSON Schema as a check that says what is wrong and where, in words for a person.

The schema comes from an agent and the value from a person, so neither is trusted: nothing is fetched, a
pattern has a time limit, sizes have limits, and a schema that cannot be checked refuses.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice
from typing import Any, Final, cast

from jsonschema import Draft202012Validator, FormatChecker
from jsonschema.exceptions import SchemaError, UnknownType, ValidationError
from jsonschema.validators import validator_for
from referencing.exceptions import Unresolvable
from referencing.jsonschema import EMPTY_REGISTRY

from reflex_agentkit.protocol.dialect import dialect_fault
from reflex_agentkit.protocol.json_text import MAX_DEPTH
from reflex_agentkit.protocol.keywords import UncheckableError, guarded
from reflex_agentkit.protocol.plain import pointer_part
from reflex_agentkit.protocol.wording import describe

MAX_NODES: Final = 100_000
MAX_TEXT: Final = 2_000_000
MAX_PROBLEMS: Final = 20
MAX_EXPONENT: Final = 5_000

# Which patterns can be checked is told by `patterns`, for both sides.
_ANY_TEXT: Final = FormatChecker(formats=())

_TOO_OLD: Final = ("draft-03", "draft-04", "draft-06", "draft-07")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong: `path` is a JSON pointer into the value, `message` a sentence."""

    path: str
    message: str


def check(value: Any, schema: Any) -> list[Problem]:
    """What is wrong with a value; at most 20 problems, none where it fits.

    Draft 2020-12, or the draft that `$schema` names. The formats date, time, date-time, email, uri and uuid
    are checked. The page comes to the same verdict with `components/json_schema.js`.
    """
    size = check_size(value)
    if size is not None:
        return [size]
    if not isinstance(schema, dict | bool):
        return [_cannot(f"a schema is an object, not {type(schema).__name__}")]
    if check_size(schema) is not None:
        return [_cannot("it is too large")]
    try:
        kind: Any = validator_for(cast("Any", schema), default=Draft202012Validator)
        kind.check_schema(schema, format_checker=_ANY_TEXT)
        fault = dialect_fault(schema, kind)
        if fault is not None:
            return [_cannot(fault)]
        validator = guarded(kind, schema, EMPTY_REGISTRY)
        errors = cast("Iterator[ValidationError]", validator.iter_errors(value))
        return list(islice(_problems(errors), MAX_PROBLEMS))
    except SchemaError as error:
        return [_cannot(error.message)]
    except (Unresolvable, UnknownType) as error:
        return [_cannot(f"{_first_line(error)}; nothing is fetched from elsewhere")]
    except UncheckableError as error:
        return [_cannot(str(error))]
    except RecursionError:
        return [_cannot("it leads back to itself without end")]


def check_args(args: Any, schema: dict[str, Any]) -> list[Problem]:
    """Like `check`, for the arguments of a tool: an object, and no field that the tool does not have.

    Further fields are let through only where the root of the schema allows them.
    """
    if not isinstance(args, dict):
        return [Problem("", f"The arguments must be an object with named fields, not {_kind(args)}.")]
    return check(cast("Any", args), _closed(schema))


def check_size(value: Any) -> Problem | None:
    """What is too large about a value: nested too deep, too many parts, too much text. Without recursion."""
    nodes, text = 0, 0
    level: list[Any] = [value]
    for _ in range(MAX_DEPTH + 1):
        below: list[Any] = []
        for item in level:
            nodes += 1
            if isinstance(item, str):
                text += len(item)
            elif isinstance(item, dict):
                mapping = cast("dict[Any, Any]", item)
                text += sum(len(str(key)) for key in mapping)
                below.extend(mapping.values())
            elif isinstance(item, list | tuple):
                below.extend(cast("list[Any]", item))
            elif isinstance(item, Decimal) and abs(item.adjusted()) > MAX_EXPONENT:
                return Problem("", f"A number has an exponent beyond {MAX_EXPONENT}.")
        if nodes + len(below) > MAX_NODES:
            return Problem("", f"It has more than {MAX_NODES:,} parts.")
        if text > MAX_TEXT:
            return Problem("", f"It has more than {MAX_TEXT:,} characters of text.")
        if not below:
            return None
        level = below
    return Problem("", f"It is nested deeper than {MAX_DEPTH} levels.")


def _problems(errors: Iterator[ValidationError]) -> Iterator[Problem]:
    for error in errors:
        for place, words in describe(error):
            path = "".join(f"/{pointer_part(part)}" for part in place)
            field = ".".join(str(part) for part in place)
            yield Problem(path, f"{field}: {words}." if field else f"{words[:1].upper()}{words[1:]}.")


def _closed(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with a root that lets no further field through, unless it says that it does."""
    if "additionalProperties" in schema or "unevaluatedProperties" in schema:
        return schema
    older = any(draft in str(schema.get("$schema", "")) for draft in _TOO_OLD)
    if "patternProperties" in schema or (older and "properties" in schema):
        return {**schema, "additionalProperties": False}
    if older and "$ref" in schema:
        # Before 2019-09 nothing beside a `$ref` counts, so the root is read as the newer draft reads it.
        schema = {name: value for name, value in schema.items() if name != "$schema"}
    return {**schema, "unevaluatedProperties": False}


def _cannot(reason: str) -> Problem:
    return Problem(
        "", f"The answer cannot be checked, so it is not sent. The schema is at fault: {reason[:200]}"
    )


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]


def _kind(value: Any) -> str:
    if value is None:
        return "nothing"
    names = {str: "a text", list: "a list", tuple: "a list", bool: "a yes or no"}
    return names.get(cast("type[Any]", type(value)), "a number")
