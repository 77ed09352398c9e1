"""The feedback provider that pauses a flow instead of reading from a console."""

from __future__ import annotations

from typing import Any

from crewai.flow.async_feedback import HumanFeedbackPending, PendingFeedbackContext


class AGUIFeedbackProvider:
    """For `@human_feedback(provider=...)`: the flow pauses, and goes on with a person's answer."""

    def __call__(self) -> AGUIFeedbackProvider:
        """Itself, so that `provider=agui_feedback_provider()` means the same."""
        return self

    def request_feedback(self, context: PendingFeedbackContext, flow: Any) -> str:  # noqa: ARG002
        """Pause.

        Raises:
            HumanFeedbackPending: always; this is how CrewAI is told.
        """
        raise HumanFeedbackPending(context=context)


agui_feedback_provider = AGUIFeedbackProvider()
"""The one that all flows can share. A flow whose `@human_feedback` names no provider uses it too."""
