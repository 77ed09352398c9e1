"""What the tests of remote agents share."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from tests.remote.serving import Served, serving


@pytest.fixture
async def serve() -> AsyncIterator[Served]:
    async with serving() as served:
        yield served
