"""What a thread's runs need beside its record: the agent and the client tools of whoever has it open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ag_ui.core import Tool

from reflex_agentkit.agents.base import AGUIAgent, check_agent


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How the runs of one thread are made. `asking` names the client tools that a person answers."""

    agent: AGUIAgent
    tools: tuple[Tool, ...] = ()
    asking: frozenset[str] = frozenset()


def setting(agent: AGUIAgent, tools: Sequence[Tool] = (), asking: Collection[str] = ()) -> Setting:
    """A setting from what a caller has at hand.

    Raises:
        ConfigurationError: `agent` is no agent.
    """
    check_agent(agent)
    return Setting(agent=agent, tools=tuple(tools), asking=frozenset(asking))
