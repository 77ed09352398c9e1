"""Models that use the id of a call again: a result is that of the call it was made for."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver

from reflex_agentkit.adapters._notice import left_out
from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from tests.adapters.langgraph.scripted import (
    BONN,
    OSLO,
    ROME,
    Hotel,
    ScriptedChat,
    assert_answered,
)


class SameId(ScriptedChat):
    """Gives all its calls one id."""

    def _line(self, messages: Any) -> Any:
        text, calls = super()._line(messages)
        return text, [{**call, "id": "same"} for call in calls]


class Booking:
    def __init__(self, *lines: Any, middleware: bool) -> None:
        self.model = SameId(lines=list(lines), saw=[])
        self.booked: list[str] = []
        self.looked: list[str] = []
        if not middleware:
            hotel = Hotel()
            hotel.model = self.model
            self.agent = hotel.agent
            self._booked = hotel.booked
            return

        @tool
        async def book_hotel(city: str, nights: int) -> str:
            """Book."""
            self.booked.append(city)
            return f"Booked {nights} nights in {city}."

        @tool
        async def look(city: str) -> str:
            """Look."""
            self.looked.append(city)
            return f"{city} is nice."

        self._booked = None
        asks: Any = HumanInTheLoopMiddleware(interrupt_on={"book_hotel": True})
        graph: Any = create_agent(
            self.model, tools=[book_hotel, look], middleware=[asks], checkpointer=InMemorySaver()
        )
        self.agent = LangGraphAGUIAgent(graph)

    @property
    def cities(self) -> list[str]:
        return self.booked if self._booked is None else [one["city"] for one in self._booked]


async def answer(kit: Any, value: Any) -> str:
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, value, by="ann")
    return await kit.wait("t")


@pytest.mark.parametrize("middleware", [True, False])
async def test_each_call_of_one_id_has_its_own_answer_and_its_own_result(
    make_kit: Any, middleware: bool
) -> None:
    booking = Booking([ROME], [OSLO], [BONN], middleware=middleware)
    kit = await make_kit(booking.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    for value, city in ((Approve(), "Rome"), (Reject("no"), "Oslo"), (Approve(), "Bonn")):
        (pending,) = await kit.pending("t")
        assert pending.args["city"] == city
        before = [
            call.result is not None
            for message in (await kit.conversation("t")).messages
            for call in message.tool_calls
        ]
        assert before == [*[True] * (len(before) - 1), False]
        await answer(kit, value)
    assert booking.cities == ["Rome", "Bonn"]
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert [call.status for call in calls] == ["done", "rejected", "done"]
    assert calls[0].result == "Booked 2 nights in Rome."
    assert calls[2].result == "Booked 3 nights in Bonn."
    assert_answered(booking.model.saw[-1])


async def test_a_free_tool_that_gets_the_id_of_an_approved_one_runs(make_kit: Any) -> None:
    booking = Booking([ROME], [("look", {"city": "Rome"})], "Fine.", middleware=True)
    kit = await make_kit(booking.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    assert await answer(kit, Approve()) == "idle"
    assert (booking.cities, booking.looked) == (["Rome"], ["Rome"])
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert [call.result for call in calls] == ["Booked 2 nights in Rome.", "Rome is nice."]


async def test_two_calls_of_one_id_in_one_message_are_not_asked_about_and_told_as_not_run(
    make_kit: Any,
) -> None:
    booking = Booking([ROME, OSLO], middleware=False)
    kit = await make_kit(booking.agent)
    await kit.send("t", "Book")
    assert await kit.wait("t") == "error"
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"
    assert booking.cities == []
    results = {str(one.content) for one in booking.model.saw[-1] if one.type == "tool"}
    assert results == {f"Rejected: {left_out()}"}


@pytest.mark.parametrize("value", [Approve(), Reject("no")])
async def test_a_yes_to_one_of_two_calls_of_one_id_does_not_let_the_other_run(
    make_kit: Any, value: Any
) -> None:
    booking = Booking([ROME, OSLO], middleware=True)
    kit = await make_kit(booking.agent)
    await kit.send("t", "Book")
    assert await kit.wait("t") == "awaiting_input"
    approval, unbound = await kit.pending("t")
    assert (approval.kind, unbound.kind) == ("approval", "question")
    await kit.answer(approval.id, value, by="ann")
    await kit.answer(unbound.id, Cancel(), by="ann")
    await kit.wait("t")
    assert set(booking.cities) <= {approval.args["city"]}
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"
    assert len(booking.cities) <= 1
