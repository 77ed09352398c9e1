"""What a PydanticAI agent must be like to be run here, and how one run of it is set up."""

from __future__ import annotations

import copy
import inspect
from collections.abc import Iterator, Mapping
from types import UnionType
from typing import Any, Union, cast, get_args, get_origin

from ag_ui.core import Tool
from pydantic import BaseModel
from pydantic_ai import DeferredToolRequests, ToolDefinition
from pydantic_ai.agent import AbstractAgent, WrapperAgent
from pydantic_ai.toolsets import ExternalToolset
from pydantic_ai.ui import StateDeps, StateHandler
from pydantic_ai.ui.ag_ui import AGUIAdapter

from reflex_agentkit.errors import ConfigurationError

OWNED = (
    "output_type",
    "deps",
    "message_history",
    "deferred_tool_results",
    "conversation_id",
    "run_id",
    "usage",
)
"""What each run gets from its own input; given once for all runs it would leak from one into another."""


def check_agent(agent: object) -> None:
    """Raise ConfigurationError unless `agent` is a PydanticAI agent that can pause."""
    if not isinstance(agent, AbstractAgent):
        raise ConfigurationError(
            f"PydanticAIAgent needs a pydantic_ai.Agent; it got {type(agent).__name__}: {agent!r}"
        )
    run_output_type(cast("AbstractAgent[Any, Any]", agent))


def check_options(run_kwargs: Mapping[str, Any]) -> None:
    """Raise ConfigurationError for an option that PydanticAI does not know or that belongs to each run."""
    if owned := [name for name in run_kwargs if name in OWNED]:
        raise ConfigurationError(
            f"PydanticAIAgent sets {', '.join(map(repr, owned))} for each run by itself; leave it out. "
            "Output types belong to the Agent, dependencies into deps= or deps_factory=."
        )
    known = inspect.signature(AGUIAdapter[Any, Any].run_stream).parameters
    if unknown := [name for name in run_kwargs if name not in known]:
        raise ConfigurationError(
            f"PydanticAI knows no run option {', '.join(map(repr, unknown))}. "
            f"It knows: {', '.join(sorted(set(known) - {'self', *OWNED}))}"
        )


def run_output_type(agent: AbstractAgent[Any, Any]) -> list[Any] | None:
    """The output types of a run that can pause, or `None` where the agent's own ones can.

    Raises:
        ConfigurationError: the agent has an output validator and cannot pause; PydanticAI refuses another
            output type for such an agent.
    """
    own: Any = agent.output_type
    if DeferredToolRequests in _members(own):
        return None
    if _has_output_validator(agent):
        raise ConfigurationError(
            "The agent has an output validator, so PydanticAI does not let a run add DeferredToolRequests, "
            "and without it no tool can wait for approval. Name it where the Agent is made: "
            f"Agent(..., output_type=[{_written(own)}, DeferredToolRequests])"
        )
    return [own, DeferredToolRequests]


def _members(output: Any) -> Iterator[Any]:
    """The output types that a specification lists, through lists and unions, as PydanticAI reads it."""
    if isinstance(output, list | tuple):
        for item in cast("list[Any]", output):
            yield from _members(item)
    elif get_origin(output) in (Union, UnionType):
        for item in get_args(output):
            yield from _members(item)
    elif hasattr(output, "__value__"):
        yield from _members(output.__value__)
    else:
        yield output


def _has_output_validator(agent: AbstractAgent[Any, Any]) -> bool:
    while isinstance(agent, WrapperAgent):
        agent = agent.wrapped
    # PydanticAI has no public way to ask; where this name is gone, the run itself refuses.
    return bool(getattr(agent, "_output_validators", ()))


def _written(output: Any) -> str:
    return ", ".join(getattr(item, "__name__", repr(item)) for item in _members(output))


def default_deps(agent: AbstractAgent[Any, Any], state: Any) -> Any:
    """The dependencies of a run that was given none: the shared state, if the agent's type asks for it."""
    wanted: Any = agent.deps_type
    if get_origin(wanted) is not StateDeps:
        return None
    model: type[BaseModel] = get_args(wanted)[0]
    return StateDeps(model.model_validate(state or {}))


def own_deps(deps: Any) -> Any:
    """The dependencies for one run: PydanticAI writes the state into them, so each run has its own."""
    return copy.copy(deps) if isinstance(deps, StateHandler) else deps


def own_state(deps: Any, state: Any) -> Any:
    """The shared state that a run starts with: the thread's, or the one that the dependencies came with.

    `None` where the dependencies hold no state: PydanticAI would warn about it at every run.
    """
    if not isinstance(deps, StateHandler):
        return None
    if state:
        return state
    given: Any = deps.state
    return (
        given.model_dump(mode="json", by_alias=True) if isinstance(given, BaseModel) else copy.deepcopy(given)
    )


def client_toolset(tools: list[Tool]) -> ExternalToolset[Any]:
    """The tools of the input as tools whose results come from outside the run."""
    return ExternalToolset(
        [
            ToolDefinition(
                name=tool.name,
                description=tool.description,
                parameters_json_schema=tool.parameters or {"type": "object", "properties": {}},
            )
            for tool in tools
        ]
    )
