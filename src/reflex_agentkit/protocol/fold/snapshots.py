"""Messages that come whole: with the input of a run, and in a snapshot of the conversation.

A snapshot adds and corrects, it never takes away: agents leave out of theirs what a person has seen (a
result of a step that was not saved, a message that was not delivered).
"""

from __future__ import annotations

from ag_ui.core import (
    ActivityMessage,
    AssistantMessage,
    Message,
    MessagesSnapshotEvent,
    ReasoningMessage,
    ToolCall,
    ToolMessage,
)

from reflex_agentkit.protocol.conversation import NO_RESULT
from reflex_agentkit.protocol.fold import tools
from reflex_agentkit.protocol.fold.draft import CallDraft, Draft, Family, MessageDraft, Text
from reflex_agentkit.protocol.fold.messages import readable


def messages_snapshot(draft: Draft, event: MessagesSnapshotEvent) -> bool:
    # An agent may use the id of a call again: what a snapshot says of the older one is not about the latest.
    last = {
        call.id: place
        for place, message in enumerate(event.messages)
        for call in getattr(message, "tool_calls", None) or ()
    }
    for place, message in enumerate(event.messages):
        if isinstance(message, ToolMessage) and place < last.get(message.tool_call_id, 0):
            continue
        if isinstance(message, AssistantMessage) and draft.find("message", message.id) is not None:
            latest = [call for call in message.tool_calls or () if last[call.id] == place]
            message = message.model_copy(update={"tool_calls": latest or None})
        _take(draft, message, restate=True)
    return True


def add_unseen(draft: Draft, message: Message) -> None:
    """A message of a run's input: it is new, or the thread has it already."""
    _take(draft, message, restate=False)


def _take(draft: Draft, message: Message, *, restate: bool) -> None:
    if isinstance(message, ToolMessage):
        if message.content == NO_RESULT:
            return  # the agent repeats what it was told, which is no result
        call = draft.calls.get(message.tool_call_id)
        if call is None or call.result is None or restate:
            tools.answer(
                draft,
                message.tool_call_id,
                message.id if call is None or not call.result_message_id else call.result_message_id,
                message.content,
                error=message.error or "",
                secret=message.encrypted_value,
            )
        return
    family = _family(message)
    entry = draft.find(family, message.id)
    if entry is None and isinstance(message, AssistantMessage):
        entry = _same_by_call(draft, message)
    if entry is None:
        entry = draft.add(family, message.id, message.role, message.subagent_run_id)
    elif not restate:
        return
    _fill(draft, entry, message)


def _family(message: Message) -> Family:
    if isinstance(message, ReasoningMessage):
        return "reasoning"
    return "activity" if isinstance(message, ActivityMessage) else "message"


def _same_by_call(draft: Draft, message: AssistantMessage) -> MessageDraft | None:
    """The entry that already shows the calls of a message with an id that is not known."""
    for call in message.tool_calls or ():
        known = draft.calls.get(call.id)
        if known is not None and known.name == call.function.name:
            draft.alias("message", message.id, known.holder)
            return known.holder
    return None


def _fill(draft: Draft, entry: MessageDraft, message: Message) -> None:
    if isinstance(message, ActivityMessage):
        entry.activity_type, entry.content = message.activity_type, message.content
    else:
        text, parts = readable(message.content)
        # An empty text takes nothing away, and a message that is being written is ahead of any snapshot.
        if text and not entry.streaming and not _said_before(draft, entry, text):
            entry.text = Text(text)
        if parts is not None:
            entry.content = parts
        if not isinstance(message, ReasoningMessage | ToolMessage):
            entry.name = message.name or entry.name
        entry.encrypted_value = message.encrypted_value or entry.encrypted_value
    entry.metadata.update(message.metadata or {})
    if isinstance(message, AssistantMessage):
        for call in message.tool_calls or ():
            _take_call(draft, entry, call)
    draft.touch(entry)


def _said_before(draft: Draft, entry: MessageDraft, text: str) -> bool:
    """Whether the entry just before shows this text: a stream may give text and calls as two messages."""
    if entry.text.length or not entry.calls or entry.place == 0:
        return False
    before = draft.entries[entry.place - 1]
    return before.role == "assistant" and before.text.whole() == text


def _open(call: CallDraft) -> bool:
    """Whether the call is written, and neither decided nor answered."""
    return call.status != "streaming" and call.decision is None and call.result is None


def _take_call(draft: Draft, entry: MessageDraft, stated: ToolCall) -> None:
    call = draft.calls.get(stated.id)
    if call is None or call.name != stated.function.name:
        call = tools.new_call(draft, entry, stated.id, stated.function.name)
        call.args.append(stated.function.arguments)
        call.status = "running"
    elif _open(call) and not tools.same_args(call.args.whole(), stated.function.arguments):
        # What is asked next is about what the agent holds, not about what it streamed.
        call.args = Text(stated.function.arguments)
    call.encrypted_value = stated.encrypted_value or call.encrypted_value
    call.metadata.update(stated.metadata or {})
    draft.touch(call.holder)
