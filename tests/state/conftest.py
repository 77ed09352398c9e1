"""Fixtures for states: a page, and a chat whose agent a test scripts."""

from __future__ import annotations

import pytest

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.testing.streams import says
from tests.state.page import Page
from tests.state.states import ChatState


@pytest.fixture
async def page():
    async with Page() as opened:
        yield opened


@pytest.fixture
async def chat(make_kit):
    """A function that puts a kit with this agent behind `ChatState`, and gives the kit."""

    async def begin(agent=None):
        kit = await make_kit(agent or ScriptedAgent(says("m1", "Hello.")))
        ChatState.kit = kit
        return kit

    return begin
