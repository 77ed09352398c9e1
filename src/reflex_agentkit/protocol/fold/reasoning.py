"""Reasoning messages, and the opaque values that go back to the agent with what they belong to."""

from __future__ import annotations

import logging

from ag_ui.core import (
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
)

from reflex_agentkit.protocol.fold.draft import Draft
from reflex_agentkit.protocol.fold.messages import written

_log = logging.getLogger(__name__)


def started(draft: Draft, event: ReasoningMessageStartEvent) -> bool:
    entry = draft.find("reasoning", event.message_id)
    if entry is None:
        entry = draft.add("reasoning", event.message_id, "reasoning", event.subagent_run_id)
    entry.metadata.update(event.metadata or {})
    entry.streaming = True
    draft.streaming[entry.id] = "reasoning"
    draft.touch(entry)
    return True


def content(draft: Draft, event: ReasoningMessageContentEvent) -> bool:
    entry = draft.find("reasoning", event.message_id)
    if entry is None:
        entry = draft.add("reasoning", event.message_id, "reasoning", event.subagent_run_id)
    return written(draft, entry, event.delta, event.metadata)


def ended(draft: Draft, event: ReasoningMessageEndEvent) -> bool:
    entry = draft.find("reasoning", event.message_id)
    if entry is not None:
        entry.metadata.update(event.metadata or {})
        draft.touch(entry)
        draft.settle(entry)
    return True


def span_ended(draft: Draft, event: ReasoningEndEvent) -> bool:
    """A thought that the model keeps to itself has a value and no text; it goes back in its place."""
    name = event.message_id
    if name not in draft.early_secrets or draft.find("reasoning", name):
        return False
    draft.add("reasoning", name, "reasoning", event.subagent_run_id)
    return True


def encrypted_value(draft: Draft, event: ReasoningEncryptedValueEvent) -> bool:
    """Keep the value with the call, the result or the message that it names."""
    name, value = event.entity_id, event.encrypted_value
    if event.subtype == "tool-call":
        call = draft.calls.get(name)
        if call is not None:
            call.encrypted_value = value
            draft.touch(call.holder)
            return True
    elif (answered := draft.results.get(name)) is not None:
        answered.result_encrypted_value = value
        draft.touch(answered.holder)
        return True
    elif (entry := draft.find("reasoning", name) or draft.find("message", name)) is not None:
        entry.encrypted_value = value
        draft.touch(entry)
        return True
    else:
        # A span whose thinking is hidden sends the value alone, and a message may follow its value.
        draft.early_secrets[name] = value
        return False
    _log.warning("an encrypted value for the unknown %s %r was dropped", event.subtype, name)
    return False
