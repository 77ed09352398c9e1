"""The answers of a resume, read strictly, as what PydanticAI goes on with.

Only a boolean true in a resolved entry lets a tool run. What is unclear raises, before anything runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, cast

from ag_ui.core import Message, ResumeEntry, RunAgentInput
from pydantic_ai import DeferredToolResults, ToolApproved, ToolDenied, ToolReturn

from reflex_agentkit.adapters._notice import cancellation, rejection
from reflex_agentkit.adapters.pydantic_ai.history import Call, Calls, closed, last_turn, results_last
from reflex_agentkit.adapters.pydantic_ai.numbers import arguments, holds_decimal
from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.errors import InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.payload import ApprovalPayload, read_payload

APPROVAL = "int-"
QUESTION = "ask-"
"""An interrupt's id is one of these and the id of its tool call, so a resume needs no memory of the pause."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Yes:
    """An approved call: the JSON arguments it may run with, and the answer that its tool can read."""

    args: dict[str, Any]
    edited: bool
    answer: CurrentAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What a run goes on with: the history, PydanticAI's results for open calls, the approved calls by id."""

    messages: list[Message]
    results: DeferredToolResults | None
    approved: Mapping[str, Yes]


def read_answers(run_input: RunAgentInput) -> Answers:
    """What the input's resume means for the calls that its history leaves open.

    An entry for a call that has its result is passed over: an earlier run took it and broke off later.
    Without a resume open calls are closed as interrupted, and nothing runs.

    Raises:
        InvalidAnswerError: an entry that names no call, decides one twice, or is unclear; or a call that
            waits and that no entry answers.
    """
    start, end = last_turn(run_input.messages)
    before, turn = run_input.messages[:start], run_input.messages[start:end]
    said = run_input.messages[end:]
    calls, waiting = Calls.of(run_input.messages), Calls.of(turn).open
    entries = _entries_by_call(run_input.resume or (), calls)
    if not run_input.resume:
        closing = [closed(call) for call in waiting.values()]
        return Answers(messages=[*before, *turn, *closing, *said], results=None, approved={})
    if missing := [call for call_id, call in waiting.items() if call_id not in entries]:
        raise InvalidAnswerError(
            "The resume must answer every call that waits. No answer for: "
            + ", ".join(f"{call.name} ({call.id})" for call in missing)
        )
    reading = _Reading(run_input.thread_id)
    for call_id, entry in entries.items():
        if call_id not in waiting:
            raise InvalidAnswerError(f"The call {call_id!r} is from an earlier turn and waits no longer.")
        reading.take(waiting[call_id], entry)
    return Answers(
        messages=[*before, *results_last(turn), *said],
        results=reading.results if entries else None,
        approved=reading.approved,
    )


def _entries_by_call(resume: Sequence[ResumeEntry], calls: Calls) -> dict[str, ResumeEntry]:
    entries: dict[str, ResumeEntry] = {}
    decided: set[str] = set()
    for entry in resume:
        wire_id = entry.interrupt_id
        prefix = next((known for known in (APPROVAL, QUESTION) if wire_id.startswith(known)), None)
        call_id = wire_id.removeprefix(prefix or "")
        if prefix is None or call_id not in calls.seen:
            raise InvalidAnswerError(f"No interrupt {wire_id!r} was opened in this thread.")
        if call_id in decided:
            raise InvalidAnswerError(f"The resume answers the call {call_id!r} twice.")
        decided.add(call_id)
        if call_id in calls.open:
            entries[call_id] = entry
    return entries


class _Reading:
    """Takes one entry after the other into PydanticAI's results."""

    def __init__(self, thread_id: str) -> None:
        self.results = DeferredToolResults()
        self.approved: dict[str, Yes] = {}
        self._thread_id = thread_id

    def take(self, call: Call, entry: ResumeEntry) -> None:
        is_question = entry.interrupt_id.startswith(QUESTION)
        if entry.status == "cancelled":
            expired = (entry.metadata or {}).get("reason") == "expired"
            text = cancellation(expired=expired)
            if is_question:
                self.results.calls[call.id] = ToolReturn(text)
            else:
                self.results.approvals[call.id] = ToolDenied(text)
        elif is_question:
            self.results.calls[call.id] = ToolReturn(_told(entry.payload))
        else:
            self._decide(call, entry.payload)

    def _decide(self, call: Call, payload: Any) -> None:
        try:
            said = read_payload(payload)
        except InvalidAnswerError as error:
            raise _unclear(call, str(error), error.path) from None
        if said.approved:
            self._approve(call, said, payload)
        elif said.response is not None:
            self.results.calls[call.id] = ToolReturn(said.response)
        else:
            self.results.approvals[call.id] = ToolDenied(rejection(said.reason))

    def _approve(self, call: Call, said: ApprovalPayload, payload: Any) -> None:
        edited = said.editedArgs
        try:
            proposed = arguments(call.args_text)
        except InvalidJSONError as error:
            if edited is None:
                raise _unclear(call, f"what the model proposed cannot be read: {error}", "") from None
            proposed = None
        changed = edited is not None and (proposed is None or not json_text.same(edited, proposed))
        args = cast("dict[str, Any]", proposed if edited is None else edited)
        self.results.approvals[call.id] = ToolApproved(override_args=args if changed else None)
        if said.extra:
            self.results.metadata[call.id] = said.extra
        key = _idempotency_key(self._thread_id, call)
        answer = CurrentAnswer(payload=payload, idempotency_key=key)
        self.approved[call.id] = Yes(args=args, edited=changed, answer=answer)


def _told(answer: Any) -> Any:
    """An answer as a tool's result: as given, but as JSON text where the result would round a number."""
    return json_text.write(answer) if holds_decimal(answer) else answer


def _unclear(call: Call, what: str, path: str) -> InvalidAnswerError:
    return InvalidAnswerError(f"The answer to {call.name!r} ({call.id}) is unclear: {what}.", path=path)


def _idempotency_key(thread_id: str, call: Call) -> str:
    """Stable for one call: its ids stay the same in the history, whichever run carries the answer."""
    named = json_text.canonical([thread_id, call.message_id, call.id])
    return hashlib.sha256(named.encode()).hexdigest()
