"""`OpenAIAgentsAGUIAgent` keeps the contract of all agents."""

from __future__ import annotations

import pytest
from agents import RunConfig

from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent
from reflex_agentkit.testing.agents import AgentContract, Build
from tests.adapters.openai_subjects import agent_of


class TestOpenAIAgentsAGUIAgent(AgentContract):
    @pytest.fixture
    def build(self) -> Build:
        return lambda subject: OpenAIAgentsAGUIAgent(
            agent_of(subject), run_config=RunConfig(tracing_disabled=True)
        )
