"""Agents of the OpenAI Agents SDK."""

from reflex_agentkit.adapters._extras import missing_extra

try:
    from reflex_agentkit.adapters.openai_agents.agent import OpenAIAgentsAGUIAgent
    from reflex_agentkit.adapters.openai_agents.marks import allow_decisions, question_tool
except ImportError as error:
    raise missing_extra("openai-agents") from error

__all__ = ["OpenAIAgentsAGUIAgent", "allow_decisions", "question_tool"]
