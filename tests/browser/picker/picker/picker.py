"""The app: the time picker over the scheduler."""

from __future__ import annotations

import reflex as rx

from picker.page import add_picker
from picker.scheduler import agent
from reflex_agentkit import AgentState


class PickerState(AgentState):
    agent = agent

    def get_user(self):
        return self.router.url.query_parameters.get("user", "local")


app = rx.App()
add_picker(app, PickerState)
