"""Every block of the page about LangGraph runs, in its order, as one program with a scripted model."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, AnswerValue, Approve, Cancel, Reject
from tests.adapters.langgraph.scripted import model_of
from tests.docs.test_docs import blocks

PAGE = [block for where, block in blocks() if where.startswith("docs/langgraph.md")]


@pytest.fixture(scope="module")
def page() -> tuple[dict[str, Any], list[str]]:
    """What the blocks define, and what they print."""
    told: list[str] = []
    names: dict[str, Any] = {"print": lambda *values: told.append(" ".join(map(str, values)))}
    for block in PAGE:
        exec(block, names)
    return names, told


def test_the_program_prints_what_the_page_says(page: Any) -> None:
    _, told = page
    approved, edited, rejected, cancelled, three, untouched = told
    assert approved == "['Booked 2 nights in Rome.']"
    assert "Booked 5 nights in Rome." in edited
    assert "Note: the user edited" in edited
    assert (rejected, cancelled) == ("['Rejected: Too far']", "['Rejected: cancelled']")
    assert (three, untouched) == ("{'nights': 3}", "{'nights': 1}")


@pytest.mark.parametrize(
    ("answer", "result"),
    [
        (Approve(), "Booked 2 nights in Rome."),
        (Approve(edited_args={"city": "Rome", "nights": 5}), "Booked 5 nights in Rome.\n\nNote: the user"),
        (Reject(), "Rejected: no reason given"),
        (Cancel(), "Rejected: cancelled"),
    ],
)
def test_the_node_that_takes_one_call(page: Any, answer: AnswerValue, result: str) -> None:
    names, _ = page
    builder = StateGraph(MessagesState)
    builder.add_node("agent", names["agent"])
    builder.add_node("act", names["act"])
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "act" if state["messages"][-1].tool_calls else END)
    builder.add_edge("act", "agent")
    [told] = asyncio.run(_answered(names, builder, answer))
    assert told.startswith(result)


def test_two_calls_of_one_message_are_one_pause_and_each_gets_a_result(page: Any) -> None:
    names, _ = page
    calls = [("book_hotel", {"city": city, "nights": 2}) for city in ("Rome", "Oslo")]
    model = model_of(calls)
    builder = StateGraph(MessagesState)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("act_on", names["act_on"])
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", names["to_calls"], ["act_on", END])
    builder.add_edge("act_on", "agent")
    told = asyncio.run(_answered(names, builder, Approve()))
    assert told == ["Booked 2 nights in Rome.", "Booked 2 nights in Oslo."]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (Answer({"approved": True, "values": {"seatClass": "Business"}}), "Booked in Business."),
        (Answer({"approved": True}), "Booked in Economy."),
        (Answer({"approved": False}), "Nothing was booked."),
        (Cancel(), "Nothing was booked."),
    ],
)
def test_the_form_is_answered_declined_and_cancelled(page: Any, answer: AnswerValue, said: str) -> None:
    names, _ = page
    builder = StateGraph(MessagesState)
    builder.add_node("confirm", names["confirm"])
    builder.add_edge(START, "confirm")

    async def run() -> str:
        agent = LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver()))
        async with AgentKit(agent, "memory:") as kit:
            await names["answered"](kit, "t", "Book a flight", answer)
            return (await kit.conversation("t")).messages[-1].text

    assert asyncio.run(run()) == said


def test_a_person_answers_in_place_of_the_tool(page: Any) -> None:
    names, told = page
    model = model_of([("ask_user", {"message": "Favourite colour?"})])
    asyncio.run(names["ask_for_a_colour"](model))
    assert told.pop() == "['Blue.']"


def test_a_mail_waits_for_its_yes(page: Any) -> None:
    names, _ = page

    async def run() -> list[str]:
        model = model_of([("send_email", {"to": "ann@example.test", "subject": "Hi"})])
        async with AgentKit(names["mail_agent"](model), "memory:") as kit:
            return await names["answered"](kit, "t", "Mail Ann", Approve())

    assert asyncio.run(run()) == ["Sent 'Hi' to ann@example.test."]


def test_the_page_names_every_answer() -> None:
    shown = set(re.findall(r"\b(Approve|Reject|Respond|Answer|Cancel)\(", "".join(PAGE)))
    assert shown == {"Approve", "Reject", "Respond", "Answer", "Cancel"}


async def _answered(names: dict[str, Any], builder: Any, answer: AnswerValue) -> list[str]:
    agent = LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver()))
    async with AgentKit(agent, "memory:") as kit:
        return await names["answered"](kit, "t", "Book a hotel", answer)
