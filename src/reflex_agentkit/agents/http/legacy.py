"""The older way to ask: a CUSTOM event `on_interrupt`, answered by `forwardedProps.command.resume`.

The answer names nothing, so one interrupt at a time is all that can be answered.
"""

from __future__ import annotations

from typing import Any, Final

from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    Interrupt,
    RunAgentInput,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

from reflex_agentkit.agents.http.faults import RemoteFaultError
from reflex_agentkit.protocol.legacy import LEGACY_INTERRUPT, read_legacy

_PREFIX: Final = "legacy-"


class LegacyReader:
    """Turns the `on_interrupt` events of one stream into standard interrupts at the end of their run."""

    def __init__(self, run_input: RunAgentInput) -> None:
        self._asked: list[CustomEvent] = []
        self._run_input = run_input

    def admit(self, event: BaseEvent) -> BaseEvent | None:
        """The event to pass on; `None` for one that is kept back until the run ends.

        Raises:
            RemoteFaultError: the run asks several things at once in the older way.
        """
        match event:
            case CustomEvent() if event.name == LEGACY_INTERRUPT:
                self._asked.append(event)
                return None
            case RunStartedEvent():
                self._asked.clear()
            case RunFinishedEvent():
                return self._finished(event)
            case _:
                pass
        return event

    def _finished(self, event: RunFinishedEvent) -> RunFinishedEvent:
        asked, self._asked = self._asked, []
        standard = isinstance(event.outcome, RunFinishedInterruptOutcome | RunFinishedCancelledOutcome)
        if standard or not asked:
            return event
        if len(asked) > 1:
            raise RemoteFaultError(
                "several_legacy",
                f"The agent asks {len(asked)} things at once in the older way (on_interrupt), which cannot "
                "be answered one by one. Let it ask with standard interrupts, or one at a time.",
            )
        metadata = event.metadata
        if isinstance(event.outcome, RunFinishedSuccessOutcome) and event.outcome.pending_tool_call_ids:
            # An interrupted run has no field for the client calls that it leaves.
            metadata = {**(metadata or {}), "pendingToolCallIds": event.outcome.pending_tool_call_ids}
        outcome = RunFinishedInterruptOutcome(interrupts=[self._interrupt(asked[0], event.run_id)])
        return event.model_copy(update={"outcome": outcome, "metadata": metadata})

    def _interrupt(self, event: CustomEvent, run_id: str) -> Interrupt:
        interrupt, payload = read_legacy(event, 0, run_id)
        made: dict[str, Any] = {
            # An id of our own also where it has one: the answer goes back without it.
            "id": f"{_PREFIX}{run_id}:{_last_said(self._run_input)}",
            "metadata": {**(interrupt.metadata or {}), "payload": payload},
        }
        return interrupt.model_copy(update=made)


def is_legacy_id(interrupt_id: str) -> bool:
    """Whether an interrupt was asked in the older way, and made a standard one here."""
    return interrupt_id.startswith(_PREFIX)


def nothing_new(interrupt_id: str, run_input: RunAgentInput) -> bool:
    """Whether nobody has said anything since an older interrupt was asked."""
    return interrupt_id.endswith(f":{_last_said(run_input)}")


def _last_said(run_input: RunAgentInput) -> str:
    return next((one.id for one in reversed(run_input.messages) if one.role == "user"), "")
