"""What was true when a person was asked, or said by the page, and is not so when the run goes on."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from ag_ui.core import TextMessageContentEvent, Tool
from agents import Agent, function_tool, handoff
from pydantic import Field

from reflex_agentkit.adapters.openai_agents import allow_decisions, question_tool
from reflex_agentkit.agents.gate import current_answer
from reflex_agentkit.ids import RandomIds
from reflex_agentkit.protocol.verdicts import Answer, Approve
from reflex_agentkit.store.memory import MemoryStore
from tests.adapters.openai_agents.scripted import ROME, Hotel, model, run_of, talk, told


def shorter_stays(hotel: Hotel) -> Any:
    def book(city: str, nights: Annotated[int, Field(le=3)]) -> str:
        """Book a hotel."""
        return hotel.book(city, nights)

    return function_tool(book, needs_approval=True)


def not_to_be_edited(hotel: Hotel) -> Any:
    return allow_decisions(hotel.tools()[0], ["approve", "reject"])


def a_question(hotel: Hotel) -> Any:
    return question_tool(response_schema={"type": "integer"})(hotel.book)


@pytest.mark.parametrize("changed", [shorter_stays, not_to_be_edited, a_question])
async def test_an_answer_that_does_not_fit_the_tool_any_more_runs_nothing_and_the_thread_goes_on(
    changed: Any, make_kit: Any
) -> None:
    hotel, store = Hotel(), MemoryStore()
    first = await make_kit(run_of(hotel.agent([ROME])), store=store)
    await first.send("t", "Hi")
    await first.wait("t")
    agent = hotel.agent("Done.", "Again.", tools=[changed(hotel)])
    second = await make_kit(run_of(agent), store=store, ids=RandomIds())
    [asked] = await second.pending("t")
    await second.answer(asked.id, Approve(edited_args={"city": "Rome", "nights": 7}), by="ann")
    assert (await second.wait("t"), hotel.booked) == ("idle", [])
    assert told(agent)["call-1a"].startswith("The tool was not run: ")
    [call] = [call for message in (await second.conversation("t")).messages for call in message.tool_calls]
    assert call.error
    await second.send("t", "Go on")
    assert await second.wait("t") == "idle"


async def test_a_question_whose_text_cannot_be_read_does_not_hold_the_thread(make_kit: Any) -> None:
    @question_tool
    def ask(message: str) -> str:
        """Ask."""
        answer = current_answer()
        return str(answer.payload if answer else "")

    agent = Agent(name="a", model=model([("ask", '{"message": "How')], "Done."), tools=[ask])
    kit = await make_kit(run_of(agent))
    await kit.send("t", "Hi")
    await kit.wait("t")
    [asked] = await kit.pending("t")
    await kit.answer(asked.id, Answer("yes"), by="ann")
    assert await kit.wait("t") == "idle"
    assert "cannot be read" in told(agent)["call-1a"]


async def test_a_tool_of_the_page_does_not_stand_in_for_the_agents_own(
    caplog: pytest.LogCaptureFixture,
) -> None:
    hotel = Hotel()
    thread = talk(hotel.agent([ROME, ("look", {})], "Done."))
    empty = {"type": "object", "properties": {}}
    thread.tools = [Tool(name=name, description="Mine.", parameters=empty) for name in ("book", "look")]
    [asked] = (await thread.send("Hi")).interrupts
    assert (asked.metadata["toolName"], hotel.looked) == ("book", 1)
    assert "book, look" in caplog.text


async def test_a_handoff_that_failed_hands_nothing_on() -> None:
    def fail(context: Any) -> None:
        raise RuntimeError("no line to them")

    other = Agent(name="other", model=model("I am the other."))
    lines = ([("transfer_to_other", {})], "I am the first.")
    thread = talk(Agent(name="first", model=model(*lines), handoffs=[handoff(other, on_handoff=fail)]))
    assert "no line to them" in (await thread.send("Hi")).error.message
    run = await thread.send("And?")
    assert "".join(event.delta for event in run.of(TextMessageContentEvent)) == "I am the first."
