"""The smallest app: a tool that needs a yes, an agent, a page."""

import os

import reflex as rx
from pydantic_ai import Agent

from first_page.scripted import scripted_model
from reflex_agentkit import AgentState, agent_chat
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent

agent = Agent(os.environ.get("MODEL") or scripted_model)


@agent.tool_plain(requires_approval=True)
def book_hotel(city: str, nights: int) -> str:
    """Book a hotel room."""
    return f"Booked {nights} nights in {city}."


class ChatState(AgentState):
    agent = PydanticAIAgent(agent)


app = rx.App()
app.add_page(lambda: agent_chat(ChatState), route="/")
