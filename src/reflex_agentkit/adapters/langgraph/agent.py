"""`LangGraphAGUIAgent`: a LangGraph graph as an AG-UI agent that can wait for people."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Any, cast

from ag_ui.core import BaseEvent, RunAgentInput
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph

from reflex_agentkit.adapters.langgraph.setup import (
    check_graph,
    mends_messages,
    node_names,
    schema_keys,
    tool_schemas,
)
from reflex_agentkit.adapters.langgraph.turn import Setup, Turn
from reflex_agentkit.agents.lanes import Lanes


class LangGraphAGUIAgent:
    """Runs a LangGraph graph in process, on the official ag-ui-langgraph integration.

    `interrupt(value)` in the graph is a question, `request_tool_approval(...)` an approval, and LangChain's
    `HumanInTheLoopMiddleware` shows as one approval for each action. Every answer goes back by the id of its
    interrupt. A node that raises on its answer is asked about again, with its error.

    Args:
        graph: a compiled graph with a checkpointer. One object serves every thread at the same time.
        name: the agent's name.
        config: LangGraph's own configuration of every run, such as `recursion_limit` or `callbacks`.
        legacy_interrupts: take `on_interrupt` CUSTOM events of the graph as interrupts too.

    Raises:
        ConfigurationError: not a compiled graph, or one without a checkpointer.
    """

    def __init__(
        self,
        graph: CompiledStateGraph[Any, Any, Any, Any],
        *,
        name: str = "agent",
        config: RunnableConfig | None = None,
        legacy_interrupts: bool = False,
    ) -> None:
        check_graph(graph)
        self.graph = graph
        self.name = name
        self._setup = Setup(
            graph=graph,
            name=name,
            config=cast("RunnableConfig", dict(config or {})),
            schemas=tool_schemas(graph),
            keys=schema_keys(graph),
            names=node_names(graph),
            mends=mends_messages(graph),
            legacy=legacy_interrupts,
        )
        self._lanes = Lanes()

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run. Two runs of one thread come one after the other."""
        async with self._lanes.of(run_input.thread_id):
            turn = Turn(self._setup, run_input.model_copy(deep=True))
            async with aclosing(turn.events()) as events:
                async for event in events:
                    yield event
