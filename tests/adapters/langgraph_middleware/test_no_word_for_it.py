"""A cancellation that the middleware has no word for leaves no thread behind that cannot go on."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from tests.adapters.langgraph.scripted import model_of


@pytest.mark.parametrize("first", [Approve(), Reject("no")])
async def test_an_action_that_can_only_be_approved_is_cancelled_beside_a_decided_one(
    make_kit: Any, first: Approve | Reject
) -> None:
    ran: list[str] = []

    @tool
    def book(city: str) -> str:
        """Book."""
        ran.append(city)
        return f"Booked in {city}."

    @tool
    def pay(amount: int) -> str:
        """Pay."""
        ran.append(str(amount))
        return "Paid."

    asks: Any = HumanInTheLoopMiddleware(
        {"book": {"allowed_decisions": ["approve", "reject"]}, "pay": {"allowed_decisions": ["approve"]}}
    )
    model = model_of([("book", {"city": "Rome"}), ("pay", {"amount": 5})], "All right.", "Hello.")
    graph: Any = create_agent(model, tools=[book, pay], middleware=[asks], checkpointer=InMemorySaver())
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book and pay")
    await kit.wait("t")
    one, two = await kit.pending("t")
    await kit.answer(one.id, first, by="ann")
    await kit.answer(two.id, Cancel(), by="ann")
    assert await kit.wait("t") == "idle"
    assert ran == []
    await kit.send("t", "Hi")
    assert await kit.wait("t") == "idle"
    assert (await kit.conversation("t")).messages[-1].text == "Hello."
