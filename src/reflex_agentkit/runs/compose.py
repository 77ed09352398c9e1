"""The input of a run, from stored facts. What a client says about the past is never a part of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any, cast

from ag_ui.core import (
    ActivityMessage,
    AssistantMessage,
    DeveloperMessage,
    FunctionCall,
    ReasoningMessage,
    ResumeEntry,
    RunAgentInput,
    SystemMessage,
    Tool,
    ToolMessage,
    UserMessage,
)
from ag_ui.core import (
    Message as WireMessage,
)
from ag_ui.core import (
    ToolCall as WireCall,
)

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import NO_RESULT, Conversation, Message, ToolCall
from reflex_agentkit.records.decision import InterruptRecord

PROTOCOL_VERSION = "1.0"


def compose(
    conversation: Conversation,
    *,
    thread_id: str,
    run_id: str,
    parent_run_id: str | None,
    said: Sequence[UserMessage],
    answered: Sequence[InterruptRecord],
    tools: Sequence[Tool],
    noted: Mapping[str, str] | None = None,
    retried_run_id: str | None = None,
) -> RunAgentInput:
    """The input of one run.

    `said` is what the person says with it, `answered` the decisions that the agent has not taken yet, `noted`
    the results by tool call id that the gate noted although the run broke off before it said them. With
    `retried_run_id` the half-written text of that run is left out: the agent says it anew.
    """
    carried = {record.pending.tool_call_id for record in answered if record.pending.tool_call_id}
    # A call that was made inside of another one, by an agent that runs as a tool, leaves that one open too.
    held = {str(call_id) for record in answered for call_id in _held(record)}
    results = {call_id: text for call_id, text in (noted or {}).items() if call_id not in held} | {
        record.pending.tool_call_id or "": answer_text(record) for record in answered if record.client_call
    }
    messages = _trimmed(conversation.messages, retried_run_id)
    return RunAgentInput(
        thread_id=thread_id,
        run_id=run_id,
        parent_run_id=parent_run_id,
        protocol_version=PROTOCOL_VERSION,
        state=conversation.state if conversation.state is not None else {},
        messages=[*_wire_messages(messages, carried | held, results), *said],
        tools=list(tools),
        context=[],
        forwarded_props={},
        resume=[_entry(record) for record in answered if not record.client_call] or None,
    )


def _held(record: InterruptRecord) -> Sequence[Any]:
    named: Any = record.pending.metadata.get("holdsToolCallIds")
    return cast("list[Any]", named) if isinstance(named, list) else ()


def answer_text(record: InterruptRecord) -> str:
    """The answer to a client tool call, as the text that the tool's result is."""
    decision = record.decision
    if decision is None or decision.status == "cancelled":
        return "The request was cancelled; there is no answer."
    return decision.payload if isinstance(decision.payload, str) else json_text.write(decision.payload)


def _entry(record: InterruptRecord) -> ResumeEntry:
    decision = record.decision
    if decision is None:
        raise ValueError(f"interrupt {record.id!r} has no answer to send")
    if decision.status == "cancelled":
        metadata = {"reason": "expired"} if decision.verdict == "expired" else None
        return ResumeEntry(interrupt_id=record.wire_id, status="cancelled", metadata=metadata)
    return ResumeEntry(interrupt_id=record.wire_id, status="resolved", payload=decision.payload)


def _trimmed(messages: Sequence[Message], retried_run_id: str | None) -> Sequence[Message]:
    end = len(messages)
    while retried_run_id and end:
        last = messages[end - 1]
        if last.run_id != retried_run_id or last.tool_calls or last.role not in ("assistant", "reasoning"):
            break
        end -= 1
    return messages[:end]


def _wire_messages(
    messages: Sequence[Message], carried: Collection[str], results: Mapping[str, str]
) -> Iterator[WireMessage]:
    # What is known by a call's id is about the latest call of that id.
    latest = {call.id: call for message in messages for call in message.tool_calls}
    for message in messages:
        if message.subagent:
            continue  # a sub-agent's words are its own business; its result is in the call that started it
        yield from _wire_message(message)
        for call in message.tool_calls:
            if call.result is not None:
                yield _result(call, call.result_content or call.result)
            elif call.id in results and latest[call.id] is call:
                yield _result(call, results[call.id])
            elif call.id not in carried or latest[call.id] is not call:
                yield _result(call, NO_RESULT)


def _wire_message(message: Message) -> Iterator[WireMessage]:
    common: dict[str, Any] = {"id": message.id, "metadata": dict(message.metadata) or None}
    match message.role:
        case "user":
            content = message.content if message.content is not None else message.text
            yield UserMessage(
                **common,
                content=content,
                name=message.name or None,
                encrypted_value=message.encrypted_value,
            )
        case "assistant":
            yield AssistantMessage(
                **common,
                content=message.text or None,
                name=message.name or None,
                encrypted_value=message.encrypted_value,
                tool_calls=[_call(call) for call in message.tool_calls] or None,
            )
        case "system":
            yield SystemMessage(**common, content=message.text)
        case "developer":
            yield DeveloperMessage(**common, content=message.text)
        case "reasoning":
            yield ReasoningMessage(**common, content=message.text, encrypted_value=message.encrypted_value)
        case "activity":
            content: Any = message.content
            if not isinstance(content, dict):
                return
            content = cast("dict[str, Any]", content)
            yield ActivityMessage(**common, activity_type=message.activity_type, content=content)
        case _:
            return


def _call(call: ToolCall) -> WireCall:
    return WireCall(
        id=call.id,
        function=FunctionCall(name=call.name, arguments=call.args_text or "{}"),
        encrypted_value=call.encrypted_value,
        metadata=dict(call.metadata) or None,
    )


def _result(call: ToolCall, content: Any) -> ToolMessage:
    return ToolMessage(
        id=call.result_message_id or f"result-{call.id}",
        tool_call_id=call.id,
        content=content,
        error=call.error or None,
        encrypted_value=call.result_encrypted_value,
    )
