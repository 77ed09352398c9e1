"""What many tests stand on: a clock that they move, and kits that are stopped for them."""

from __future__ import annotations

from contextlib import AsyncExitStack

import pytest

from reflex_agentkit.kit import AgentKit
from reflex_agentkit.testing.fakes import CountingIds, FakeClock


@pytest.fixture
def clock() -> FakeClock:
    return FakeClock()


@pytest.fixture
async def make_kit(clock):
    """A function that gives a started kit for an agent."""
    async with AsyncExitStack() as stack:

        async def make(agent=None, **options):
            options = {"store": "memory:", "clock": clock, "ids": CountingIds()} | options
            return await stack.enter_async_context(AgentKit(agent, **options))

        yield make
