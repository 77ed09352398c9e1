"""An agent of LangChain's whose bookings a person must allow, for tests of runs that break off."""

from __future__ import annotations

import asyncio
from typing import Any

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from tests.adapters.langgraph.scripted import GraphTalk, model_of


class Office:
    """`ran` is what began, `ended` what came to its end; `raises` are the errors of the next bookings.

    A booking in one of the cities in `holds` never ends. One that raises waits for `before`, and each of the
    others takes as many turns of the loop as `steps` says.
    """

    def __init__(self, *lines: Any, saver: Any = None) -> None:
        self.ran: list[str] = []
        self.ended: list[str] = []
        self.raises: list[Exception] = []
        self.holds: set[str] = set()
        self.steps = 0
        self.began = {city: asyncio.Event() for city in ("Rome", "Oslo")}
        self.asked = asyncio.Event()
        self.before: asyncio.Event | None = None
        self.model = model_of(*lines)
        self.graph: Any = create_agent(
            self.model,
            tools=self._tools(),
            middleware=[HumanInTheLoopMiddleware(interrupt_on={"book_hotel": True, "confirm": True})],
            checkpointer=saver or InMemorySaver(),
        )
        self.agent = LangGraphAGUIAgent(self.graph)
        self.talk = GraphTalk(self.agent)

    def _tools(self) -> list[Any]:
        @tool
        async def book_hotel(city: str, nights: int) -> str:
            """Book."""
            self.ran.append(city)
            self.began[city].set()
            if city in self.holds:
                await asyncio.Event().wait()
            if self.raises:
                if self.before is not None:
                    await self.before.wait()
                raise self.raises.pop(0)
            for _ in range(self.steps):
                await asyncio.sleep(0)
            self.ended.append(city)
            return f"Booked {nights} nights in {city}."

        @tool
        async def look(city: str) -> str:
            """Look."""
            self.ran.append(f"look {city}")
            return f"{city} is nice."

        @tool
        async def ask(question: str) -> str:
            """Ask the user."""
            self.asked.set()
            return str(interrupt({"message": question}))

        @tool
        async def confirm(city: str) -> str:
            """Ask the user, and then book."""
            seat = interrupt({"message": f"Which seat to {city}?"})
            self.ran.append(f"{city} {seat}")
            return f"Booked {seat}."

        return [book_hotel, look, ask, confirm]

    @property
    def told(self) -> list[tuple[str, str]]:
        """What the model saw last, by kind and the start of the text."""
        return [(message.type, str(message.content)[:40]) for message in self.model.saw[-1]]
