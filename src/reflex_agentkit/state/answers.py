"""What a page sends as an answer, read into an answer value.

Whatever a browser sends may come here. What is unclear is refused.
"""

from __future__ import annotations

from typing import Any, cast

from reflex_agentkit.errors import InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.verdicts import (
    Answer,
    AnswerValue,
    Approve,
    Cancel,
    Gave,
    Reject,
    Respond,
    RunAgain,
)

MAX_ANSWER = 1_000_000
"""Characters of an answer. No tool's arguments are longer; what is longer is an attack or a mistake."""

_WORDS = "approve, edit, reject, respond, answer, cancel, run_again, gave"


def read_decision(decision: object, text: object) -> AnswerValue:
    """The answer that a card's button means: `decision` is its word, `text` what was typed.

    JSON is read with exact numbers; `edit` wants all the arguments as one object.

    Raises:
        InvalidAnswerError: not one of the words, or the text is not what that word needs.
    """
    match decision:
        case "approve":
            return Approve()
        case "cancel":
            return Cancel()
        case "run_again":
            return RunAgain()
        case "edit":
            return Approve(edited_args=_object(read_json(text)))
        case "reject":
            return Reject(read_text(text) or None)
        case "respond":
            return Respond(read_text(text))
        case "answer":
            return Answer(read_json(text))
        case "gave":
            return Gave(read_json(text))
        case _:
            raise InvalidAnswerError(
                f"{_short(decision)} is no decision; it must be one of {_WORDS}.", code="not_allowed"
            )


def read_approval(payload: object) -> AnswerValue:
    """The answer to an approval, from the payload of the answer table. Only the boolean true approves.

    Raises:
        InvalidAnswerError: the payload is not one of the table's rows.
    """
    given = cast("dict[str, Any]", payload) if isinstance(payload, dict) else {}
    approved = given.get("approved")
    if not isinstance(approved, bool):
        raise InvalidAnswerError(
            'An approval is answered with {"approved": true} or {"approved": false}; '
            f"{_short(cast('object', payload))} is neither, so nothing was approved.",
            path="/approved",
        )
    check_value(given)
    if approved:
        edited = given.get("editedArgs")
        extra = {key: value for key, value in given.items() if key not in ("approved", "editedArgs")}
        return Approve(None if edited is None else _object(edited, "/editedArgs"), extra or None)
    if "response" in given:
        return Respond(read_text(given["response"], "/response"))
    return Reject(read_text(given.get("reason"), "/reason") or None)


def read_edited(edited_args: object) -> dict[str, Any] | None:
    """All the arguments of an approved call, as an object or as JSON text; `None` for the proposed ones.

    Raises:
        InvalidAnswerError: neither an object nor the text of one.
    """
    if edited_args is None:
        return None
    value = read_json(edited_args) if isinstance(edited_args, str) else edited_args
    found = _object(value)
    check_value(found)
    return found


def read_extra(extra: object) -> dict[str, Any] | None:
    """What goes to the tool beside the yes; `None` for nothing.

    Raises:
        InvalidAnswerError: not an object.
    """
    if extra is None:
        return None
    found = _object(extra, "/extra")
    check_value(found)
    return found


def read_json(text: object) -> Any:
    """The value of a JSON text.

    Raises:
        InvalidAnswerError: not a text, too long, or not JSON; the message says where.
    """
    try:
        return json_text.read(read_text(text))
    except InvalidJSONError as error:
        raise InvalidAnswerError(f"This is not JSON: {error}.") from None


def read_text(text: object, path: str = "") -> str:
    """A text; nothing given is the empty one.

    Raises:
        InvalidAnswerError: another kind of value, or too long.
    """
    if text is None:
        return ""
    if not isinstance(text, str):
        raise InvalidAnswerError(f"A text is needed here, not {_short(text)}.", path=path)
    if len(text) > MAX_ANSWER:
        raise InvalidAnswerError(
            f"This is {len(text):,} characters long; at most {MAX_ANSWER:,} are possible.", path=path
        )
    return text


def check_value(value: Any) -> Any:
    """A value as it is, if it is JSON of a size that an answer may have.

    Raises:
        InvalidAnswerError: too large, too deep, or not JSON.
    """
    try:
        text = json_text.write(value)
    except InvalidJSONError as error:
        raise InvalidAnswerError(f"This cannot be an answer: {error}.") from None
    read_text(text)
    return value


def _object(value: object, path: str = "") -> dict[str, Any]:
    if not isinstance(value, dict):
        raise InvalidAnswerError(
            f"An object with named values is needed here, not {_short(value)}.", path=path
        )
    return dict(cast("dict[str, Any]", value))


def _short(value: object) -> str:
    if isinstance(value, dict | list):
        # Not `repr`, which a value that is nested deep enough breaks.
        return "an object" if isinstance(value, dict) else "a list"
    try:
        shown = repr(value)
    except ValueError:
        return "a number that is too large"
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
