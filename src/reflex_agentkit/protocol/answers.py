"""The rules of answering, for whoever answers: what may be said to what was asked, and how it is sent.

The screen checks with them while a person types, the desk before it writes a decision.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, TypeAlias, cast

from ag_ui.core import ResumeEntry

from reflex_agentkit.errors import InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import Verdict
from reflex_agentkit.protocol.form_answers import form_answer
from reflex_agentkit.protocol.payload import RESERVED_KEYS, check_key, read_payload
from reflex_agentkit.protocol.pending import AllowedDecision, PendingInterrupt
from reflex_agentkit.protocol.plain import pointer_part
from reflex_agentkit.protocol.schema import Problem, check, check_args, check_size
from reflex_agentkit.protocol.verdicts import (
    Answer,
    AnswerValue,
    Approve,
    Cancel,
    Gave,
    Refused,
    Reject,
    Respond,
    RunAgain,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckedAnswer:
    """An answer that fits, as it is recorded and sent.

    `status` and `payload` are the resume entry's; `payload` is `None` where it is cancelled. `edited_args`
    are the arguments that run in place of the proposed ones, `None` where nothing was changed.
    """

    verdict: Verdict
    status: Literal["resolved", "cancelled"]
    payload: Any
    edited_args: dict[str, Any] | None = None


def is_expired(pending: PendingInterrupt, now: datetime) -> bool:
    """Whether the time to answer has run out. An expired interrupt can only be cancelled."""
    return pending.expires_at is not None and pending.expires_at <= now


def check_answer(
    pending: PendingInterrupt, answer: AnswerValue, *, now: datetime | None = None
) -> CheckedAnswer:
    """An answer held against what was asked.

    Edited arguments that equal the proposed ones are a plain approval. Paths of problems with edited
    arguments lead into the arguments, all others into the payload. With `now`, an interrupt that has
    expired takes only a cancellation.

    Raises:
        InvalidAnswerError: code `not_allowed` where this kind of answer is not possible here, `expired`
            where it is too late, `invalid_answer` where the value is wrong.
    """
    rule = _RULES.get(type(answer))
    if rule is None:
        raise InvalidAnswerError(
            f"{type(answer).__name__} is not an answer. {_allowed(pending)}", code="not_allowed"
        )
    if now is not None and is_expired(pending, now) and not isinstance(answer, Cancel):
        raise InvalidAnswerError(
            f"The time to answer ran out at {pending.expires_at}; it can only be cancelled.", code="expired"
        )
    return rule(pending, answer)


def read_entry(pending: PendingInterrupt, entry: ResumeEntry) -> AnswerValue:
    """What a resume entry from the wire says. Unclear means no: it is refused, never read as a yes.

    Raises:
        InvalidAnswerError: the entry does not say one thing clearly.
    """
    if entry.status == "cancelled":
        return Cancel()
    if entry.status != "resolved":
        raise InvalidAnswerError(
            f"the status of an entry is 'resolved' or 'cancelled', not {entry.status!r}", path="/status"
        )
    if pending.kind == "question":
        if "payload" not in entry.model_fields_set:
            raise InvalidAnswerError("a resolved entry carries the answer as `payload`", path="/payload")
        return Answer(entry.payload)
    if pending.kind == "doubt":
        raise InvalidAnswerError(
            "whether a call is run again is decided on the server, not by a resume", code="not_allowed"
        )
    payload = read_payload(entry.payload)
    if payload.approved:
        return Approve(edited_args=payload.editedArgs, extra=payload.extra or None)
    if payload.response is not None:
        return Respond(payload.response)
    return Reject(payload.reason or None)


def resume_problem(open_ids: Collection[str], entries: Sequence[ResumeEntry]) -> Refused | None:
    """Why a resume cannot be taken as a whole: it must answer every open interrupt once, and no other."""
    given = Counter(entry.interrupt_id for entry in entries)
    twice = sorted(one for one, times in given.items() if times > 1)
    if twice:
        return Refused(
            code="contradiction",
            message=f"The resume answers {_named(twice)} more than once. Nothing was taken.",
            interrupt_id=twice[0],
        )
    unknown = sorted(set(given) - set(open_ids))
    if unknown:
        return Refused(
            code="unknown_interrupt",
            message=f"Nothing is open under {_named(unknown)}. Nothing was taken.",
            interrupt_id=unknown[0],
        )
    missing = [one for one in open_ids if one not in given]
    if missing:
        return Refused(
            code="incomplete",
            message=f"The resume leaves {_named(missing)} without an answer; answer or cancel every one.",
            interrupt_id=missing[0],
        )
    return None


def _approve(pending: PendingInterrupt, answer: Approve) -> CheckedAnswer:
    _kind(pending, "approval", answer)
    extra = _extra(answer.extra)
    edited: Any = answer.edited_args
    if edited is not None:
        edited = _edited(pending, edited)
    if edited is None:
        _allow(pending, "approve")
        payload = {"approved": True, **extra}
    else:
        _allow(pending, "edit")
        payload = {"approved": True, "editedArgs": edited, **extra}
    _fits(payload, pending.response_schema)
    verdict: Verdict = "approved" if edited is None else "edited"
    return CheckedAnswer(verdict=verdict, status="resolved", payload=payload, edited_args=edited)


def _edited(pending: PendingInterrupt, edited: Any) -> dict[str, Any] | None:
    """The edited arguments, checked; `None` where they are the proposed ones."""
    if "edit" not in pending.allowed_decisions and "approve" not in pending.allowed_decisions:
        _allow(pending, "edit")
    if not isinstance(edited, dict):
        raise InvalidAnswerError(
            "The arguments must be an object with named fields, all of them and not only the changed ones."
        )
    given = cast("dict[str, Any]", edited)
    _small(given)
    if pending.args is not None and json_text.same(given, pending.args):
        return None
    _allow(pending, "edit")
    if pending.args_schema is not None:
        refuse(check_args(given, pending.args_schema))
    return given


def _reject(pending: PendingInterrupt, answer: Reject) -> CheckedAnswer:
    _kind(pending, "approval", answer)
    _allow(pending, "reject")
    payload: dict[str, Any] = {"approved": False}
    if answer.reason is not None:
        reason = _text(answer.reason, "/reason")
        if reason.strip():
            payload["reason"] = reason
    return CheckedAnswer(verdict="rejected", status="resolved", payload=payload)


def _respond(pending: PendingInterrupt, answer: Respond) -> CheckedAnswer:
    _kind(pending, "approval", answer)
    _allow(pending, "respond")
    payload = {"approved": False, "response": _text(answer.text, "/response")}
    return CheckedAnswer(verdict="responded", status="resolved", payload=payload)


def _answer(pending: PendingInterrupt, answer: Answer) -> CheckedAnswer:
    _kind(pending, "question", answer)
    _allow(pending, "answer")
    _small(answer.value)
    value = form_answer(pending.form, pending.response_schema, answer.value)
    _fits(value, pending.response_schema)
    return CheckedAnswer(verdict="answered", status="resolved", payload=value)


def _cancel(pending: PendingInterrupt, _answer: Cancel) -> CheckedAnswer:
    # A question or an approval can always be cancelled, whatever the agent allows. A doubt is about what has
    # happened, which nobody can cancel.
    if pending.kind == "doubt":
        _allow(pending, "cancel")
    return CheckedAnswer(verdict="cancelled", status="cancelled", payload=None)


def _run_again(pending: PendingInterrupt, answer: RunAgain) -> CheckedAnswer:
    _kind(pending, "doubt", answer)
    _allow(pending, "run_again")
    return CheckedAnswer(verdict="approved", status="resolved", payload={"approved": True})


def _gave(pending: PendingInterrupt, answer: Gave) -> CheckedAnswer:
    _kind(pending, "doubt", answer)
    _allow(pending, "gave")
    _small(answer.result)
    text = answer.result if isinstance(answer.result, str) else json_text.write(answer.result)
    return CheckedAnswer(
        verdict="responded", status="resolved", payload={"approved": False, "response": text}
    )


_Rule: TypeAlias = Callable[[PendingInterrupt, Any], CheckedAnswer]

_RULES: Final[Mapping[type[Any], _Rule]] = {
    Approve: _approve,
    Reject: _reject,
    Respond: _respond,
    Answer: _answer,
    Cancel: _cancel,
    RunAgain: _run_again,
    Gave: _gave,
}

_ASKED: Final = {
    "approval": "This asks for a yes or no to a tool call",
    "question": "This is a question",
    "doubt": "This call may have run already",
}


def _kind(pending: PendingInterrupt, wanted: str, answer: AnswerValue) -> None:
    if pending.kind != wanted:
        raise InvalidAnswerError(
            f"{_ASKED[pending.kind]}; {type(answer).__name__} does not answer it. {_allowed(pending)}",
            code="not_allowed",
        )


def _allow(pending: PendingInterrupt, decision: AllowedDecision) -> None:
    if decision in pending.allowed_decisions:
        return
    if decision in ("approve", "edit") and pending.kind == "approval" and pending.args is None:
        raise InvalidAnswerError(
            "The arguments of this call cannot be read, so it cannot be approved. Reject or cancel it.",
            code="not_allowed",
        )
    raise InvalidAnswerError(f"{decision!r} is not allowed here. {_allowed(pending)}", code="not_allowed")


def _allowed(pending: PendingInterrupt) -> str:
    return f"Allowed: {', '.join(pending.allowed_decisions) or 'nothing'}."


def _extra(extra: Any) -> dict[str, Any]:
    if extra is None:
        return {}
    if not isinstance(extra, dict):
        raise InvalidAnswerError("What goes beside an approval must be an object with named fields.")
    given = cast("dict[str, Any]", extra)
    for key in given:
        if key in RESERVED_KEYS:
            raise InvalidAnswerError(
                f"{key!r} says what was decided and cannot stand beside it.", path=f"/{pointer_part(key)}"
            )
        check_key(key)
    _small(given)
    return given


def _text(value: Any, path: str) -> str:
    if not isinstance(value, str):
        raise InvalidAnswerError(f"{path[1:]} must be a text.", path=path)
    _small(value)
    return value


def _small(value: Any) -> None:
    problem = check_size(value)
    if problem is not None:
        refuse([problem])
    try:
        json_text.write(value)
    except InvalidJSONError as error:
        raise InvalidAnswerError(f"The answer is {error}.") from None


def _fits(value: Any, schema: dict[str, Any] | None) -> None:
    if schema is not None:
        refuse(check(value, schema))


def refuse(problems: Sequence[Problem]) -> None:
    """Raise the first of the problems, with the others beside it; nothing where there is none.

    Raises:
        InvalidAnswerError: there is one.
    """
    if problems:
        first = problems[0]
        raise InvalidAnswerError(
            first.message, path=first.path, problems=tuple(problem.message for problem in problems)
        )


def _named(ids: Sequence[str]) -> str:
    shown = ", ".join(repr(one) for one in ids[:5])
    return shown if len(ids) <= 5 else f"{shown} and {len(ids) - 5} more"
