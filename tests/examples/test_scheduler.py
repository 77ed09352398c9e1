"""The scheduler example: the picked time reaches the tool, and its picker offers times to come."""

from __future__ import annotations

import importlib
from datetime import UTC, datetime

from reflex_agentkit import AgentKit, Approve, Reject
from tests.support.examples import example

example("scheduler")
agent = importlib.import_module("scheduler.agent").agent
picker = importlib.import_module("scheduler.picker")


async def ask(kit: AgentKit, words: str):
    await kit.send("t", words)
    await kit.wait("t")
    [pending] = await kit.pending("t")
    return pending


async def last_words(kit: AgentKit) -> str:
    await kit.wait("t")
    return (await kit.conversation("t")).messages[-1].text


async def test_the_picked_time_is_booked() -> None:
    async with AgentKit(agent, "memory:") as kit:
        pending = await ask(kit, "Roadmap with Ann")
        assert (pending.tool_name, pending.args) == (
            "schedule_meeting",
            {"topic": "Roadmap", "attendee": "Ann"},
        )
        await kit.answer(pending.id, Approve(extra={"chosen_label": "Monday 10:00"}), by="ann")
        assert await last_words(kit) == "Booked for Monday 10:00: Roadmap with Ann"


async def test_without_a_time_and_after_a_no_nothing_is_booked() -> None:
    for answer, words in ((Approve(), "No time was picked"), (Reject("no time suits"), "did not run")):
        async with AgentKit(agent, "memory:") as kit:
            pending = await ask(kit, "Roadmap")
            await kit.answer(pending.id, answer, by="ann")
            assert words in await last_words(kit)


def test_the_picker_offers_times_to_come_with_their_day() -> None:
    now = datetime(2030, 1, 1, 16, 30, tzinfo=UTC)
    slots = picker.slots_after(now)
    assert slots[0] == {"time": "2030-01-02T10:00:00+00:00", "label": "Wednesday 10:00"}
    assert all(datetime.fromisoformat(slot["time"]) > now for slot in slots)
    assert len({slot["label"] for slot in slots}) == 4
