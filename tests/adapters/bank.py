"""An agent with gated tools, for the tests of what happens around them."""

from __future__ import annotations

from typing import Any

from pydantic_ai import Agent

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.agents.gate import CurrentAnswer, current_answer
from tests.adapters.talk import Script, Talk


class Bank:
    """An agent with gated tools: one pays, one raises, one says who answered."""

    def __init__(self, *lines: Any, **options: Any) -> None:
        self.paid: list[int] = []
        self.raised = 0
        self.answers: list[CurrentAnswer | None] = []
        self.script = Script(*lines)
        agent = Agent(self.script.model())

        @agent.tool_plain(requires_approval=True)
        async def pay(amount: int) -> str:
            """Pay."""
            self.paid.append(amount)
            self.answers.append(current_answer())
            return f"Paid {amount}."

        @agent.tool_plain(requires_approval=True)
        def charge(amount: int) -> str:
            """Charge."""
            self.raised += 1
            raise RuntimeError(f"card service down for {amount}")

        @agent.tool_plain(requires_approval=True)
        def sign(name: str) -> str:
            """Sign, in a thread."""
            self.answers.append(current_answer())
            return name

        @agent.tool_plain
        def look() -> str:
            """Look, without approval."""
            self.answers.append(current_answer())
            return "looked"

        self.agent = agent
        self.talk = Talk(PydanticAIAgent(agent, **options))
