"""A stored decision as the note that the transcript keeps."""

from __future__ import annotations

from typing import Any, cast

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import DecisionNote
from reflex_agentkit.protocol.form_answers import card_of
from reflex_agentkit.records.decision import InterruptRecord


def note_of(record: InterruptRecord) -> DecisionNote:
    """The note of a decided interrupt: what was proposed, what was decided, by whom, when."""
    decision = record.decision
    if decision is None:
        raise ValueError(f"interrupt {record.id!r} is not decided")
    pending = record.pending
    given: Any = decision.payload
    payload = cast("dict[str, Any]", given) if isinstance(given, dict) else {}
    approval = pending.kind == "approval"
    if decision.verdict == "edited":
        after = json_text.write(payload["editedArgs"])
    elif approval or decision.status == "cancelled":
        after = pending.args_text
    else:
        after = json_text.write(decision.payload)
    reason = payload.get("response" if decision.verdict == "responded" else "reason") if approval else ""
    return DecisionNote(
        interrupt_id=record.id,
        verdict=decision.verdict,
        by=decision.by,
        at=decision.at.isoformat(),
        reason=str(reason or ""),
        message=pending.message,
        tool_name=pending.tool_name or "",
        tool_call_id=pending.tool_call_id or "",
        before_text=pending.args_text,
        after_text=after,
        card_text=json_text.write(pending.form) if card_of(pending.form, pending.response_schema) else "",
    )
