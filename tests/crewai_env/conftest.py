"""The tests that need CrewAI, which excludes packages of other adapters: it has an environment of its own.

`scripts/test` runs this folder there; elsewhere it is not collected.
"""

from __future__ import annotations

import importlib.util
import os
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from reflex_agentkit.agents.gate import CurrentAnswer, use_gate
from reflex_agentkit.errors import GateError

HERE = importlib.util.find_spec("crewai") is not None
collect_ignore_glob = [] if HERE else ["*"]

if HERE:
    # Read when CrewAI is imported, which the test modules do first.
    os.environ.setdefault("CREWAI_DISABLE_TELEMETRY", "true")
    os.environ.setdefault("CREWAI_STORAGE_DIR", tempfile.mkdtemp(prefix="crewai-tests-"))
    with warnings.catch_warnings():
        # CrewAI replaces modules of its own while it is imported, which Python warns of.
        warnings.simplefilter("ignore", ImportWarning)
        from crewai.flow.persistence import SQLiteFlowPersistence

    @pytest.fixture
    def persistence(tmp_path: Path) -> SQLiteFlowPersistence:
        return SQLiteFlowPersistence(str(tmp_path / "flows.db"))


class ListeningGate:
    """A gate that lets every call begin once and notes what it hears."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, str, Any]] = []
        self.refuses = False
        self.asked = 0

    async def begin(self, tool_call_id: str, tool_name: str, args: dict[str, Any]) -> CurrentAnswer:
        self.asked += 1
        if self.refuses or any(one[:2] == ("begin", tool_call_id) for one in self.heard):
            raise GateError("The tool was not run: no yes covers it.")
        self.heard.append(("begin", tool_call_id, args))
        return CurrentAnswer(payload={"approved": True}, idempotency_key="key-1")

    async def done(self, tool_call_id: str, result_text: str) -> None:
        self.heard.append(("done", tool_call_id, result_text))

    async def failed(self, tool_call_id: str, error: str) -> None:
        self.heard.append(("failed", tool_call_id, error))


@pytest.fixture
def gate() -> Iterator[ListeningGate]:
    gate = ListeningGate()
    use_gate(gate)  # pyright: ignore[reportArgumentType]
    yield gate
    use_gate(None)
