"""The example's flow: it pauses with its slots, goes on with the choice, and is cancelled."""

from __future__ import annotations

import importlib
import json
from collections.abc import AsyncIterator
from datetime import datetime

import pytest
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, Cancel
from tests.support.examples import example

example("crew_schedule")
flow = importlib.import_module("crew_schedule.flow")
slots = importlib.import_module("crew_schedule.slots")


@pytest.fixture
async def kit(persistence: SQLiteFlowPersistence) -> AsyncIterator[AgentKit]:
    async with AgentKit(CrewAIFlowAGUIAgent(flow.ScheduleFlow, persistence=persistence), "memory:") as kit:
        yield kit


async def test_the_slots_are_the_payload_and_the_choice_is_confirmed(kit: AgentKit) -> None:
    await kit.send("t", "A call with Ann")
    assert await kit.wait("t") == "awaiting_input"
    [pending] = await kit.pending("t")
    assert (pending.kind, pending.reason) == ("question", "crewai:human_feedback")
    assert pending.message == "Choose a meeting time or cancel the request."
    assert pending.payload["topic"] == "A call with Ann"
    chosen = pending.payload["slots"][1]
    await kit.answer(
        pending.id, Answer({"chosen_time": chosen["iso"], "chosen_label": chosen["label"]}), by="ann"
    )
    assert await kit.wait("t") == "idle"
    conversation = await kit.conversation("t")
    [call] = [call for message in conversation.messages for call in message.tool_calls]
    assert (call.name, json.loads(call.result or "")["label"]) == ("schedule_meeting", "Tomorrow 2:00 PM")
    assert conversation.messages[-1].text == "Booked: Tomorrow 2:00 PM."
    assert conversation.state["meeting"]["time"] == chosen["iso"]


async def test_cancelled_it_goes_on_as_cancelled_and_can_be_asked_again(kit: AgentKit) -> None:
    await kit.send("t", "A call with Ann")
    await kit.wait("t")
    [pending] = await kit.pending("t")
    await kit.answer(pending.id, Cancel(), by="ann")
    assert await kit.wait("t") == "idle"
    assert (await kit.conversation("t")).messages[-1].text == "Cancelled; nothing is booked."
    await kit.send("t", "Then a call with Bob")
    assert await kit.wait("t") == "awaiting_input"
    [again] = await kit.pending("t")
    assert again.id != pending.id
    assert again.payload["topic"] == "Then a call with Bob"


def test_the_slots_lie_ahead_each_with_its_zone() -> None:
    offered = slots.candidate_slots()
    assert [slot["label"] for slot in offered] == [
        "Tomorrow 10:00 AM",
        "Tomorrow 2:00 PM",
        "Monday 9:00 AM",
        "Monday 3:30 PM",
    ]
    times = [datetime.fromisoformat(slot["iso"]) for slot in offered]
    assert times == sorted(times)
    assert all(time.tzinfo is not None for time in times)
    assert times[2].weekday() == 0
