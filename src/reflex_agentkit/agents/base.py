"""What an agent is: anything with `run(run_input)` that yields AG-UI events."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Protocol, runtime_checkable

from ag_ui.core import BaseEvent, RunAgentInput


@runtime_checkable
class AGUIAgent(Protocol):
    """An agent. One object serves every session at the same time, so a run keeps nothing on it.

    `run` yields the events of one run, or of several in a row. What the input holds was put together by the
    server from its own record: `messages` is the whole conversation, `resume` the answers to the interrupts
    that the thread was left with, by the ids that the agent gave them.
    """

    def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run."""
        ...
