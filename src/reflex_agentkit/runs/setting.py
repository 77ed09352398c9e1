"""What a thread's runs need beside its record: the agent and the client tools of whoever has it open."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from ag_ui.core import Tool

from reflex_agentkit.agents.base import AGUIAgent


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """How the runs of one thread are made. `asking` names the client tools that a person answers."""

    agent: AGUIAgent
    tools: tuple[Tool, ...] = ()
    asking: frozenset[str] = frozenset()


def setting(agent: AGUIAgent, tools: Sequence[Tool] = (), asking: Collection[str] = ()) -> Setting:
    """A setting from what a caller has at hand."""
    return Setting(agent=agent, tools=tuple(tools), asking=frozenset(asking))
