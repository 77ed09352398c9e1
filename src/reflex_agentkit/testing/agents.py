"""The suite that every agent passes, whatever framework is behind it. Subclass it and give a fixture `build`:

    class TestMyAdapter(AgentContract):
        @pytest.fixture
        def build(self):
            def build(subject: Subject) -> AGUIAgent:
                return MyAdapter(my_agent(subject))
            return build

A `Subject` is the script. Put its bodies (`book`, `pay`, `look`) and `ask` into the framework as tools, and
let its model say what `subject.model` says. Every test goes through an `AgentKit` in process or over a raw
AG-UI stream, and counts the executions in the tools' bodies. It asks for pytest with pytest-asyncio in its
automatic mode.
"""

from __future__ import annotations

from reflex_agentkit.testing.agent_contract.decisions import (
    DecisionsThroughKit,
    QuestionsThroughKit,
    SchemaThroughKit,
)
from reflex_agentkit.testing.agent_contract.kit_thread import Build
from reflex_agentkit.testing.agent_contract.subject import Call, Seen, Subject
from reflex_agentkit.testing.agent_contract.trouble import TroubleThroughKit
from reflex_agentkit.testing.agent_contract.wire import (
    DecisionsOverTheWire,
    QuestionsOverTheWire,
    TroubleOverTheWire,
)

__all__ = [
    "AgentContract",
    "ApprovalContract",
    "Build",
    "Call",
    "QuestionContract",
    "SchemaContract",
    "Seen",
    "Subject",
]


class ApprovalContract(DecisionsThroughKit, TroubleThroughKit, DecisionsOverTheWire, TroubleOverTheWire):
    """An agent whose tools can wait for a yes."""


class QuestionContract(QuestionsThroughKit, QuestionsOverTheWire):
    """An agent that can ask for anything else, and be given any JSON value."""


class SchemaContract(SchemaThroughKit):
    """An agent that publishes its tools' argument schemas, so that an edit is held against them."""


class AgentContract(ApprovalContract, QuestionContract, SchemaContract):
    """All of it; see the module."""
