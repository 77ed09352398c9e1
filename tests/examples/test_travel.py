"""The scripted travel agent does what its menu says."""

from __future__ import annotations

from typing import Any

import pytest
from pydantic_ai import DeferredToolRequests, DeferredToolResults, ToolDenied
from pydantic_ai.messages import ModelRequest, UserPromptPart

from travel import script
from travel.agent import travel_agent
from travel.script import next_turn
from travel.wishes import cities_in, nights_in


@pytest.fixture(autouse=True)
def without_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(script, "SECONDS_A_PIECE", 0)


async def said(text: str | None, **more: Any) -> tuple[Any, list[Any]]:
    """Run the agent as the page does: streamed, and allowed to stop for an answer."""
    result = None
    both = [str, DeferredToolRequests]
    async with travel_agent.run_stream_events(text, output_type=both, **more) as events:
        async for event in events:
            if event.event_kind == "agent_run_result":
                result = event.result
    assert result is not None
    return result.output, result.all_messages()


def calls(output: DeferredToolRequests) -> list[tuple[str, dict[str, Any]]]:
    return [(call.tool_name, call.args_as_dict()) for call in (*output.approvals, *output.calls)]


async def test_a_booking_waits_for_a_yes_and_is_then_made() -> None:
    output, messages = await said("Book a hotel in Oslo for three nights")
    assert calls(output) == [("book_hotel", {"city": "Oslo", "nights": 3})]
    results = DeferredToolResults(approvals={call.tool_call_id: True for call in output.approvals})
    output, _ = await said(None, message_history=messages, deferred_tool_results=results)
    assert output.startswith("Done. Booked 3 nights in Oslo.")


async def test_a_no_is_taken_as_a_no() -> None:
    output, messages = await said("Book a hotel in Oslo")
    results = DeferredToolResults(approvals={output.approvals[0].tool_call_id: ToolDenied("too expensive")})
    output, _ = await said(None, message_history=messages, deferred_tool_results=results)
    assert "too expensive" in output
    assert "Booked" not in output


async def test_several_cities_are_several_bookings_each_with_an_id_of_its_own() -> None:
    output, _ = await said("Book hotels in Rome, Paris and Oslo")
    assert [args["city"] for _, args in calls(output)] == ["Rome", "Paris", "Oslo"]
    assert len({call.tool_call_id for call in output.approvals}) == 3
    output, _ = await said("Book three hotels")
    assert len(output.approvals) == 3


async def test_the_weather_needs_no_permission() -> None:
    output, _ = await said("How is the weather in Kyoto?")
    assert output.startswith("Kyoto: ")
    assert "°C" in output


async def test_a_room_is_asked_for_and_the_answer_leads_to_a_booking() -> None:
    output, messages = await said("Help me choose a room in Porto")
    assert calls(output) == [("choose_room", {"city": "Porto"})]
    results = DeferredToolResults(calls={output.calls[0].tool_call_id: "sea view"})
    output, _ = await said(None, message_history=messages, deferred_tool_results=results)
    assert calls(output) == [("book_hotel", {"city": "Porto", "nights": 2, "room": "sea view"})]


async def test_a_lost_connection_fails_once_and_works_the_second_time() -> None:
    with pytest.raises(ConnectionError, match="on purpose"):
        await said("Lose the connection")
    output, _ = await said("Lose the connection")
    assert output.startswith("There I am again")


async def test_a_tool_can_fail() -> None:
    output, messages = await said("Cancel my booking in Faro")
    assert calls(output) == [("cancel_booking", {"city": "Faro"})]
    results = DeferredToolResults(approvals={output.approvals[0].tool_call_id: True})
    with pytest.raises(ConnectionError, match="does not answer the phone"):
        await said(None, message_history=messages, deferred_tool_results=results)


@pytest.mark.parametrize("text", ["hello", "", "???", "book", "no nights please", "nights " * 1000])
def test_whatever_is_typed_gets_an_answer(text: str) -> None:
    turn = next_turn([ModelRequest(parts=[UserPromptPart(text)])])
    assert turn.text


@pytest.mark.parametrize(
    ("text", "cities", "nights"),
    [
        ("a hotel in lisbon for 2 nights", ["Lisbon"], 2),
        ("go to São Paulo, one night", ["São Paulo"], 1),
        ("New York, then Tokyo: seven nights", ["New York", "Tokyo"], 7),
        ("somewhere", [], None),
    ],
)
def test_cities_and_nights_are_found_in_a_text(text: str, cities: list[str], nights: int | None) -> None:
    assert (cities_in(text), nights_in(text)) == (cities, nights)
