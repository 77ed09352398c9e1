"""The page: a chat whose requests for a meeting are answered with a picker."""

import reflex as rx

from reflex_agentkit import AgentState, agent_chat
from scheduler.agent import agent
from scheduler.picker import time_picker


class SchedulerState(AgentState):
    agent = agent


app = rx.App()
app.add_page(
    lambda: agent_chat(
        SchedulerState,
        title="Meetings",
        placement="inline",
        interrupt_renderers={"schedule_meeting": time_picker},
        labels={"empty.title": "What is the meeting about?"},
    ),
    route="/",
    title="Meetings",
)
