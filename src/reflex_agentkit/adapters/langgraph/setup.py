"""What a graph must be like to be run here, and what is known about it before it runs."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Any, cast

from langgraph.channels import BinaryOperatorAggregate
from langgraph.channels.delta import DeltaChannel
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.pregel import Pregel

from reflex_agentkit.adapters.langgraph.arguments import tool_schema
from reflex_agentkit.errors import ConfigurationError

log = logging.getLogger("reflex_agentkit.langgraph")


def check_graph(graph: object) -> None:
    """Raise ConfigurationError unless `graph` is a compiled graph that can pause."""
    if not isinstance(graph, Pregel):
        advice = " Call its compile(checkpointer=...) first." if hasattr(graph, "compile") else ""
        raise ConfigurationError(
            f"LangGraphAGUIAgent needs a compiled LangGraph graph; it got {type(graph).__name__}.{advice}"
        )
    if not isinstance(cast("Any", graph).checkpointer, BaseCheckpointSaver):
        raise ConfigurationError(
            "The graph has no checkpointer, and without one it cannot wait for a person: LangGraph goes on "
            "from its checkpoint. Compile it with one: builder.compile(checkpointer=InMemorySaver()), or one "
            "that outlives the process (langgraph-checkpoint-sqlite, langgraph-checkpoint-postgres)."
        )


def tool_schemas(graph: Any) -> dict[str, dict[str, Any]]:
    """The argument schemas of the tools in a graph's tool nodes, by name."""
    schemas: dict[str, dict[str, Any]] = {}
    for tool in _tools(graph):
        try:
            schemas[str(tool.name)] = tool_schema(tool)
        except Exception as error:
            # Without it the arguments can be edited all the same, only not checked while one types.
            log.warning("the arguments of the tool %r have no schema: %s", getattr(tool, "name", tool), error)
            continue
    return schemas


def shared_keys(graph: Any) -> list[str]:
    """The keys of the state that a graph gives out."""
    channels: Any = graph.output_channels
    return [channels] if isinstance(channels, str) else [str(key) for key in channels]


def schema_keys(graph: Any) -> dict[str, list[str]]:
    """What a graph takes, gives and is configured by, in the form in which the integration keeps it."""
    always = ["messages", "tools"]
    context: Any = getattr(graph, "context_schema", None)
    return {
        "input": [*_input_keys(graph), *always],
        "output": [*shared_keys(graph), *always],
        "config": [],
        "context": sorted(getattr(context, "__annotations__", ())),
    }


def _input_keys(graph: Any) -> list[str]:
    builder = getattr(graph, "builder", None)
    if builder is None:  # a graph of the functional API: one value goes in
        return []
    return [str(key) for key in builder.schemas[builder.input_schema]]


def node_names(graph: Any) -> frozenset[str]:
    """The names of all nodes of a graph and of those below it that it declares."""
    return frozenset(str(name) for one in _graphs(graph) for name in one.nodes)


def mends_messages(graph: Any) -> bool:
    """Whether a graph's messages can be written anew as a whole, past what it does to add new ones."""
    return isinstance(graph.channels.get("messages"), BinaryOperatorAggregate | DeltaChannel)


def _graphs(graph: Any) -> Iterator[Any]:
    yield graph
    for _, below in graph.get_subgraphs(recurse=True):
        yield below


def _tools(graph: Any) -> Iterator[Any]:
    for one in _graphs(graph):
        for node in one.nodes.values():
            by_name: Any = getattr(getattr(node, "bound", None), "tools_by_name", None)
            if isinstance(by_name, dict):
                yield from cast("dict[str, Any]", by_name).values()
