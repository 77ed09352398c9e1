"""Tool calls: proposed, decided, answered.

A call is one proposal. Where an id comes again after its call was answered, that is a new call, and results
go to the latest. Some agents say an unanswered call again when they go on after a pause: the same
arguments, or those that were decided, are the same call; others are a new one, so that no other arguments
hide behind a decision.
"""

from __future__ import annotations

from typing import Any

from ag_ui.core import (
    CustomEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import CallStatus, DecisionNote, Verdict
from reflex_agentkit.protocol.fold.draft import CallDraft, Draft, MessageDraft, Text
from reflex_agentkit.protocol.fold.messages import readable
from reflex_agentkit.protocol.notes import HandedNote, read_note

_UNANSWERED: frozenset[CallStatus] = frozenset(
    {"running", "pending_approval", "pending_input", "approved", "sent"}
)
_KEPT: frozenset[CallStatus] = frozenset({"rejected", "cancelled", "expired", "responded"})

_DECIDED: dict[Verdict, CallStatus] = {
    "approved": "approved",
    "edited": "approved",
    "rejected": "rejected",
    "responded": "responded",
    "answered": "running",
    "cancelled": "cancelled",
    "expired": "expired",
}


def started(draft: Draft, event: ToolCallStartEvent) -> bool:
    before = draft.calls.get(event.tool_call_id)
    if before is not None and before.name == event.tool_call_name and _may_be_said_again(draft, before):
        draft.restated[before.id] = (Text(), event)
        return False
    _open(draft, event)
    return True


def args(draft: Draft, event: ToolCallArgsEvent) -> bool:
    if event.tool_call_id in draft.restated:
        draft.restated[event.tool_call_id][0].append(event.delta)
        return False
    call = draft.calls.get(event.tool_call_id)
    if call is None:
        return False
    call.args.append(event.delta)
    call.metadata.update(event.metadata or {})
    draft.touch(call.holder)
    return True


def ended(draft: Draft, event: ToolCallEndEvent) -> bool:
    call = draft.calls.get(event.tool_call_id)
    if call is None:
        return False
    restated = draft.restated.pop(event.tool_call_id, None)
    if restated is not None:
        return _restate(draft, call, restated[0].whole(), restated[1])
    if call.status == "streaming":
        call.status = "running"
    call.metadata.update(event.metadata or {})
    draft.touch(call.holder)
    return True


def result(draft: Draft, event: ToolCallResultEvent) -> bool:
    failure = (event.metadata or {}).get("error")
    error = failure if isinstance(failure, str) else ""
    answer(draft, event.tool_call_id, event.message_id, event.content, error=error)
    return True


def answer(
    draft: Draft, call_id: str, message_id: str, content: Any, *, error: str = "", secret: str | None = None
) -> None:
    """A result came, in the stream or in the history."""
    text, parts = readable(content)
    call = draft.calls.get(call_id)
    if call is None:
        # Nothing that was said is dropped: a result without its call stands alone.
        entry = draft.find("message", message_id) or draft.add("message", message_id, "tool")
        entry.text, entry.content = Text(text), parts
        entry.metadata["toolCallId"] = call_id
        draft.touch(entry)
        return
    call.result, call.result_content, call.result_message_id = text, parts, message_id
    call.result_encrypted_value = secret or draft.early_secrets.pop(message_id, call.result_encrypted_value)
    draft.results[message_id] = call
    if call.status not in _KEPT:
        call.status, call.error = ("failed", error) if error else ("done", "")
    draft.open_calls.pop(call, None)
    draft.touch(call.holder)


def noted(draft: Draft, event: CustomEvent) -> bool:
    """A note of our own; any other custom event changes nothing."""
    note = read_note(event)
    if note is None:
        return False
    if isinstance(note, HandedNote):
        return _handed(draft, note)
    if not isinstance(note, DecisionNote):
        draft.run_status = note
        if note != "error":
            draft.fault = None
        return True
    call = draft.calls.get(note.tool_call_id)
    if call is None:
        known = draft.find("decision", note.interrupt_id)
        entry = known or draft.add("decision", f"decision-{note.interrupt_id}", "decision")
        draft.alias("decision", note.interrupt_id, entry)
        entry.decision = note
        draft.touch(entry)
        return True
    call.decision = note
    if call.result is None:
        call.status = _DECIDED[note.verdict]
        if call.status in _KEPT:
            draft.open_calls.pop(call, None)
        else:
            draft.open_calls[call] = None
    draft.touch(call.holder)
    return True


def _handed(draft: Draft, note: HandedNote) -> bool:
    """Approved calls left for an agent without a gate, or came back unseen."""
    before, now = ("approved", "sent") if note.sent else ("sent", "approved")
    for call_id in note.call_ids:
        call = draft.calls.get(call_id)
        if call is not None and call.status == before:
            call.status = now
            draft.touch(call.holder)
    return True


def new_call(draft: Draft, holder: MessageDraft, call_id: str, name: str) -> CallDraft:
    """A call in an assistant message; the id names it from now on."""
    call = CallDraft(id=call_id, name=name, holder=holder, run_id=draft.run_id)
    holder.calls.append(call)
    draft.calls[call_id] = call
    draft.open_calls[call] = None
    draft.touch(holder)
    return call


def _may_be_said_again(draft: Draft, call: CallDraft) -> bool:
    # What was sent in an earlier run may have run: the same words now are another call with a yes of its own.
    return call.status in _UNANSWERED and (call.status != "sent" or call in draft.open_calls)


def same_args(left: str, right: str) -> bool:
    """Whether two texts are the same arguments; texts that cannot be read are compared as they are."""
    try:
        return left == right or json_text.same(json_text.read(left or "{}"), json_text.read(right or "{}"))
    except InvalidJSONError:
        return False


def _open(draft: Draft, event: ToolCallStartEvent) -> CallDraft:
    call = new_call(draft, _holder(draft, event), event.tool_call_id, event.tool_call_name)
    call.metadata.update(event.metadata or {})
    return call


def _holder(draft: Draft, event: ToolCallStartEvent) -> MessageDraft:
    """The assistant message that a call belongs to."""
    parent, owner = event.parent_message_id, event.subagent_run_id
    if parent is not None:
        found = draft.find("message", parent)
        if found is not None and found.role == "assistant":
            return found
        return draft.add("message", parent, "assistant", owner)
    last = draft.entries[-1] if draft.entries else None
    if last is not None and last.role == "assistant" and (last.run_id, last.owner) == (draft.run_id, owner):
        return last
    return draft.add("message", f"call-{event.tool_call_id}", "assistant", owner)


def _restate(draft: Draft, call: CallDraft, text: str, event: ToolCallStartEvent) -> bool:
    """A call that is still unanswered was said again."""
    known = call.args.whole()
    decided = call.decision.after_text if call.decision else ""
    if not text or same_args(text, known):
        return False
    if decided and same_args(text, decided):
        call.again_text = text
        draft.said_as_decided[call] = event
        draft.touch(call.holder)
        return True
    if call.decision is None and (not known or (not _is_json(known) and _is_json(known + text))):
        # Reopened, and written on.
        call.args.append(text)
        draft.touch(call.holder)
        return True
    _open_whole(draft, text, event)
    return True


def asked_about(draft: Draft, call_id: str) -> CallDraft | None:
    """The call that an interrupt names.

    Where it was said again with the arguments that a person had set, those are asked about: a new proposal.
    """
    call = draft.calls.get(call_id)
    if call is None or call.result is not None or call not in draft.said_as_decided:
        return call
    return _open_whole(draft, call.again_text, draft.said_as_decided[call])


def forget_said_again(draft: Draft) -> None:
    """A new run begins: what the one before said again is asked about no more."""
    for call in draft.said_as_decided:
        call.again_text = ""
        draft.touch(call.holder)
    draft.said_as_decided.clear()


def _open_whole(draft: Draft, text: str, event: ToolCallStartEvent) -> CallDraft:
    call = _open(draft, event)
    call.args.append(text)
    call.status = "running"
    return call


def _is_json(text: str) -> bool:
    try:
        json_text.read(text)
    except InvalidJSONError:
        return False
    return True
