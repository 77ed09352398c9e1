"""LangGraph's interrupts as AG-UI ones: approvals, requests of the middleware, questions of any value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from ag_ui.core import Interrupt, ResumeEntry
from langgraph.types import Interrupt as GraphInterrupt

from reflex_agentkit.adapters.langgraph.middleware import ProposedCall, fan_out, is_request
from reflex_agentkit.adapters.langgraph.values import normal
from reflex_agentkit.protocol.answers import check_answer, read_entry
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.forms import is_number
from reflex_agentkit.protocol.pause import read_interrupt
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.proposal import asks_yes_or_no, first_of
from reflex_agentkit.protocol.verdicts import Respond

QUESTION: Final = "langgraph:interrupt"
"""The reason of a question that names none, as the official integration has it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scene:
    """What is known around the interrupts of a pause.

    `proposed` are the calls that have no result yet, `schemas` the argument schemas of the graph's tools by
    name, `paths` the nodes that lead to an interrupt, `owners` the sub-agents that asked, `errors` what went
    wrong with the answer before, `stopped` why the answer before was not handed out.
    """

    proposed: Sequence[ProposedCall] = ()
    schemas: Mapping[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    paths: Mapping[str, Sequence[str]] = field(default_factory=dict[str, "Sequence[str]"])
    owners: Mapping[str, str] = field(default_factory=dict[str, str])
    errors: Mapping[str, str] = field(default_factory=dict[str, str])
    stopped: Mapping[str, str] = field(default_factory=dict[str, str])


def asked(one: GraphInterrupt, scene: Scene) -> list[Interrupt]:
    """What a person is asked by one interrupt: one thing, or one for each action of a request."""
    if is_request(one.value):
        found = fan_out(
            one.id, one.value, proposed=scene.proposed, response_schema=_schema(one.response_schema)
        )
    else:
        found = [_single(one, scene)]
    for interrupt in found:
        interrupt.metadata = _told(interrupt.metadata or {}, one, scene)
        interrupt.subagent_run_id = scene.owners.get(interrupt.id, scene.owners.get(one.id))
        if one.id in scene.stopped:
            interrupt.message = _once_more(interrupt, f"The call was not released: {scene.stopped[one.id]}")
        elif one.id in scene.errors:
            interrupt.message = _after_error(interrupt, scene.errors[one.id])
    return found


def checked(question: Interrupt, entry: ResumeEntry) -> ResumeEntry:
    """An answer held against its question as the desk does it, in the form in which it is sent on.

    An agent that a client reaches without a desk has nobody else to do it.

    Raises:
        InvalidAnswerError: it does not fit. The graph has taken nothing then.
    """
    if entry.status == "cancelled":
        return entry
    pending = read_interrupt(question)
    answer = read_entry(pending, entry)
    if isinstance(answer, Respond):
        # A call in doubt may be answered by what it gave, whatever its request allows; it runs nothing.
        return entry
    return entry.model_copy(update={"payload": check_answer(pending, answer).payload})


def _single(one: GraphInterrupt, scene: Scene) -> Interrupt:
    value: Any = normal(one.value)
    given = cast("dict[str, Any]", value) if isinstance(value, dict) else {}
    schema = _schema(first_of(given, "responseSchema", "response_schema")) or _schema(one.response_schema)
    call_id = _text(first_of(given, "toolCallId", "tool_call_id"))
    said = cast("object", given.get("message") if given else value)
    interrupt = Interrupt(
        id=one.id,
        reason=_text(given.get("reason")) or QUESTION,
        message=str(said) if isinstance(said, str) or is_number(said) else None,
        tool_call_id=call_id,
        response_schema=schema,
        expires_at=_text(first_of(given, "expiresAt", "expires_at")),
        metadata={},
    )
    if asks_yes_or_no(interrupt):
        _as_approval(interrupt, given, scene)
    elif schema is None and call_id is None:
        # Beside a call that schema would make it an approval: there the card is checked unpublished.
        interrupt.response_schema = schema_of_form(given)
    return interrupt


def _as_approval(interrupt: Interrupt, given: Mapping[str, Any], scene: Scene) -> None:
    call = next((one for one in scene.proposed if one.id == interrupt.tool_call_id), None)
    name = _text(first_of(given, "toolName", "tool_name", "tool", "name")) or (call.name if call else None)
    args: Any = first_of(given, "args", "tool_input", "toolArgs")
    if not isinstance(args, dict):
        args = call.args if call else None
    if interrupt.response_schema is None:
        interrupt.response_schema = approval_schema(scene.schemas.get(name or ""))
    metadata: dict[str, Any] = {"toolName": name, "tool_input": args}
    listed: Any = first_of(given, "allowedDecisions", "allowed_decisions")
    if listed is None and "editedArgs" in interrupt.response_schema.get("properties", {}):
        listed = ["approve", "edit", "reject", "cancel"]
    metadata["allowedDecisions"] = listed
    interrupt.metadata = {key: value for key, value in metadata.items() if value is not None}


def _told(metadata: Mapping[str, Any], one: GraphInterrupt, scene: Scene) -> dict[str, Any]:
    told: dict[str, Any] = {**metadata, "payload": normal(one.value)}
    if path := list(scene.paths.get(one.id, ())):
        told["path"] = path
    error = scene.stopped.get(one.id, scene.errors.get(one.id))
    if error is not None:
        told["error"] = error
    return told


def _after_error(interrupt: Interrupt, error: str) -> str:
    if asks_yes_or_no(interrupt):
        said = f"The call was released, and then its step failed, perhaps after it took effect: {error}"
    else:
        said = f"The answer before was not taken: {error}"
    return _once_more(interrupt, said)


def _once_more(interrupt: Interrupt, said: str) -> str:
    """The question once more. The message holds what went wrong, so that every form shows it."""
    return f"{interrupt.message}\n\n{said}" if interrupt.message else said


def _schema(value: Any) -> dict[str, Any] | None:
    return cast("dict[str, Any]", normal(value)) if isinstance(value, dict) and value else None


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) and value else None
