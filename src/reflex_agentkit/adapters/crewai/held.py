"""A flow's persistence while a run goes on: pauses are stored and forgotten when the run is over.

CrewAI clears a pause before it runs what listens to it, and stores the next one in its place. A run that
breaks off in between would leave nothing to go on from.
"""

from __future__ import annotations

from typing import Any

from crewai.flow.async_feedback import PendingFeedbackContext
from crewai.flow.persistence import FlowPersistence
from pydantic import PrivateAttr


class HeldPersistence(FlowPersistence):
    """Stands before the real persistence in one run. `state` replaces what a pause was stored with."""

    persistence_type: str = "reflex-agentkit-held"
    _below: FlowPersistence = PrivateAttr()
    _state: dict[str, Any] | None = PrivateAttr(default=None)

    def __init__(self, below: FlowPersistence, state: dict[str, Any] | None = None) -> None:
        super().__init__()
        self._below = below
        self._state = state

    def init_db(self) -> None:
        """Nothing: the real one is ready."""

    def save_state(self, flow_uuid: str, method_name: str, state_data: Any) -> None:
        """Hand on."""
        self._below.save_state(flow_uuid, method_name, state_data)

    def load_state(self, flow_uuid: str) -> dict[str, Any] | None:
        """Hand on."""
        return self._below.load_state(flow_uuid)

    def save_pending_feedback(self, flow_uuid: str, context: Any, state_data: Any) -> None:
        """Nothing yet: the run stores it when all that runs beside it has come to an end."""

    def load_pending_feedback(self, flow_uuid: str) -> tuple[dict[str, Any], PendingFeedbackContext] | None:
        """The stored pause, with the state that the run goes on from."""
        found = self._below.load_pending_feedback(flow_uuid)
        if found is None or self._state is None:
            return found
        return self._state, found[1]

    def clear_pending_feedback(self, flow_uuid: str) -> None:
        """Nothing yet."""
