"""A pause of CrewAI as interrupts, and answers held against them."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, cast

from ag_ui.core import Interrupt, ResumeEntry
from crewai.flow.async_feedback import PendingFeedbackContext

from reflex_agentkit.adapters.crewai.requests import Request, requests_in
from reflex_agentkit.errors import ConfigurationError, InvalidAnswerError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.answers import check_answer, read_entry
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.pause import read_interrupt
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.plain import plain

QUESTION: Final = "crewai:human_feedback"
"""The reason of a question that names none, as CrewAI's own AG-UI package has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """One answer, held against what was asked. `why` says why there is none: `cancelled` or `expired`."""

    id: str
    request: Request
    payload: Any = None
    why: Literal["cancelled", "expired"] | None = None


def pause_id(context: PendingFeedbackContext) -> str:
    """The name of one pause, the same after a restart.

    The flow's own id is the thread's and never changes, so an old answer would hit the next question.
    """
    named = [context.flow_id, context.method_name, context.requested_at.isoformat()]
    return hashlib.sha256(json_text.canonical(named).encode()).hexdigest()[:32]


def asked(context: PendingFeedbackContext) -> list[Interrupt]:
    """What a pause asks, in order.

    Raises:
        ConfigurationError: its output is a broken request, or its answers could not choose an outcome.
    """
    requests = requests_in(context.method_output)
    pause = pause_id(context)
    if not requests:
        return [_plain_question(context, pause)]
    if context.emit and (len(requests) > 1 or requests[0].kind == "tool"):
        raise ConfigurationError(
            f"{context.method_name!r} asks about tool calls, or asks several things, and emits outcomes: a "
            "model would guess which outcome the answers mean. Leave out emit=, and read `answers(result)` "
            "in a @router that listens to it."
        )
    ids = [pause] if len(requests) == 1 else [f"{pause}-{at}" for at in range(1, len(requests) + 1)]
    return [_interrupt(context, *pair) for pair in zip(requests, ids, strict=True)]


def read_answers(
    context: PendingFeedbackContext, entries: Mapping[str, ResumeEntry], *, again: bool = False
) -> list[Given]:
    """The answers to a whole pause, by wire id. With `again` they were held against it before.

    Raises:
        InvalidAnswerError: an entry answers nothing of it, one is missing, or one does not fit.
    """
    interrupts = asked(context)
    ids = [one.id for one in interrupts]
    if unknown := [one for one in entries if one not in ids]:
        raise InvalidAnswerError(
            f"Nothing is open in this thread under {', '.join(map(repr, unknown))}; nothing was taken.",
            code="unknown_interrupt",
        )
    if left := [one for one in ids if one not in entries]:
        raise InvalidAnswerError(
            f"The resume leaves {', '.join(map(repr, left))} without an answer; answer or cancel every one.",
            code="incomplete",
        )
    requests = requests_in(context.method_output) or [Request(kind="question")]
    return [
        _checked(interrupt, entries[interrupt.id], request, again=again)
        for interrupt, request in zip(interrupts, requests, strict=True)
    ]


def feedback_of(context: PendingFeedbackContext, given: Sequence[Given], payloads: Sequence[Any]) -> str:
    """The answers as CrewAI's feedback: a text as it is, any other value as JSON, several as a JSON list.

    Where all were cancelled it is CrewAI's empty feedback. `payloads` are what each answer is told as.
    """
    if all(one.why for one in given):
        return ""
    output: object = context.method_output
    if isinstance(output, list) and requests_in(cast("Any", output)):
        return json_text.write(list(payloads))
    value = payloads[0]
    return value if isinstance(value, str) else json_text.write(value)


def _checked(interrupt: Interrupt, entry: ResumeEntry, request: Request, *, again: bool) -> Given:
    if entry.status == "cancelled":
        expired = (entry.metadata or {}).get("reason") == "expired"
        return Given(id=interrupt.id, request=request, why="expired" if expired else "cancelled")
    if again:
        # A call in doubt may be answered by what it gave, whatever its request allows; it runs nothing.
        return Given(id=interrupt.id, request=request, payload=entry.payload)
    pending = read_interrupt(interrupt)
    answer = check_answer(pending, read_entry(pending, entry))
    return Given(id=interrupt.id, request=request, payload=answer.payload)


def _plain_question(context: PendingFeedbackContext, pause: str) -> Interrupt:
    told = context.metadata or {}
    schema: Any = told.get("responseSchema", told.get("response_schema"))
    output = shown(context.method_output)
    if not isinstance(schema, dict):
        schema = _outcomes(context) or _schema_of(output)
    reason = told.get("reason")
    return Interrupt(
        id=pause,
        reason=reason if isinstance(reason, str) and reason else QUESTION,
        message=context.message,
        response_schema=cast("dict[str, Any] | None", schema),
        metadata={"crewai": {**_about(context), "output": output}},
    )


def _interrupt(context: PendingFeedbackContext, request: Request, wire_id: str) -> Interrupt:
    message = request.message or context.message
    about = {"crewai": _about(context)}
    if request.kind == "question":
        payload = shown(request.payload)
        form = None if request.tool_call_id else _schema_of(payload)
        return Interrupt(
            id=wire_id,
            reason=request.reason or QUESTION,
            message=message,
            tool_call_id=request.tool_call_id,
            response_schema=request.schema or _outcomes(context) or form,
            expires_at=request.expires_at,
            metadata={**about, "payload": payload},
        )
    allow = {"allowedDecisions": list(request.allow)} if request.allow is not None else {}
    return Interrupt(
        id=wire_id,
        reason="tool_call",
        message=message,
        tool_call_id=request.tool_call_id,
        response_schema=approval_schema(request.schema, respond="respond" in (request.allow or ())),
        expires_at=request.expires_at,
        metadata={**about, **allow, "toolName": request.tool_name, "tool_input": request.args},
    )


def _outcomes(context: PendingFeedbackContext) -> dict[str, Any] | None:
    """The schema of the answer, where it chooses a router's outcome."""
    return {"type": "string", "enum": list(context.emit)} if context.emit else None


def _schema_of(payload: Any) -> dict[str, Any] | None:
    """The schema of the answer, where what is shown is a form card."""
    return schema_of_form(cast("dict[str, Any]", payload)) if isinstance(payload, dict) else None


def _about(context: PendingFeedbackContext) -> dict[str, Any]:
    return {"methodName": context.method_name, "emit": list(context.emit) if context.emit else None}


def shown(value: Any) -> Any:
    """A value as plain JSON for a screen; what has no JSON form becomes its text."""
    try:
        return plain(value, "the output")
    except MalformedEventError:
        return str(value)
