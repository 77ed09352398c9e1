"""The answers of a resume, read strictly, as what each interrupt of LangGraph gets back.

What is unclear raises before the graph runs: LangGraph would keep such an answer and serve it again for ever.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from ag_ui.core import Interrupt, ResumeEntry
from langgraph.types import Interrupt as GraphInterrupt

from reflex_agentkit.adapters._notice import cancellation, rejection
from reflex_agentkit.adapters.langgraph.approval import cancellation_of
from reflex_agentkit.adapters.langgraph.asked import Scene, asked, checked
from reflex_agentkit.adapters.langgraph.middleware import gather, is_request
from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.payload import read_payload
from reflex_agentkit.protocol.proposal import asks_yes_or_no


@dataclass(frozen=True, slots=True, kw_only=True)
class Approved:
    """A call with a yes.

    `handed_out`: the answer itself lets the tool run, in the node that asked; else LangChain runs the tool.
    """

    call_id: str
    tool_name: str
    args: dict[str, Any]
    payload: Any
    asked_by: str
    handed_out: bool
    edited: bool


@dataclass(slots=True, kw_only=True)
class Answers:
    """What a resume means: the values by LangGraph's interrupt id, and what was said about calls."""

    values: dict[str, Any] = field(default_factory=dict[str, Any])
    approved: list[Approved] = field(default_factory=list[Approved])
    cancelled: set[str] = field(default_factory=set[str])
    refused: dict[str, str] = field(default_factory=dict[str, str])
    """Calls that were refused, and what the model is told about them."""
    kept_back: set[str] = field(default_factory=set[str])
    """Those of them whose tools LangChain would run: where a tool asks by itself, it has to hear the no."""

    def calls(self) -> set[str]:
        """The calls that something was said about."""
        return {*self.refused, *(one.call_id for one in self.approved)}


def wire_ids_of(interrupts: Mapping[str, GraphInterrupt], scene: Scene) -> dict[str, list[Interrupt]]:
    """What each interrupt was asked as, by LangGraph's id."""
    return {one_id: asked(one, scene) for one_id, one in interrupts.items()}


def read_answers(
    interrupts: Mapping[str, GraphInterrupt],
    entries: Mapping[str, ResumeEntry],
    scene: Scene,
    *,
    trusted: bool = False,
) -> Answers:
    """The answers to those interrupts that the entries, by wire id, are about.

    `trusted` entries were taken before, or are not a person's: they are not held against what was asked. Some
    actions of a request may be missing from them, those that are settled or in doubt; then it has no value.

    Raises:
        InvalidAnswerError: a request of which only some actions are answered, an unclear answer, or one that
            does not fit what was asked.
    """
    answers = Answers()
    names = {call.id: call.name for call in scene.proposed}
    for one_id, questions in wire_ids_of(interrupts, scene).items():
        given = {question.id: entries[question.id] for question in questions if question.id in entries}
        if not given:
            continue
        if not trusted:
            if left := ", ".join(repr(one.id) for one in questions if one.id not in given):
                raise InvalidAnswerError(f"The resume leaves {left} without an answer.", code="incomplete")
            given = {one.id: checked(one, given[one.id]) for one in questions}
        _take(answers, interrupts[one_id], questions, given, names)
    return answers


def _take(
    answers: Answers,
    one: GraphInterrupt,
    questions: Sequence[Interrupt],
    given: Mapping[str, ResumeEntry],
    names: Mapping[str, str],
) -> None:
    by_middleware = is_request(one.value)
    if by_middleware:
        schema: Any = one.response_schema
        held = cast("dict[str, Any]", schema) if isinstance(schema, dict) else None
        try:
            value = gather(one.value, [given.get(it.id) for it in questions], response_schema=held)
        except InvalidAnswerError:
            if not any(entry.status == "cancelled" for entry in given.values()):
                raise
            # The middleware has no word for this cancellation, and takes its actions together or not at all:
            # so all of them are cancelled, nothing runs, and no thread is left with answers nobody takes.
            none = {"status": "cancelled", "payload": None}
            given = {it: entry.model_copy(update=none) for it, entry in given.items()}
            value = cancellation_of(one.id, "cancelled")
    else:
        value = _value(questions[0], given[questions[0].id])
    if len(given) == len(questions):
        answers.values[one.id] = value
    if all(entry.status == "cancelled" for entry in given.values()):
        answers.cancelled.add(one.id)
    for question in questions:
        if question.id in given:
            # A node may ask under another name than the tool's; what was shown and is kept is the call's.
            name = None if by_middleware else names.get(question.tool_call_id or "")
            entry = given[question.id]
            _about_call(answers, one.id, question, entry, handed_out=not by_middleware, name=name)


def _value(question: Interrupt, entry: ResumeEntry) -> Any:
    if entry.status == "cancelled":
        why = "expired" if (entry.metadata or {}).get("reason") == "expired" else "cancelled"
        return cancellation_of(question.id, why)
    if entry.status != "resolved":
        raise InvalidAnswerError(
            f"The status of an entry is 'resolved' or 'cancelled', not {entry.status!r}.", path="/status"
        )
    return entry.payload


def _about_call(
    answers: Answers,
    asked_by: str,
    question: Interrupt,
    entry: ResumeEntry,
    *,
    handed_out: bool,
    name: str | None,
) -> None:
    call_id = question.tool_call_id
    if call_id is None or not asks_yes_or_no(question):
        return
    if entry.status == "cancelled":
        expired = (entry.metadata or {}).get("reason") == "expired"
        _refuse(answers, call_id, cancellation(expired=expired), handed_out)
        return
    said = read_payload(entry.payload)
    if not said.approved:
        text = said.response if said.response is not None else rejection(said.reason)
        _refuse(answers, call_id, text, handed_out)
        return
    metadata = question.metadata or {}
    proposed = cast("dict[str, Any]", metadata.get("tool_input") or {})
    answers.approved.append(
        Approved(
            call_id=call_id,
            tool_name=name or str(metadata.get("toolName") or ""),
            args=said.editedArgs if said.editedArgs is not None else proposed,
            payload=entry.payload,
            asked_by=asked_by,
            handed_out=handed_out,
            edited=said.editedArgs is not None,
        )
    )


def _refuse(answers: Answers, call_id: str, text: str, handed_out: bool) -> None:
    answers.refused[call_id] = text
    if not handed_out:
        answers.kept_back.add(call_id)
