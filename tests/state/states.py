"""The state classes of these tests."""

from __future__ import annotations

import asyncio
from typing import Any

import pydantic

from reflex_agentkit import AgentState, client_tool
from reflex_agentkit.agents.scripted import ScriptedAgent
from tests.state import page as _page  # noqa: F401 - sets up Reflex for tests


class Trip(pydantic.BaseModel):
    """A shared state."""

    city: str = ""
    nights: int = 1


class ChatState(AgentState):
    """The state of most tests; each gives it a kit of its own."""

    agent = ScriptedAgent()
    colour: str = "grey"

    def get_user(self) -> Any:
        return USERS.get(self.router.session.client_token, super().get_user())

    @client_tool
    def paint(self, colour: str, times: int = 1) -> dict[str, Any]:
        """Paint the page."""
        PAINTED.append(colour)
        if colour == "nothing":
            raise ValueError("there is no such colour")
        self.colour = colour
        return {"painted": colour, "times": times}

    @client_tool
    async def read_colour(self) -> str:
        """The colour of the page."""
        return self.colour

    @client_tool
    async def paint_slowly(self, colour: str) -> str:
        """Paint the page, and let others come in between."""
        PAINTED.append(colour)
        for _ in range(50):
            await asyncio.sleep(0)
        return "dry"

    @client_tool(ask=True)
    def how_many(self, what: str) -> int:
        """Ask how many."""


class TripState(AgentState):
    """A typed shared state."""

    agent = ScriptedAgent()
    shared_state_model = Trip


USERS: dict[str, Any] = {}
"""Who sits at a tab, by its token; nobody named is the local user."""

PAINTED: list[str] = []
"""What the tool `paint` was called with."""
