"""`ScriptedAgent`: plays recorded streams, for demos and tests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Sequence
from copy import deepcopy
from typing import TypeAlias

from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

Script: TypeAlias = (
    Iterable[BaseEvent] | Callable[[RunAgentInput], Iterable[BaseEvent] | AsyncIterator[BaseEvent]]
)
"""The events of one run, or a function that makes them from the run's input."""


class ScriptedAgent:
    """Plays one script a run, in order; the last one again when there are no more.

    A script may leave out RUN_STARTED and RUN_FINISHED, and its thread and run ids are replaced by the run's
    own. `inputs` keeps every input that the agent was given, as it was.
    """

    def __init__(self, *scripts: Script) -> None:
        self._scripts: Sequence[Script] = scripts or ((),)
        self.inputs: list[RunAgentInput] = []

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of the next script."""
        script = self._scripts[min(len(self.inputs), len(self._scripts) - 1)]
        self.inputs.append(deepcopy(run_input))
        thread_id, run_id = run_input.thread_id, run_input.run_id
        yield RunStartedEvent(thread_id=thread_id, run_id=run_id)
        closed = False
        async for event in _each(script(run_input) if callable(script) else script):
            if isinstance(event, RunStartedEvent):
                continue
            if isinstance(event, RunFinishedEvent):
                event = event.model_copy(update={"thread_id": thread_id, "run_id": run_id})
            closed = closed or isinstance(event, RunFinishedEvent | RunErrorEvent)
            yield event
        if not closed:
            outcome = RunFinishedSuccessOutcome()
            yield RunFinishedEvent(thread_id=thread_id, run_id=run_id, outcome=outcome)


async def _each(events: Iterable[BaseEvent] | AsyncIterator[BaseEvent]) -> AsyncIterator[BaseEvent]:
    if isinstance(events, AsyncIterator):
        async for event in events:
            yield event
    else:
        for event in events:
            yield event
