"""PydanticAI agents."""

from reflex_agentkit.adapters._extras import missing_extra

try:
    from reflex_agentkit.adapters.pydantic_ai.agent import PydanticAIAgent
except ImportError as error:
    raise missing_extra("pydantic-ai") from error

__all__ = ["PydanticAIAgent"]
