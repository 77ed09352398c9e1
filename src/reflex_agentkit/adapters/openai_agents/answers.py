"""The answers of a resume, read strictly, for the calls that wait.

Only a boolean true in a resolved entry lets a tool run. What is unclear raises, before anything runs.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ag_ui.core import ResumeEntry

from reflex_agentkit.adapters._notice import cancellation, rejection
from reflex_agentkit.adapters.openai_agents.marks import Mark
from reflex_agentkit.adapters.openai_agents.numbers import arguments
from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.errors import InvalidAnswerError, InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.payload import ApprovalPayload, read_payload
from reflex_agentkit.protocol.schema import check, check_args


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A call that waits. `schema` is that of its tool's arguments, `None` where the tool is gone.

    `client` marks the call of a tool that runs in the application.
    """

    id: str
    name: str
    args_text: str
    message_id: str
    mark: Mark = field(default_factory=Mark)
    schema: dict[str, Any] | None = None
    client: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Yes:
    """A call that may run: under which name, with which JSON arguments, and what its tool can read.

    `question` marks a call whose body only takes up an answer.
    """

    name: str
    args: dict[str, Any]
    edited: bool
    question: bool
    answer: CurrentAnswer


@dataclass(slots=True)
class Answers:
    """The calls that may run, and for the others the text that is their result, by call id.

    `unfit` are those among the others whose answer does not fit what its tool is by now.
    """

    yes: dict[str, Yes] = field(default_factory=dict[str, Yes])
    no: dict[str, str] = field(default_factory=dict[str, str])
    unfit: dict[str, str] = field(default_factory=dict[str, str])


def entries_by_call(
    resume: Sequence[ResumeEntry], known: Mapping[str, bool | None]
) -> dict[str, ResumeEntry]:
    """The entries by the id of their call.

    `known` are the calls of the thread: whether each waits, `None` for one that nobody answered in time.

    An entry for a call that has its result is passed over: an earlier run took it and broke off later.

    Raises:
        InvalidAnswerError: an entry names no call of this thread or one that waits no longer, or decides one
            twice.
    """
    entries: dict[str, ResumeEntry] = {}
    decided: set[str] = set()
    for entry in resume:
        call_id = entry.interrupt_id
        if call_id not in known:
            raise InvalidAnswerError(f"No interrupt {call_id!r} was opened in this thread.")
        if call_id in decided:
            raise InvalidAnswerError(f"The resume answers the call {call_id!r} twice.")
        decided.add(call_id)
        if known[call_id] is None:
            raise InvalidAnswerError(f"The call {call_id!r} is from an earlier turn and waits no longer.")
        if known[call_id]:
            entries[call_id] = entry
    return entries


def read_answers(
    asked: Sequence[Asked],
    entries: Mapping[str, ResumeEntry],
    thread_id: str,
    *,
    lost: Mapping[str, str] | None = None,
    final: bool = False,
) -> Answers:
    """What the entries mean for the calls that wait. `lost` are calls that need no answer: their results.

    Where the answers are `final`, since a server took them and nobody can give others, one that does not fit
    what its tool is by now lets nothing run and is told as the call's result.

    Raises:
        InvalidAnswerError: a call that no entry answers, or an answer that is unclear or does not fit.
    """
    known = lost or {}
    if missing := [call for call in asked if call.id not in entries and call.id not in known]:
        raise InvalidAnswerError(
            "The resume must answer every call that waits. No answer for: "
            + ", ".join(f"{call.name} ({call.id})" for call in missing)
        )
    answers = Answers()
    for call in asked:
        if call.id in known:
            answers.no[call.id] = known[call.id]
            continue
        try:
            _read(answers, call, entries[call.id], thread_id)
        except InvalidAnswerError as error:
            if not final:
                raise
            answers.unfit[call.id] = answers.no[call.id] = f"The tool was not run: {error}"
    return answers


def _read(answers: Answers, call: Asked, entry: ResumeEntry, thread_id: str) -> None:
    if entry.status == "cancelled":
        expired = (entry.metadata or {}).get("reason") == "expired"
        answers.no[call.id] = cancellation(expired=expired)
    elif call.mark.question:
        answers.yes[call.id] = _answered(call, entry.payload, thread_id)
    else:
        _decide(answers, call, entry.payload, thread_id)


def _answered(call: Asked, value: Any, thread_id: str) -> Yes:
    schema = call.mark.response_schema
    if schema is not None and (problems := check(value, schema)):
        raise _unclear(call, problems[0].message, problems[0].path)
    return Yes(
        name=call.name,
        args=_proposed(call),
        edited=False,
        question=True,
        answer=_answer(call, value, thread_id),
    )


def _decide(answers: Answers, call: Asked, payload: Any, thread_id: str) -> None:
    try:
        said = read_payload(payload)
    except InvalidAnswerError as error:
        raise _unclear(call, str(error), error.path) from None
    _check_allowed(call, said)
    if not said.approved:
        answers.no[call.id] = rejection(said.reason) if said.response is None else said.response
        return
    proposed, edited = _proposed(call, needed=said.editedArgs is None), said.editedArgs
    changed = edited is not None and not json_text.same(edited, proposed)
    if changed and call.schema is not None and (problems := check_args(edited, call.schema)):
        raise _unclear(call, problems[0].message, f"/editedArgs{problems[0].path}")
    answers.yes[call.id] = Yes(
        name=call.name,
        args=edited if edited is not None else proposed,
        edited=changed,
        question=False,
        answer=_answer(call, payload, thread_id),
    )


def _check_allowed(call: Asked, said: ApprovalPayload) -> None:
    if said.approved:
        wanted = "approve" if said.editedArgs is None else "edit"
    else:
        wanted = "reject" if said.response is None else "respond"
    # A no that the tool's author did not think of is still a no.
    if wanted not in call.mark.decisions and wanted != "reject":
        raise InvalidAnswerError(
            f"A call of {call.name!r} ({call.id}) is not decided by {wanted}. It can be decided by: "
            + ", ".join(call.mark.decisions),
            code="not_allowed",
        )


def _proposed(call: Asked, *, needed: bool = True) -> dict[str, Any]:
    try:
        return arguments(call.args_text)
    except InvalidJSONError as error:
        if needed:
            raise _unclear(call, f"what the model proposed cannot be read: {error}", "") from None
        return {}


def _answer(call: Asked, payload: Any, thread_id: str) -> CurrentAnswer:
    """The key is the same whichever run carries the answer: these ids stay in the conversation."""
    named = json_text.canonical([thread_id, call.message_id, call.id])
    return CurrentAnswer(payload=payload, idempotency_key=hashlib.sha256(named.encode()).hexdigest())


def _unclear(call: Asked, what: str, path: str) -> InvalidAnswerError:
    return InvalidAnswerError(f"The answer to {call.name!r} ({call.id}) is unclear: {what}", path=path)
