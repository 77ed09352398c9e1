"""The blocks of the page about CrewAI run as they stand."""

from __future__ import annotations

import re
from typing import Any

import pytest
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, AnswerValue, Approve, Cancel, Reject
from tests.architecture.house import ROOT

FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


@pytest.fixture(scope="module")
def page() -> dict[str, Any]:
    names: dict[str, Any] = {"__name__": "page"}
    for block in FENCE.findall((ROOT / "docs/crewai.md").read_text(encoding="utf-8")):
        exec(block, names)
    return names


@pytest.mark.parametrize(
    ("flow", "answer", "said"),
    [
        ("MeetingFlow", Answer("14:00"), "Booked: 14:00."),
        ("MeetingFlow", Cancel(), "Cancelled."),
        ("NightsFlow", Answer(3), "3 nights."),
        ("NightsFlow", Cancel(), "No answer."),
        ("HotelFlow", Approve(), "Booked 2 nights in Rome."),
        ("HotelFlow", Approve(edited_args={"city": "Rome", "nights": 5}), "Booked 5 nights in Rome."),
        ("HotelFlow", Reject("too far"), "too far"),
    ],
)
async def test_the_flows_of_the_page_do_what_it_says(
    page: dict[str, Any], persistence: SQLiteFlowPersistence, flow: str, answer: AnswerValue, said: str
) -> None:
    async with AgentKit(CrewAIFlowAGUIAgent(page[flow], persistence=persistence), "memory:") as kit:
        await kit.send("t", "go")
        assert await kit.wait("t") == "awaiting_input"
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, answer, by="ann")
        assert await kit.wait("t") == "idle"
        assert said in (await kit.conversation("t")).messages[-1].text
