"""What an agent is, the gate before its tools, and the agents that need no framework.

Names load when they are first used: an app without remote agents loads no HTTP client.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reflex_agentkit.agents.http.agent import HttpAgent
    from reflex_agentkit.agents.scripted import ScriptedAgent

__all__ = ["HttpAgent", "ScriptedAgent"]

_PLACES = {"HttpAgent": "http.agent", "ScriptedAgent": "scripted"}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module 'reflex_agentkit.agents' has no attribute {name!r}")
    return getattr(import_module(f"reflex_agentkit.agents.{_PLACES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
