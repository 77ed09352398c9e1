"""From what the kit knows to what a page shows: pure functions from conversation and interrupts to views."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import Conversation, DecisionNote, Message, ToolCall
from reflex_agentkit.protocol.digest import seal
from reflex_agentkit.protocol.form_answers import card_of
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.state.card_views import card_view, noted_card
from reflex_agentkit.state.views import (
    CardView,
    DecisionView,
    InterruptView,
    LiveView,
    MessageView,
    NoticeView,
    StepView,
    ToolCallView,
    UsageView,
)

HIDDEN_ROLES = frozenset({"system", "developer", "tool"})
"""What is not part of the talk: instructions, and results, which a tool's card shows."""


@dataclass(frozen=True, slots=True)
class Transcript:
    """The newest settled messages, those that are being written, and how many older ones are left out."""

    messages: list[MessageView]
    live: list[LiveView]
    earlier: int


def transcript(conversation: Conversation, *, window: int, live_prefix: str) -> Transcript:
    """The newest `window` messages. What is being written is in `live`; its text comes over the channel."""
    shown = [message for message in conversation.messages if _is_shown(message)]
    settled = [message for message in shown if not message.streaming or message.tool_calls]
    kept = settled[-window:] if window > 0 else []
    return Transcript(
        messages=[message_view(message) for message in kept],
        live=[LiveView(id=live_prefix + m.id, role=m.role) for m in shown if m.streaming],
        earlier=len(settled) - len(kept),
    )


def _is_shown(message: Message) -> bool:
    """Whether a person sees it; of a thought that the model keeps to itself there is nothing to see."""
    if message.role == "reasoning" and not message.streaming and not message.text:
        return False
    return message.role not in HIDDEN_ROLES


def message_view(message: Message) -> MessageView:
    """A message; one that is still being written keeps its text to the live channel."""
    return MessageView(
        id=message.id,
        role=message.role,
        text="" if message.streaming else message.text,
        tool_calls=[tool_call_view(call) for call in message.tool_calls],
        decision=decision_view(message.decision),
        subagent=message.subagent,
        activity_type=message.activity_type,
    )


def tool_call_view(call: ToolCall) -> ToolCallView:
    """A tool call; arguments that cannot be read are shown as the text they are.

    Arguments that are still being written are left out: each piece would send the whole window again.
    """
    args, text = (None, "") if call.status == "streaming" else _arguments(call.args_text)
    return ToolCallView(
        id=call.id,
        name=call.name,
        args=args or {},
        args_text=text,
        status=call.status,
        result=call.result or "",
        error=call.error,
        decision=decision_view(call.decision),
    )


def decision_view(note: DecisionNote | None) -> DecisionView:
    """A decision, or the empty view where there is none."""
    if note is None:
        return DecisionView()
    return DecisionView(
        interrupt_id=note.interrupt_id,
        verdict=note.verdict,
        by=note.by,
        at=note.at,
        reason=note.reason,
        message=note.message,
        tool_name=note.tool_name,
        before_text=indented(note.before_text),
        after_text=indented(note.after_text),
        card=noted_card(note.card_text),
    )


def interrupt_views(pending: Sequence[PendingInterrupt]) -> list[InterruptView]:
    """The open interrupts in their order, each with its digest and its place in the pause."""
    return [_interrupt_view(one) for one in pending]


def step_views(conversation: Conversation) -> list[StepView]:
    """The steps of the last run."""
    return [
        StepView(name=step.name, status=step.status)
        for step in conversation.steps
        if not conversation.run_id or step.run_id == conversation.run_id
    ]


def usage_view(conversation: Conversation) -> UsageView:
    """Tokens of the thread so far."""
    usage = conversation.usage
    return UsageView(
        input_tokens=usage.input_tokens, output_tokens=usage.output_tokens, total_tokens=usage.total_tokens
    )


def error_view(conversation: Conversation) -> NoticeView:
    """Why the last run ended badly; empty where it did not."""
    fault = conversation.fault
    return NoticeView(code=fault.code or "error", text=fault.message) if fault else NoticeView()


def indented(text: str) -> str:
    """JSON text spread over lines with every number as it was, any other text as it is."""
    if not text:
        return ""
    try:
        return json_text.write(json_text.read(text), indent=2)
    except InvalidJSONError:
        return text


def for_browser(value: Any) -> Any:
    """A value for the browser. A `Decimal` becomes the nearest float: exact numbers travel as text."""
    if isinstance(value, Decimal):
        return float(value)
    if isinstance(value, Mapping):
        return {str(key): for_browser(item) for key, item in cast("Mapping[Any, Any]", value).items()}
    if isinstance(value, list | tuple):
        return [for_browser(item) for item in cast("Sequence[Any]", value)]
    return value


def _interrupt_view(pending: PendingInterrupt) -> InterruptView:
    return InterruptView(
        id=pending.id,
        kind=pending.kind,
        reason=pending.reason,
        message=pending.message,
        payload=for_browser(pending.payload),
        payload_text=_text(pending.payload),
        tool_call_id=pending.tool_call_id or "",
        tool_name=pending.tool_name or "",
        args=for_browser(pending.args or {}),
        # The text as the model wrote it, unless its value is known: then that value, spread over lines.
        args_text=pending.args_text if pending.args is None else _text(pending.args),
        readable=pending.args is not None or not pending.args_text,
        args_schema=for_browser(pending.args_schema or {}),
        args_schema_text=_text(pending.args_schema),
        response_schema=for_browser(pending.response_schema or {}),
        response_schema_text=_text(pending.response_schema),
        allowed_decisions=list(pending.allowed_decisions),
        form=for_browser(pending.form or {}),
        card=_card(pending),
        opened_at=_time(pending.opened_at),
        expires_at=_time(pending.expires_at),
        thread_id=pending.thread_id,
        run_id=pending.run_id,
        metadata=for_browser(pending.metadata),
        digest=seal(pending),
        position=pending.position,
        total=pending.total,
    )


def _card(pending: PendingInterrupt) -> CardView | None:
    return card_view(card_of(pending.form, pending.response_schema)) if pending.kind == "question" else None


def _arguments(text: str) -> tuple[dict[str, Any] | None, str]:
    try:
        value = json_text.read(text)
    except InvalidJSONError:
        return None, text
    args = cast("dict[str, Any]", value) if isinstance(value, dict) else None
    return for_browser(args), json_text.write(value, indent=2)


def _text(value: Any) -> str:
    if value is None:
        return ""
    try:
        return json_text.write(value, indent=2)
    except InvalidJSONError:
        return repr(value)


def _time(moment: datetime | None) -> str:
    return moment.isoformat() if moment else ""
