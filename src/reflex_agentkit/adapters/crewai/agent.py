"""`CrewAIFlowAGUIAgent`: a CrewAI flow as an AG-UI agent that can wait for people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing

from ag_ui.core import BaseEvent, RunAgentInput
from crewai.flow.persistence import FlowPersistence

from reflex_agentkit.adapters.crewai.attempt import Setup
from reflex_agentkit.adapters.crewai.journal import Shelf
from reflex_agentkit.adapters.crewai.native import asking_methods
from reflex_agentkit.adapters.crewai.quiet import keep_to_itself
from reflex_agentkit.adapters.crewai.setup import FlowSource, definition_of, maker_of, persistence_of
from reflex_agentkit.adapters.crewai.turn import Turn
from reflex_agentkit.agents.lanes import Lanes


class CrewAIFlowAGUIAgent:
    """Runs a CrewAI flow in process, on CrewAI's own pending feedback.

    A flow that is paused by `@human_feedback` asks a question; the answer resumes it. A method that returns
    `tool_request(...)` asks for an approval, a list of them for several. A run that broke off is gone on
    with; steps that finished do not run again.

    Args:
        flow: a Flow class, a function that makes a flow, or a flow. Every run gets a copy of its own.
        name: the agent's name.
        persistence: where pauses, states and this agent's records lie. Without it the flow's own, else
            CrewAI's default, a SQLite file in its data folder.

    Raises:
        ConfigurationError: not a flow, a flow that cannot be copied, or a persistence that keeps no pauses.
    """

    def __init__(
        self, flow: FlowSource, *, name: str = "agent", persistence: FlowPersistence | None = None
    ) -> None:
        keep_to_itself()
        make = maker_of(flow)
        definition = definition_of(flow, make)
        kept = persistence_of(flow, definition, persistence)
        self.name = name
        self._setup = Setup(
            make=make, persistence=kept, shelf=Shelf(kept), methods=asking_methods(definition)
        )
        self._lanes = Lanes()

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run. Two runs of one thread come one after the other."""
        async with self._lanes.of(run_input.thread_id):
            turn = Turn(self._setup, run_input.model_copy(deep=True))
            async with aclosing(turn.events()) as events:
                async for event in events:
                    yield event
