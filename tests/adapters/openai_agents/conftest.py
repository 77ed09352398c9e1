"""The SDK's tracing would look for a service to send to."""

from __future__ import annotations

import pytest
from agents import set_tracing_disabled


@pytest.fixture(autouse=True, scope="session")
def without_tracing() -> None:
    set_tracing_disabled(True)
