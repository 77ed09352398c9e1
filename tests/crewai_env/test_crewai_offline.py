"""A flow runs without a network, and prints nothing: in a process of its own, whose sockets raise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import asyncio, socket, sys

def refuse(*args, **more):
    print("a socket was opened", file=sys.stderr)
    raise OSError("there is no network")

for name in ("connect", "connect_ex"):
    setattr(socket.socket, name, refuse)
socket.getaddrinfo = refuse

from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent, emit_text
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer

class Asking(Flow):
    @start()
    @human_feedback(message="Which?", emit=["one", "two"])
    def ask(self):
        return "shown"

    @listen("two")
    def take(self, result: HumanFeedbackResult):
        emit_text("It is two.")

async def main():
    async with AgentKit(CrewAIFlowAGUIAgent(Asking), "memory:") as kit:
        await kit.send("t", "go")
        assert await kit.wait("t") == "awaiting_input"
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Answer("two"), by="ann")
        assert await kit.wait("t") == "idle"
        assert (await kit.conversation("t")).messages[-1].text == "It is two."

asyncio.run(main())
"""


def test_no_network_is_needed_and_nothing_is_printed(tmp_path: Path) -> None:
    keys = ("CREWAI_", "LITELLM_", "OTEL_", "OPENAI_")
    environment = {key: value for key, value in os.environ.items() if not key.startswith(keys)}
    environment["CREWAI_STORAGE_DIR"] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stdout) == (0, ""), done.stderr
    assert "a socket was opened" not in done.stderr
