"""What an agent must be like to be run here, and what all its runs have in common."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, cast

from ag_ui.core import RunAgentInput
from agents import (
    Agent,
    ApplyPatchTool,
    CustomTool,
    FunctionTool,
    Handoff,
    HostedMCPTool,
    InputGuardrailTripwireTriggered,
    MaxTurnsExceeded,
    OutputGuardrailTripwireTriggered,
    RunContextWrapper,
    Runner,
    ShellTool,
    ToolInputGuardrailTripwireTriggered,
    ToolOutputGuardrailTripwireTriggered,
)

from reflex_agentkit.adapters.openai_agents.fence import Once
from reflex_agentkit.adapters.openai_agents.internals import (
    agent_of_tool,
    in_namespace,
    target_of,
    with_agent,
)
from reflex_agentkit.errors import ConfigurationError, GateError, InvalidAnswerError

ContextFactory = Callable[[RunAgentInput], Any | Awaitable[Any]]

_MEMORY: Final = ("session", "conversation_id", "previous_response_id", "auto_previous_response_id")
"""Memories of the SDK. The thread's log is the memory here; a second one would be shared by all threads and
could say something else than what people saw and approved."""

_OWNED: Final = ("starting_agent", "input", "context")

_CODES: Final[tuple[tuple[type[Exception], str], ...]] = (
    (GateError, "gate"),
    (InvalidAnswerError, "invalid_answer"),
    (ConfigurationError, "configuration"),
    (MaxTurnsExceeded, "max_turns"),
    (InputGuardrailTripwireTriggered, "input_guardrail"),
    (OutputGuardrailTripwireTriggered, "output_guardrail"),
    (ToolInputGuardrailTripwireTriggered, "tool_guardrail"),
    (ToolOutputGuardrailTripwireTriggered, "tool_guardrail"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What all runs of an agent have in common. `options` go to the SDK's runner."""

    agent: Agent[Any]
    context_factory: ContextFactory | None
    notify_edited_args: bool
    options: Mapping[str, Any]
    once: Once = field(default_factory=Once)

    async def context(self, run_input: RunAgentInput) -> RunContextWrapper[Any]:
        """The context of one run."""
        made = self.context_factory(run_input) if self.context_factory is not None else None
        return RunContextWrapper(context=await made if inspect.isawaitable(made) else made)


def check_agent(agent: object) -> None:
    """Raise ConfigurationError unless all that may have to wait for a yes can."""
    if not isinstance(agent, Agent):
        raise ConfigurationError(
            f"OpenAIAgentsAGUIAgent needs an agents.Agent; it got {type(agent).__name__}: {agent!r}"
        )
    names: dict[str, Agent[Any]] = {}
    for one in _reachable(cast("Agent[Any]", agent)):
        if names.setdefault(one.name, one) is not one:
            raise ConfigurationError(
                f"Two agents are named {one.name!r}. A pause is taken up by the names of its agents: give "
                "each one a name of its own."
            )
        for tool in one.tools:
            if isinstance(tool, FunctionTool) and in_namespace(tool):
                raise ConfigurationError(
                    f"The tool {tool.name!r} of {one.name!r} is in a namespace or loaded later: the calls "
                    "of such a tool could not be found again after a pause. Give the agent the tool itself."
                )
            if asks := _asks_elsewhere(tool):
                raise ConfigurationError(
                    f"The tool {getattr(tool, 'name', tool)!r} of {one.name!r} asks by {asks}, and only "
                    "calls of function tools can be decided here. Make it a function tool with "
                    "needs_approval=True, or an MCP server in `mcp_servers`."
                )


def check_options(options: Mapping[str, Any]) -> None:
    """Raise ConfigurationError for an option that the SDK does not know or that belongs to each run."""
    if memory := [name for name in options if name in _MEMORY]:
        raise ConfigurationError(
            f"{', '.join(map(repr, memory))} cannot be given: the thread's own log is the agent's memory, "
            "and the SDK's would be one for all threads. Leave it out; the agent gets the whole conversation."
        )
    if owned := [name for name in options if name in _OWNED]:
        raise ConfigurationError(
            f"OpenAIAgentsAGUIAgent sets {', '.join(map(repr, owned))} for each run by itself. The context "
            "goes into context_factory=."
        )
    known = set(inspect.signature(Runner.run_streamed).parameters) - {*_MEMORY, *_OWNED}
    if unknown := [name for name in options if name not in known]:
        raise ConfigurationError(
            f"The SDK's runner knows no option {', '.join(map(repr, unknown))}. "
            f"It knows: {', '.join(sorted(known))}"
        )


def code_of(error: Exception) -> str | None:
    """The stable code of a run that ended with this error."""
    return next((code for kind, code in _CODES if isinstance(error, kind)), None)


def _reachable(agent: Agent[Any]) -> Iterator[Agent[Any]]:
    """An agent and all that it hands off to or runs as tools."""
    left, seen = [agent], set[int]()
    while left:
        one = left.pop()
        if id(one) in seen:
            continue
        seen.add(id(one))
        yield one
        for tool in one.tools:
            nested = agent_of_tool(tool) if isinstance(tool, FunctionTool) else None
            if nested is not None:
                with_agent(cast("FunctionTool", tool), nested)  # raises where it cannot be done
                left.append(nested)
        for handoff in one.handoffs:
            target = target_of(cast("Any", handoff)) if isinstance(handoff, Handoff) else handoff
            if target is not None:
                left.append(target)


def _asks_elsewhere(tool: Any) -> str:
    """What makes a tool wait for a yes that cannot be given here; empty where nothing does."""
    if isinstance(tool, ShellTool | ApplyPatchTool | CustomTool):
        return "needs_approval" if tool.needs_approval is not False else ""
    if isinstance(tool, HostedMCPTool) and tool.on_approval_request is None:
        # Left out it means "always".
        never = tool.tool_config.get("require_approval") == "never"
        return "" if never else "require_approval"
    return ""
