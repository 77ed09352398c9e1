"""`LangGraphAGUIAgent` keeps the contract of all agents: over nodes of one's own, and over the middleware."""

from __future__ import annotations

import pytest

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.testing.agents import AgentContract, Build
from tests.adapters.langgraph_subjects import middleware_graph, node_graph


class TestNodesThatAsk(AgentContract):
    @pytest.fixture
    def build(self) -> Build:
        return lambda subject: LangGraphAGUIAgent(node_graph(subject))


class TestMiddlewareBatched(AgentContract):
    @pytest.fixture
    def build(self) -> Build:
        return lambda subject: LangGraphAGUIAgent(middleware_graph(subject, "batched"))


class TestMiddlewarePerCall(AgentContract):
    @pytest.fixture
    def build(self) -> Build:
        return lambda subject: LangGraphAGUIAgent(middleware_graph(subject, "per_call"))
