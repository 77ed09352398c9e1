"""What an agent is: anything with `run(run_input)` that yields AG-UI events."""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator
from typing import Any, Protocol, runtime_checkable

from ag_ui.core import BaseEvent, RunAgentInput

from reflex_agentkit.errors import ConfigurationError


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


def check_agent(agent: Any) -> None:
    """Refuse what is no agent when a kit or a state is given it, and not at the first message.

    Raises:
        ConfigurationError: it has no `run`, or a `run` that gives a coroutine, as frameworks' own agents do.
    """
    run = getattr(agent, "run", None)
    if callable(run) and not inspect.iscoroutinefunction(run):
        return
    what = (
        "its `run` is a coroutine, not a stream of events" if callable(run) else "it has no `run(run_input)`"
    )
    raise ConfigurationError(
        f"{type(agent).__name__} is not an AG-UI agent: {what}. Wrap a framework's agent in its adapter, "
        "PydanticAIAgent(agent) say."
    )
