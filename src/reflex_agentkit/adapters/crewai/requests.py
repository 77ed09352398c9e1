"""What a method with `@human_feedback` returns to ask about tool calls, or to ask in its own words.

A pause of CrewAI is one record with one output. Several requests in one list are one pause, and each of them
is an interrupt with an answer of its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, cast

from reflex_agentkit.errors import ConfigurationError, InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.pending import AllowedDecision
from reflex_agentkit.protocol.plain import plain

MARK: Final = "aguiRequest"
"""The key that tells a request from any other output."""

_ALLOWED: Final = ("approve", "edit", "reject", "respond", "cancel")


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One thing that a method asks, as it was read back from what CrewAI stored."""

    kind: Literal["tool", "question"]
    message: str | None = None
    tool_call_id: str | None = None
    tool_name: str = ""
    args: dict[str, Any] | None = None
    schema: dict[str, Any] | None = None
    allow: Sequence[str] | None = None
    reason: str | None = None
    payload: Any = None
    expires_at: str | None = None


def tool_request(
    tool_call_id: str,
    tool_name: str,
    args: dict[str, Any],
    *,
    message: str | None = None,
    args_schema: dict[str, Any] | None = None,
    allow: Sequence[AllowedDecision] | None = None,
    expires_at: datetime | None = None,
) -> dict[str, Any]:
    """Ask whether a tool may be called; to be returned from a method with `@human_feedback`.

    Return one, or a list of them. `args` are the proposed arguments, `args_schema` their JSON Schema, against
    which an edit is held; `allow` narrows what may be decided, `expires_at` until when. The listener reads
    the decision with `approvals(result)`.

    Raises:
        ConfigurationError: the id or the name is empty, the arguments or their schema are not a JSON object,
            `allow` names what nobody can decide, or the time has no zone.
    """
    _named(tool_call_id, "tool_call_id")
    _named(tool_name, "tool_name")
    if unknown := [one for one in allow or () if one not in _ALLOWED]:
        raise ConfigurationError(
            f"allow={unknown} is nothing to decide about a call. Choose among {', '.join(_ALLOWED)}."
        )
    if not isinstance(cast("Any", args), dict):
        raise ConfigurationError(
            f"The arguments of {tool_name!r} are {type(args).__name__}; give a dict of names and values."
        )
    try:
        proposed = plain(args, "the arguments")
        # As text beside the values: CrewAI's own storage would turn an exact decimal into another value.
        text = json_text.write(proposed)
    except (InvalidJSONError, MalformedEventError) as error:
        raise ConfigurationError(
            f"The arguments of {tool_name!r} cannot be shown to a person: {error}. Ask with plain JSON."
        ) from None
    return {
        MARK: "tool",
        "toolCallId": tool_call_id,
        "toolName": tool_name,
        "args": proposed,
        "argsText": text,
        "message": _text(message, "message"),
        "schema": _schema(args_schema, "args_schema"),
        "allow": list(allow) if allow is not None else None,
        "expiresAt": _time(expires_at),
    }


def question(
    message: str,
    *,
    payload: Any = None,
    reason: str | None = None,
    response_schema: dict[str, Any] | None = None,
    tool_call_id: str | None = None,
    expires_at: datetime | None = None,
) -> dict[str, Any]:
    """Ask anything else; to be returned from a method with `@human_feedback`.

    `message` is what is asked, `payload` what a screen may show beside it, `response_schema` the JSON Schema
    of the answer, `tool_call_id` the call that the question is about, `expires_at` until when it can be
    answered. The listener reads the answer with `answers(result)`.

    Raises:
        ConfigurationError: there is no message, the schema is not a JSON object, or the time has no zone.
    """
    _named(message, "message")
    return {
        MARK: "question",
        "message": message,
        "payload": payload,
        "reason": _text(reason, "reason"),
        "schema": _schema(response_schema, "response_schema"),
        "toolCallId": _text(tool_call_id, "tool_call_id"),
        "expiresAt": _time(expires_at),
    }


def requests_in(output: Any) -> list[Request]:
    """The requests that a method's output is made of; empty for any other output.

    Raises:
        ConfigurationError: it is made of requests in part, or names a call twice.
    """
    items = cast("list[Any]", output) if isinstance(output, list) else [output]
    marked = [isinstance(item, dict) and MARK in item for item in items]
    if not any(marked):
        return []
    if not all(marked):
        raise ConfigurationError(
            "A list of requests holds something else too; a person could not answer it. Return only what "
            "`tool_request` and `question` give."
        )
    found = [_read(cast("dict[str, Any]", item)) for item in items]
    calls = [one.tool_call_id for one in found if one.kind == "tool"]
    if len(set(calls)) < len(calls):
        raise ConfigurationError("One pause asks about the same tool call twice; ask about each call once.")
    return found


def _named(value: Any, name: str) -> None:
    if not (isinstance(value, str) and value):
        raise ConfigurationError(f"{name}={value!r} says nothing; give a text that is not empty.")


def _text(value: Any, name: str) -> str | None:
    if not (value is None or isinstance(value, str)):
        raise ConfigurationError(f"{name} is {type(value).__name__}; give a text, or leave it out.")
    return value


def _schema(value: Any, name: str) -> dict[str, Any] | None:
    try:
        if value is None or isinstance(value, dict):
            return cast("dict[str, Any] | None", plain(value, name))
    except MalformedEventError as error:
        raise ConfigurationError(f"{name} is not a JSON Schema: {error}") from None
    raise ConfigurationError(
        f"{name} is {type(value).__name__}, not a JSON Schema. Give a dict, as `model_json_schema()` does."
    )


def _time(expires_at: datetime | None) -> str | None:
    if expires_at is None:
        return None
    if expires_at.tzinfo is None:
        raise ConfigurationError(
            f"expires_at={expires_at} has no zone, so nobody knows when that is. Give it one."
        )
    return expires_at.isoformat()


def _read(item: dict[str, Any]) -> Request:
    try:
        if item[MARK] == "question":
            return Request(
                kind="question",
                message=str(item["message"]),
                tool_call_id=item.get("toolCallId"),
                schema=item.get("schema"),
                reason=item.get("reason"),
                payload=item.get("payload"),
                expires_at=item.get("expiresAt"),
            )
        args = json_text.read(item["argsText"])
        if item[MARK] == "tool" and isinstance(args, dict):
            return Request(
                kind="tool",
                message=item.get("message"),
                tool_call_id=str(item["toolCallId"]),
                tool_name=str(item["toolName"]),
                args=cast("dict[str, Any]", args),
                schema=item.get("schema"),
                allow=item.get("allow"),
                expires_at=item.get("expiresAt"),
            )
    except (KeyError, TypeError, InvalidJSONError):
        pass
    raise ConfigurationError(
        f"An output with the key {MARK!r} is not a request; make it with `tool_request` or `question`."
    )
