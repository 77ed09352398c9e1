"""The end of a run that waits: PydanticAI's deferred calls as interrupts."""

from __future__ import annotations

import copy
from collections.abc import Collection, Iterator, Mapping
from typing import Any, cast

from ag_ui.core import Interrupt, RunFinishedInterruptOutcome, RunFinishedSuccessOutcome
from pydantic_ai import DeferredToolRequests
from pydantic_ai.messages import ToolCallPart

from reflex_agentkit.adapters.pydantic_ai.approvals import APPROVAL, QUESTION
from reflex_agentkit.adapters.pydantic_ai.numbers import arguments
from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol.pending import APPROVAL_DECISIONS

DEFINITIONS = ("$defs", "definitions")

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
    allowed = metadata.setdefault("allowedDecisions", list(APPROVAL_DECISIONS))
    message = metadata.get("message")
    return Interrupt(
        id=f"{APPROVAL}{call.tool_call_id}",
        reason="tool_call",
        message=message if isinstance(message, str) else f"Approve {call.tool_name}?",
        tool_call_id=call.tool_call_id,
        response_schema=approval_schema(schema or {"type": "object"}, editable="edit" in allowed),
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


def approval_schema(tool_schema: dict[str, Any], *, editable: bool) -> dict[str, Any]:
    """The schema of an approval's answer, with the tool's own one for `editedArgs`.

    Definitions move to the root, where their references look for them; other references into the tool's
    schema are led to its new place.
    """
    edited = copy.deepcopy(tool_schema)
    hoisted = {key: edited.pop(key) for key in DEFINITIONS if key in edited}
    properties: dict[str, Any] = {"approved": {"type": "boolean"}, "reason": {"type": "string"}}
    if editable:
        for holder in _objects([edited, hoisted]):
            reference = holder.get("$ref")
            if isinstance(reference, str) and not reference.startswith(("#/$defs/", "#/definitions/")):
                holder["$ref"] = reference.replace("#", "#/properties/editedArgs", 1)
        properties["editedArgs"] = edited
    schema: dict[str, Any] = {"type": "object", "properties": properties, "required": ["approved"]}
    return schema | hoisted if editable else schema


def _objects(value: Any) -> Iterator[dict[str, Any]]:
    if isinstance(value, dict):
        mapping = cast("dict[str, Any]", value)
        yield mapping
        value = list(mapping.values())
    if isinstance(value, list):
        for item in cast("list[Any]", value):
            yield from _objects(item)
