"""The older way to ask: a CUSTOM event `on_interrupt`, which names nothing by which to answer the graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ag_ui.core import CustomEvent, Interrupt, ResumeEntry

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.legacy import read_legacy


def legacy_interrupts(events: Sequence[CustomEvent], run_id: str) -> list[Interrupt]:
    """What the events ask, as standard interrupts."""
    found: list[Interrupt] = []
    for place, event in enumerate(events):
        interrupt, payload = read_legacy(event, place, run_id)
        interrupt.metadata = {**(interrupt.metadata or {}), "payload": payload}
        found.append(interrupt)
    return found


def legacy_answer(entries: Sequence[ResumeEntry]) -> tuple[Any] | None:
    """The one answer to resume with; `None` where it was cancelled, since that resumes nothing.

    Raises:
        InvalidAnswerError: several were asked. One value is all that the graph takes, so none could be
            answered by itself.
    """
    if len(entries) > 1:
        raise InvalidAnswerError(
            f"{len(entries)} interrupts of the older kind are open, and they cannot be answered one by one. "
            "Ask with standard interrupts, or one at a time.",
            code="several_legacy",
        )
    entry = entries[0]
    return None if entry.status == "cancelled" else (entry.payload,)
