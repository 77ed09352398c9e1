"""The agents of one run: copies of the given ones whose tools stand behind the run's fence.

A run has copies of its own, so that one given agent serves all runs at once and none sees another's answers.
"""

from __future__ import annotations

import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeAlias, cast

from ag_ui.core import Tool as ClientTool
from agents import Agent, FunctionTool, Handoff, RunContextWrapper, Tool
from agents.agent import AgentToolStreamEvent
from agents.tool_context import ToolContext

from reflex_agentkit.adapters.openai_agents.fence import Fence
from reflex_agentkit.adapters.openai_agents.internals import (
    agent_of_tool,
    leading_to,
    option_of_agent_tool,
    target_of,
    with_agent,
)

log = logging.getLogger("reflex_agentkit.adapters.openai_agents")

OnStream: TypeAlias = Callable[[AgentToolStreamEvent], Awaitable[None]]
"""Is told every event of an agent that runs as a tool."""


class Binding:
    """Makes the copies of one run.

    Args:
        fence: what every function tool runs behind.
        on_stream: is told what agents that run as tools do.
        client_tools: tools of the application, which the agents in charge of the conversation get too; one
            that runs as a tool does not, since its calls are not the conversation's. An agent's own tool
            goes before one of the application with its name, which could give its result in its place.
    """

    def __init__(self, fence: Fence, on_stream: OnStream, client_tools: Sequence[ClientTool]) -> None:
        self.fence = fence
        self.client_tools = {tool.name: _client_tool(tool) for tool in client_tools}
        self._on_stream = on_stream
        self._bound: dict[int, Agent[Any]] = {}
        self._given: list[Agent[Any]] = []
        self._tools: dict[tuple[int, str], FunctionTool] = {}

    def agent(self, given: Agent[Any]) -> Agent[Any]:
        """The copy of an agent, the same one each time."""
        if id(given) not in self._bound:
            self._given.append(given)  # kept, so that its id stays its own
            self._bound[id(given)] = bound = _copied(given, self._ready)
            bound.tools = [*(self._tool(tool) for tool in given.tools), *self.client_tools.values()]
            bound.handoffs = [self._handoff(one) for one in given.handoffs]
        return self._bound[id(given)]

    def tool_of(self, agent: Agent[Any], name: str) -> FunctionTool | None:
        """A function tool that a copy had when it was last asked for its tools."""
        return self._tools.get((id(agent), name))

    async def _ready(self, agent: Agent[Any], tools: list[Tool]) -> list[Tool]:
        """The tools of a copy, asked for before each turn; nothing goes on after a fault."""
        self.fence.check()
        known = {id(tool) for tool in agent.tools}
        of_clients = {id(tool) for tool in self.client_tools.values()}
        own = {tool.name for tool in tools if id(tool) not in of_clients}
        if hidden := sorted(own & self.client_tools.keys()):
            log.warning(
                "%s has tools of its own named %s: those of the application are left out",
                agent.name,
                ", ".join(hidden),
            )
        tools = [tool for tool in tools if id(tool) not in of_clients or tool.name not in own]
        made = [tool if id(tool) in known else self._tool(tool) for tool in tools]
        for tool in made:
            if isinstance(tool, FunctionTool):
                self._tools[id(agent), tool.name] = tool
        return made

    def _tool(self, tool: Tool) -> Tool:
        if not isinstance(tool, FunctionTool):
            return tool
        nested, asks = agent_of_tool(tool), tool.needs_approval is True
        if nested is None:
            return self.fence.around(tool, asks=asks)
        own: Any = option_of_agent_tool(tool, "on_stream")
        made = with_agent(tool, self.agent(nested), on_stream=_both(self._on_stream, own))
        if tool.needs_approval is not False:
            made.needs_approval = self._asks_once(tool)
        return self.fence.around(made, asks=asks)

    def _asks_once(self, tool: FunctionTool) -> Any:
        """An agent tool that had its yes goes on without a second one."""

        async def needs(ctx: RunContextWrapper[Any], args: dict[str, Any], call_id: str) -> bool:
            if call_id in self.fence.going_on:
                return False
            asks = tool.needs_approval
            return asks if isinstance(asks, bool) else bool(await asks(ctx, args, call_id))

        return needs

    def _handoff(self, given: Any) -> Any:
        if not isinstance(given, Handoff):
            return self.agent(cast("Agent[Any]", given))
        handoff = cast("Handoff[Any, Any]", given)
        target = target_of(handoff)

        async def invoke(ctx: RunContextWrapper[Any], text: str) -> Agent[Any]:
            return self.agent(await handoff.on_invoke_handoff(ctx, text))

        bound = self.agent(target) if target is not None else None
        return leading_to(handoff, bound, invoke)


def _copied(
    given: Agent[Any], ready: Callable[[Agent[Any], list[Tool]], Awaitable[list[Tool]]]
) -> Agent[Any]:
    """A copy of an agent, whatever its class asks of its constructor, that hands its tools to `ready`."""
    kind = type(given)

    async def get_all_tools(self: Agent[Any], run_context: RunContextWrapper[Any]) -> list[Tool]:
        return await ready(self, await kind.get_all_tools(self, run_context))

    made: Any = object.__new__(type(kind.__name__, (kind,), {"get_all_tools": get_all_tools}))
    made.__dict__.update(given.__dict__)
    return made


def _both(ours: OnStream, own: Any) -> OnStream:
    if own is None:
        return ours

    async def both(event: AgentToolStreamEvent) -> None:
        await ours(event)
        heard = own(event)
        if heard is not None:
            await heard

    return both


def _in_charge(context: RunContextWrapper[Any], _agent: Any) -> bool:
    """Whether the asking agent leads the conversation: one that runs as a tool has that call's context."""
    return not isinstance(context, ToolContext)


def _client_tool(tool: ClientTool) -> FunctionTool:
    async def never(ctx: ToolContext[Any], text: str) -> Any:  # noqa: ARG001 (the SDK's signature)
        raise AssertionError(f"{tool.name} runs in the application")

    return FunctionTool(
        name=tool.name,
        description=tool.description,
        params_json_schema=tool.parameters or {"type": "object", "properties": {}},
        on_invoke_tool=never,
        strict_json_schema=False,
        needs_approval=True,
        is_enabled=_in_charge,
    )
