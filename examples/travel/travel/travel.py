"""The page of the travel desk: a chat that asks before it books."""

import reflex as rx

from reflex_agentkit import AgentState, agent_chat
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from travel.agent import travel_agent
from travel.weather_card import weather_card


class ChatState(AgentState):
    agent = PydanticAIAgent(travel_agent)


WORDS = {
    "empty.title": "Where would you like to go?",
    "empty.text": "Try: book a hotel in Lisbon for 2 nights. Or say hello, and I tell you what I can do.",
}


def index() -> rx.Component:
    return agent_chat(ChatState, title="Travel desk", tool_renderers={"weather": weather_card}, labels=WORDS)


app = rx.App()
app.add_page(index, route="/", title="Travel desk · reflex-agentkit")
