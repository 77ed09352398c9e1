"""`CrewAIFlowAGUIAgent` keeps the contract of all agents."""

from __future__ import annotations

import pytest
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent
from reflex_agentkit.testing.agents import AgentContract, Build
from tests.crewai_env.subjects import subject_flow


class TestFlowThatChats(AgentContract):
    @pytest.fixture
    def build(self, persistence: SQLiteFlowPersistence) -> Build:
        return lambda subject: CrewAIFlowAGUIAgent(subject_flow(subject), persistence=persistence)
