"""LangGraph and LangChain graphs."""

from reflex_agentkit.adapters._extras import missing_extra

try:
    from reflex_agentkit.adapters.langgraph.agent import LangGraphAGUIAgent
    from reflex_agentkit.adapters.langgraph.approval import ApprovalDecision, request_tool_approval
except ImportError as error:
    raise missing_extra("langgraph") from error

__all__ = ["ApprovalDecision", "LangGraphAGUIAgent", "request_tool_approval"]
