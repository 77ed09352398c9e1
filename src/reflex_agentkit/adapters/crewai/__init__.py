"""CrewAI flows that wait for people."""

from reflex_agentkit.adapters._extras import missing_extra

try:
    from reflex_agentkit.adapters.crewai.agent import CrewAIFlowAGUIAgent
    from reflex_agentkit.adapters.crewai.chat_state import AGUIFlowState
    from reflex_agentkit.adapters.crewai.decisions import (
        ApprovalDecision,
        QuestionAnswer,
        ToolOutcome,
        answers,
        approvals,
    )
    from reflex_agentkit.adapters.crewai.provider import AGUIFeedbackProvider, agui_feedback_provider
    from reflex_agentkit.adapters.crewai.requests import question, tool_request
    from reflex_agentkit.adapters.crewai.scene import unseen
    from reflex_agentkit.adapters.crewai.telling import emit_text, emit_tool_call, emit_tool_result
except ImportError as error:
    raise missing_extra("crewai") from error

__all__ = [
    "AGUIFeedbackProvider",
    "AGUIFlowState",
    "ApprovalDecision",
    "CrewAIFlowAGUIAgent",
    "QuestionAnswer",
    "ToolOutcome",
    "agui_feedback_provider",
    "answers",
    "approvals",
    "emit_text",
    "emit_tool_call",
    "emit_tool_result",
    "question",
    "tool_request",
    "unseen",
]
