"""The end of a run that waits: the SDK's interruptions as interrupts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any, cast

from ag_ui.core import Interrupt, RunFinishedInterruptOutcome, RunFinishedSuccessOutcome
from agents import ToolApprovalItem

from reflex_agentkit.adapters.openai_agents.answers import Asked
from reflex_agentkit.adapters.openai_agents.binding import Binding
from reflex_agentkit.adapters.openai_agents.marks import Mark, mark_of
from reflex_agentkit.adapters.openai_agents.nested import NestedRuns
from reflex_agentkit.adapters.openai_agents.numbers import arguments
from reflex_agentkit.adapters.openai_agents.stream import plain
from reflex_agentkit.errors import ConfigurationError, InvalidJSONError
from reflex_agentkit.protocol.payload import approval_schema

Outcome = RunFinishedInterruptOutcome | RunFinishedSuccessOutcome


def asked_of(
    items: Sequence[ToolApprovalItem], binding: Binding, messages: Mapping[str, str] | None = None
) -> list[Asked]:
    """The calls that the SDK waits for. `messages` are the ids of the messages that made them, by call id.

    Raises:
        ConfigurationError: something waits that is no call of a function tool.
    """
    asked: list[Asked] = []
    for item in items:
        call_id, name = item.call_id, item.tool_name
        kind = plain(item.raw_item).get("type")
        if kind != "function_call" or not call_id or not name:
            raise ConfigurationError(
                f"{name or kind!r} waits for a yes, but only calls of function tools can be decided here. "
                "Make it a function tool, or let it run without asking."
            )
        tool = binding.tool_of(cast("Any", item.agent), name)
        asked.append(
            Asked(
                id=call_id,
                name=name,
                args_text=item.arguments or "{}",
                message_id=(messages or {}).get(call_id, ""),
                mark=mark_of(tool) if tool is not None else Mark(),
                schema=_open_schema(tool.params_json_schema) if tool is not None else None,
                client=tool is not None and tool is binding.client_tools.get(name),
            )
        )
    return asked


def outcome_of(asked: Sequence[Asked], nested: NestedRuns) -> Outcome:
    """What a run ends with whose calls wait for somebody.

    Approvals and questions are interrupts, by the id of their call. A call of a client tool stays what AG-UI
    has for it: a call without a result, named in `pendingToolCallIds` where nothing else waits.

    Raises:
        ConfigurationError: one of them has the id of another call, so that an answer could mean either.
    """
    if twice := [call.id for call in asked if nested.named_twice(call.id)]:
        raise ConfigurationError(
            f"Two calls of one turn have the id {twice[0]!r}, and one of them waits: an answer could mean "
            "either. The model must give each of its calls an id of its own."
        )
    of_people = [call for call in asked if not call.client]
    if of_people:
        return RunFinishedInterruptOutcome(interrupts=[_interrupt(call, nested) for call in of_people])
    return RunFinishedSuccessOutcome(pending_tool_call_ids=[call.id for call in asked])


def _interrupt(call: Asked, nested: NestedRuns) -> Interrupt:
    metadata: dict[str, Any] = {"toolName": call.name}
    with suppress(InvalidJSONError):  # not readable: the text of the call itself is what can be shown
        metadata["tool_input"] = arguments(call.args_text)
    holders = nested.holders(call.id)
    if holders:
        metadata["holdsToolCallIds"] = list(holders)
    common: dict[str, Any] = {
        "id": call.id,
        "tool_call_id": call.id,
        "metadata": metadata,
        "subagent_run_id": f"sub-{holders[-1]}" if holders else None,
    }
    if call.mark.question:
        said = metadata.get("tool_input", {})
        texts = (said.get(key) for key in ("question", "message"))
        message = next((text for text in texts if isinstance(text, str) and text), call.name)
        return Interrupt(
            reason="input_required", message=message, response_schema=call.mark.response_schema, **common
        )
    allowed = [
        one for one in call.mark.decisions if "tool_input" in metadata or one not in ("approve", "edit")
    ]
    metadata["allowedDecisions"] = allowed
    schema = approval_schema(call.schema, edit="edit" in allowed, respond="respond" in allowed)
    return Interrupt(reason="tool_call", response_schema=schema, **common)


def _open_schema(schema: Any) -> Any:
    """A schema without what the SDK's strict mode asks of the model alone: a value for what has a default."""
    if isinstance(schema, list):
        return [_open_schema(item) for item in cast("list[Any]", schema)]
    if not isinstance(schema, dict):
        return schema
    opened = {key: _open_schema(item) for key, item in cast("dict[str, Any]", schema).items()}
    fields, required = opened.get("properties"), opened.get("required")
    if isinstance(fields, dict) and isinstance(required, list):
        known = cast("dict[str, Any]", fields)
        opened["required"] = [
            name
            for name in cast("list[Any]", required)
            if not (isinstance(known.get(name), dict) and "default" in known[name])
        ]
    return opened
