"""Agents behind HTTP: one POST a run, the events come back as Server-Sent Events."""

from reflex_agentkit.agents.http.agent import HttpAgent

__all__ = ["HttpAgent"]
