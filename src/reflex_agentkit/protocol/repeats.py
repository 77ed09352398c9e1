"""A call that a person refused and that is proposed again: whoever decides is told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import Conversation, ToolCall
from reflex_agentkit.protocol.pause import Asked
from reflex_agentkit.protocol.pending import PendingInterrupt

REFUSED_BEFORE = "refused_before"
"""The key in an interrupt's metadata that says so."""


def mark_repeats(asked: Sequence[Asked], conversation: Conversation) -> tuple[Asked, ...]:
    """The same pause, with every approval marked whose call, tool and arguments alike, was refused before."""
    refused = [
        call
        for message in conversation.messages
        for call in message.tool_calls
        if call.decision is not None and call.decision.verdict == "rejected"
    ]
    if not refused:
        return tuple(asked)
    return tuple(
        replace(one, pending=_marked(one.pending))
        if any(_same_call(call, one.pending) for call in refused)
        else one
        for one in asked
    )


def _marked(pending: PendingInterrupt) -> PendingInterrupt:
    return replace(pending, metadata={**pending.metadata, REFUSED_BEFORE: True})


def _same_call(call: ToolCall, pending: PendingInterrupt) -> bool:
    if pending.kind != "approval" or pending.args is None or call.name != pending.tool_name:
        return False
    try:
        return json_text.same(json_text.read(call.args_text), pending.args)
    except InvalidJSONError:
        return False
