"""What a person sees and touches."""

from __future__ import annotations

from reflex_agentkit.components.approval.card import approval_card
from reflex_agentkit.components.chat import agent_chat
from reflex_agentkit.components.composer import composer
from reflex_agentkit.components.markdown import markdown
from reflex_agentkit.components.message_list import message_list
from reflex_agentkit.components.question import question_form
from reflex_agentkit.components.thread_list import thread_list
from reflex_agentkit.components.tool_card import tool_card

__all__ = [
    "agent_chat",
    "approval_card",
    "composer",
    "markdown",
    "message_list",
    "question_form",
    "thread_list",
    "tool_card",
]
