"""The end of a run that waits: PydanticAI's deferred calls as interrupts."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, cast

from ag_ui.core import Interrupt, RunFinishedInterruptOutcome, RunFinishedSuccessOutcome
from pydantic_ai import DeferredToolRequests
from pydantic_ai.messages import ToolCallPart

from reflex_agentkit.adapters.pydantic_ai.approvals import APPROVAL, QUESTION
from reflex_agentkit.adapters.pydantic_ai.numbers import arguments
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.proposal import approval_decisions

Outcome = RunFinishedInterruptOutcome | RunFinishedSuccessOutcome


def outcome_of(
    requests: DeferredToolRequests, *, schemas: Mapping[str, dict[str, Any]], client_tools: Collection[str]
) -> Outcome:
    """What a run ends with whose calls wait for somebody.

    Approvals and questions are interrupts. A call of a client tool stays what AG-UI has for it: a call
    without a result, named in `pendingToolCallIds` where nothing else waits.
    """
    asked = [
        *(_approval(call, requests, schemas.get(call.tool_call_id)) for call in requests.approvals),
        *(_question(call, requests) for call in requests.calls if call.tool_name not in client_tools),
    ]
    if asked:
        return RunFinishedInterruptOutcome(interrupts=asked)
    return RunFinishedSuccessOutcome(pending_tool_call_ids=[call.tool_call_id for call in requests.calls])


def _approval(call: ToolCallPart, requests: DeferredToolRequests, schema: dict[str, Any] | None) -> Interrupt:
    metadata = _metadata(call, requests)
    allowed = approval_decisions(metadata, None, known="tool_input" in metadata)
    metadata["allowedDecisions"] = list(allowed)
    message = metadata.get("message")
    return Interrupt(
        id=f"{APPROVAL}{call.tool_call_id}",
        reason="tool_call",
        # Nothing in the agent's name where the agent said nothing: the card names the tool by itself.
        message=message if isinstance(message, str) else None,
        tool_call_id=call.tool_call_id,
        response_schema=approval_schema(schema, edit="edit" in allowed, respond="respond" in allowed),
        metadata=metadata,
    )


def _question(call: ToolCallPart, requests: DeferredToolRequests) -> Interrupt:
    metadata = _metadata(call, requests)
    texts = (metadata.get(key) for key in ("question", "message"))
    schema = metadata.get("responseSchema", metadata.get("response_schema"))
    return Interrupt(
        id=f"{QUESTION}{call.tool_call_id}",
        reason="input_required",
        message=next((text for text in texts if isinstance(text, str)), call.tool_name),
        tool_call_id=call.tool_call_id,
        response_schema=cast("dict[str, Any]", schema) if isinstance(schema, dict) else None,
        metadata=metadata,
    )


def _metadata(call: ToolCallPart, requests: DeferredToolRequests) -> dict[str, Any]:
    metadata = {**requests.metadata.get(call.tool_call_id, {}), "toolName": call.tool_name}
    try:
        metadata["tool_input"] = arguments(call.args)
    except InvalidJSONError:
        metadata.pop("tool_input", None)  # not readable: the text of the call itself is what can be shown
    return metadata
