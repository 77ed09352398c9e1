"""The seal of what is asked: one hash over everything a person is shown before saying yes or no."""

from __future__ import annotations

import hashlib
from typing import Any

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.pending import PendingInterrupt


def seal(pending: PendingInterrupt) -> str:
    """The digest of an interrupt: SHA-256 as 64 hex digits.

    It covers the kind, the agent's words, the tool, its arguments with exact numbers, thread and run, the
    schemas, the allowed decisions and the payload. A decision that was made on another digest was made on
    something else. The id and the times are left out: they are not what is asked.

    Raises:
        InvalidJSONError: the interrupt holds something that is not JSON.
    """
    asked: dict[str, Any] = {
        "kind": pending.kind,
        "reason": pending.reason,
        "message": pending.message,
        "payload": pending.payload,
        "form": pending.form,
        "toolCallId": pending.tool_call_id,
        "toolName": pending.tool_name,
        # The text alone where nothing could be read from it: two broken texts are two questions.
        "args": pending.args_text if pending.args is None else pending.args,
        "argsReadable": pending.args is not None,
        "argsSchema": pending.args_schema,
        "responseSchema": pending.response_schema,
        "allowedDecisions": sorted(pending.allowed_decisions),
        "threadId": pending.thread_id,
        "runId": pending.run_id,
    }
    return digest_of(asked)


def digest_of(value: Any) -> str:
    """SHA-256 over the canonical JSON of a value, as 64 hex digits.

    Raises:
        InvalidJSONError: the value is not JSON.
    """
    return hashlib.sha256(json_text.canonical(value).encode()).hexdigest()
