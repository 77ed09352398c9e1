"""A person says yes, no, or "yes, but so" before an agent acts.

Names load when they are first used: `rxconfig.py` imports the plugin before a state or a component may exist.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reflex_agentkit.agents.base import AGUIAgent
    from reflex_agentkit.agents.gate import current_answer
    from reflex_agentkit.components.chat import agent_chat
    from reflex_agentkit.errors import (
        AdapterNotInstalledError,
        AgentKitError,
        ConfigurationError,
        EventOrderError,
        GateError,
        InvalidAnswerError,
        InvalidJSONError,
        MalformedEventError,
        ProtocolError,
        RefusedError,
        StoreError,
    )
    from reflex_agentkit.kit import AgentKit
    from reflex_agentkit.plugin import AgentKitPlugin
    from reflex_agentkit.protocol.pending import PendingInterrupt
    from reflex_agentkit.protocol.verdicts import (
        Answer,
        Approve,
        Cancel,
        Gave,
        Ready,
        Refused,
        Reject,
        Respond,
        RunAgain,
        Waiting,
    )
    from reflex_agentkit.records.principal import Principal
    from reflex_agentkit.state.chat import AgentState
    from reflex_agentkit.state.client_tools import client_tool

__all__ = [
    "AGUIAgent",
    "AdapterNotInstalledError",
    "AgentKit",
    "AgentKitError",
    "AgentKitPlugin",
    "AgentState",
    "Answer",
    "Approve",
    "Cancel",
    "ConfigurationError",
    "EventOrderError",
    "GateError",
    "Gave",
    "InvalidAnswerError",
    "InvalidJSONError",
    "MalformedEventError",
    "PendingInterrupt",
    "Principal",
    "ProtocolError",
    "Ready",
    "Refused",
    "RefusedError",
    "Reject",
    "Respond",
    "RunAgain",
    "StoreError",
    "Waiting",
    "agent_chat",
    "client_tool",
    "current_answer",
]

_PLACES = {
    "AGUIAgent": "agents.base",
    "AgentKit": "kit",
    "AgentKitPlugin": "plugin",
    "AgentState": "state.chat",
    "Answer": "protocol.verdicts",
    "Approve": "protocol.verdicts",
    "Cancel": "protocol.verdicts",
    "Gave": "protocol.verdicts",
    "PendingInterrupt": "protocol.pending",
    "Principal": "records.principal",
    "Ready": "protocol.verdicts",
    "Refused": "protocol.verdicts",
    "Reject": "protocol.verdicts",
    "Respond": "protocol.verdicts",
    "RunAgain": "protocol.verdicts",
    "Waiting": "protocol.verdicts",
    "agent_chat": "components.chat",
    "client_tool": "state.client_tools",
    "current_answer": "agents.gate",
}
"""Where a name lives; the others are errors."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'reflex_agentkit' has no attribute {name!r}")
    return getattr(import_module(f"reflex_agentkit.{_PLACES.get(name, 'errors')}"), name)


def __dir__() -> list[str]:
    return __all__
