"""What the tests of the adapters share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from reflex_agentkit.agents.gate import use_gate
from tests.adapters.talk import CountingGate


@pytest.fixture
def gate() -> Iterator[CountingGate]:
    gate = CountingGate()
    use_gate(gate)
    yield gate
    use_gate(None)
