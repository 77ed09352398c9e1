"""Why an answer was not recorded: one sentence for a person, a stable code, the facts."""

from __future__ import annotations

from collections.abc import Mapping

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.conversation import Verdict
from reflex_agentkit.protocol.verdicts import Refused
from reflex_agentkit.records.decision import InterruptRecord

_DID: Mapping[Verdict, str] = {
    "approved": "This was approved",
    "edited": "This was approved with changes",
    "rejected": "This was rejected",
    "responded": "This was answered in the tool's place",
    "answered": "This was answered",
    "cancelled": "This was cancelled",
}


def unknown(interrupt_id: str) -> Refused:
    """No such interrupt, or none that this caller may know of."""
    return Refused(
        code="unknown_interrupt",
        message="There is no such open request. It may have been answered or withdrawn.",
        interrupt_id=interrupt_id,
    )


def nothing_open() -> Refused:
    """A resume without entries for a thread where nothing is open."""
    return Refused(code="unknown_interrupt", message="Nothing is open in this conversation.")


def changed(record: InterruptRecord) -> Refused:
    """What the person was shown is not what is asked."""
    return Refused(
        code="changed",
        message="This request is not the one you were shown. Look at it again before you decide.",
        interrupt_id=record.id,
    )


def expired(record: InterruptRecord) -> Refused:
    """The time to answer ran out."""
    until = record.pending.expires_at
    when = f" at {until:%H:%M} UTC on {until:%Y-%m-%d}" if until else ""
    return Refused(
        code="expired",
        message=f"The time to answer ran out{when}. Nothing was run.",
        interrupt_id=record.id,
        decided_by=record.decision.by if record.decision else "",
        decided_at=record.decision.at if record.decision else None,
        decision="expired",
    )


def decided(record: InterruptRecord) -> Refused:
    """Somebody decided before, and differently."""
    decision = record.decision
    if decision is None:
        return unknown(record.id)
    if decision.verdict == "expired":
        return expired(record)
    return Refused(
        code="already_decided",
        message=f"{_DID[decision.verdict]} by {decision.by} at {decision.at:%H:%M} UTC. "
        "Your answer was not used.",
        interrupt_id=record.id,
        decided_by=decision.by,
        decided_at=decision.at,
        decision=decision.verdict,
    )


def invalid(record: InterruptRecord, error: InvalidAnswerError) -> Refused:
    """The answer does not fit what was asked; the interrupt stays open."""
    return Refused(
        code="not_allowed" if error.code == "not_allowed" else "invalid_answer",
        message=str(error),
        interrupt_id=record.id,
        path=error.path,
        problems=error.problems,
    )
