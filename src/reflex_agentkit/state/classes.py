"""Which `AgentState` classes an app has."""

from __future__ import annotations

from typing import Any

from reflex_agentkit.state.chat import AgentState
from reflex_agentkit.state.declare import has_kit, is_mixin


def state_classes() -> list[Any]:
    """Every `AgentState` class that pages can use. One without an agent that others build on is left out."""
    found: list[Any] = []
    waiting: list[Any] = list(AgentState.__subclasses__())
    while waiting:
        state_class = waiting.pop()
        below = state_class.__subclasses__()
        waiting.extend(below)
        if not is_mixin(state_class) and (has_kit(state_class) or not below):
            found.append(state_class)
    return found
