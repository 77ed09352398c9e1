"""The answer to an approval as it travels: one model publishes its JSON schema and reads it.

Unclear means no: only the boolean `true` approves, and a key that looks like one of ours but is not spelled
like it is refused, since a person meant something by it.
"""

from __future__ import annotations

from typing import Annotated, Any, cast

from pydantic import BaseModel, ConfigDict, StrictBool, ValidationError
from pydantic.json_schema import WithJsonSchema

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.plain import pointer_part


class ApprovalPayload(BaseModel):
    """What a person decided about a tool call. `extra` are the keys beside ours, which reach the tool."""

    model_config = ConfigDict(extra="allow", strict=True)

    approved: StrictBool
    # The wire's names are the fields' names: with an alias the schema and the reading could drift apart.
    editedArgs: Annotated[dict[str, Any] | None, WithJsonSchema({"type": "object"})] = None  # noqa: N815
    reason: Annotated[str | None, WithJsonSchema({"type": "string"})] = None
    response: Annotated[str | None, WithJsonSchema({"type": "string"})] = None

    @property
    def extra(self) -> dict[str, Any]:
        return dict(self.__pydantic_extra__ or {})


RESERVED_KEYS = frozenset(ApprovalPayload.model_fields)
"""The keys that say what was decided; nothing beside them may bear their names."""

_PLAIN_NAMES = {name.lower(): name for name in RESERVED_KEYS}


def approval_schema(
    args_schema: dict[str, Any] | None = None, *, edit: bool = True, respond: bool = False
) -> dict[str, Any]:
    """The JSON schema of an approval's answer, for `Interrupt.responseSchema`.

    `args_schema` is the tool's argument schema; it becomes that of `editedArgs`, with its definitions at the
    root and its other references led to its new place. `edit=False` leaves `editedArgs` out, `respond` lets
    `response` in.
    """
    given = cast("dict[str, Any]", ApprovalPayload.model_json_schema()["properties"])
    properties = {name: {"type": field["type"]} for name, field in given.items()}
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": ["approved"]}
    if not edit:
        del properties["editedArgs"]
    elif args_schema is not None:
        inner = cast("dict[str, Any]", _led(args_schema, "#", _EDITED))
        for place in _DEFINITIONS:
            if place in inner:
                schema[place] = inner.pop(place)
        properties["editedArgs"] = inner
    if not respond:
        del properties["response"]
    return schema


def args_schema_of(response_schema: dict[str, Any] | None) -> dict[str, Any] | None:
    """The tool's argument schema that a response schema publishes; `None` where it says nothing."""
    properties: Any = (response_schema or {}).get("properties")
    edited: Any = (
        cast("dict[str, Any]", properties).get("editedArgs") if isinstance(properties, dict) else None
    )
    if response_schema is None or not isinstance(edited, dict):
        return None
    schema = dict(cast("dict[str, Any]", edited))
    if not set(schema) - _SAYS_NOTHING:
        return None
    for place in (*_DEFINITIONS, "$schema"):
        if place in response_schema and place not in schema:
            schema[place] = response_schema[place]
    return cast("dict[str, Any]", _led(schema, _EDITED, "#"))


def _led(schema: Any, old: str, new: str) -> Any:
    """A copy whose references lead to `new` where they led to `old`; those to definitions stay."""
    if isinstance(schema, list):
        return [_led(item, old, new) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    copy = {key: _led(item, old, new) for key, item in cast("dict[str, Any]", schema).items()}
    to: Any = copy.get("$ref")
    if isinstance(to, str) and f"{to}/".startswith(f"{old}/") and not to.startswith(_SHARED):
        copy["$ref"] = new + to.removeprefix(old)
    return copy


_EDITED = "#/properties/editedArgs"
_DEFINITIONS = ("$defs", "definitions")
_SHARED = tuple(f"#/{place}/" for place in _DEFINITIONS)
_SAYS_NOTHING = frozenset({"type", "title", "description", "default", "additionalProperties"})


def read_payload(value: Any) -> ApprovalPayload:
    """Read the payload of an approval.

    Raises:
        InvalidAnswerError: it is not an object, `approved` is not a boolean, or it contradicts itself.
    """
    if not isinstance(value, dict):
        raise InvalidAnswerError(
            f'an approval is answered with an object like {{"approved": true}}, not with {_kind(value)}'
        )
    for key in cast("dict[Any, Any]", value):
        check_key(key)
    try:
        payload = ApprovalPayload.model_validate(value)
    except ValidationError as error:
        raise _invalid(error) from None
    if payload.approved and payload.response is not None:
        raise InvalidAnswerError(
            "`response` stands in the tool's place, so it needs `approved: false`", path="/response"
        )
    return payload


def check_key(key: Any) -> None:
    """Refuse a key that is nearly one of ours.

    Raises:
        InvalidAnswerError: with the key that was probably meant.
    """
    if not isinstance(key, str):
        raise InvalidAnswerError(f"a key of an answer is a text, not {key!r}")
    meant = _PLAIN_NAMES.get("".join(part for part in key.lower() if part.isalnum()))
    if meant is not None and key != meant:
        raise InvalidAnswerError(
            f"{key!r} is not a key of an approval; it is spelled {meant!r}", path=f"/{pointer_part(key)}"
        )


def _invalid(error: ValidationError) -> InvalidAnswerError:
    first = error.errors(include_url=False, include_input=False, include_context=False)[0]
    path = "".join(f"/{pointer_part(part)}" for part in first["loc"])
    problems = {
        "/approved": "`approved` must be the boolean true or false",
        "/editedArgs": "`editedArgs` must be an object with all the arguments",
        "/reason": "`reason` must be a text",
        "/response": "`response` must be a text",
    }
    return InvalidAnswerError(problems.get(path, first["msg"]), path=path)


def _kind(value: Any) -> str:
    if value is None:
        return "null"
    names = {bool: "a boolean", str: "a text", list: "a list"}
    return names.get(cast("type[Any]", type(value)), "a number")
