"""The blocks of the pages about answering and about an adapter of one's own run as they stand."""

from __future__ import annotations

import asyncio
import inspect
from typing import Any

import pytest
import reflex as rx
from ag_ui.core import Interrupt, ResumeEntry
from pydantic_ai import Agent

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.components.chat import agent_chat
from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.forms import read_card
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.verdicts import Answer, Approve
from reflex_agentkit.state.chat import AgentState
from tests.adapters.langgraph_subjects import node_graph
from tests.adapters.talk import Script
from tests.docs.test_docs import blocks


def blocks_of(page: str) -> list[str]:
    return [block for where, block in blocks() if where.startswith(page)]


class DocumentedState(AgentState):
    agent = PydanticAIAgent(Agent("test"))


@pytest.fixture
def page() -> dict[str, Any]:
    """What the blocks of the page about answering define, around an agent with a script."""
    script = Script(
        [
            ("book_hotel", {"city": "Rome", "nights": 2}),
            ("pay", {"amount": 7}),
            ("choose_room", {"city": "Rome"}),
        ]
    )
    names: dict[str, Any] = {
        "agent": Agent(script.model()), "rx": rx, "agent_chat": agent_chat, "ChatState": DocumentedState,
    }  # fmt: skip
    for block in blocks_of("docs/human-in-the-loop.md"):
        exec(block, names)
    return names


def test_approvals_and_a_question_are_asked_and_answered(page: dict[str, Any]) -> None:
    async def run() -> dict[str, str | None]:
        async with AgentKit(PydanticAIAgent(page["agent"]), "memory:") as kit:
            await kit.send("t", "Book a hotel")
            await kit.wait("t")
            for pending in await kit.pending("t"):
                answer = Answer("suite") if pending.kind == "question" else Approve()
                await kit.answer(pending.id, answer, by="ann")
            assert await kit.wait("t") == "idle"
            messages = (await kit.conversation("t")).messages
            return {call.name: call.result for message in messages for call in message.tool_calls}

    results = asyncio.run(run())
    assert results["book_hotel"] == "Booked 2 nights in Rome."
    assert (results["pay"] or "").startswith("Paid 7 with key ")
    assert results["choose_room"] == "suite"


def test_the_card_is_one_and_its_answer_is_what_the_page_says(page: dict[str, Any]) -> None:
    card = read_card(page["card"])
    assert card is not None
    assert (card.form_type, card.approve, len(card.fields)) == ("flight-booking", "Book it", 2)
    schema = schema_of_form(page["card"])
    interrupt = Interrupt(id="i", reason="form", response_schema=schema, metadata={"payload": page["card"]})
    names: dict[str, Any] = {}
    exec(blocks_of("docs/own-adapter.md")[-1], names)
    given = names["payload"](interrupt, _entry({"approved": True}))
    assert given == {"approved": True, "values": {"seatClass": "Economy", "insurance": False}}


def test_an_adapter_of_ones_own_runs_the_contract() -> None:
    names: dict[str, Any] = {"MyAdapter": LangGraphAGUIAgent, "my_agent": node_graph}
    contract, check = blocks_of("docs/own-adapter.md")
    exec(contract, names)
    suite = names["TestMyAdapter"]()
    build = inspect.unwrap(vars(type(suite))["build"])(suite)
    asyncio.run(suite.test_wire_a_yes_runs_the_call_and_only_its_result_is_told(build))
    exec(check, names)
    schema = approval_schema({"type": "object", "properties": {"nights": {"type": "integer"}}})
    metadata = {"toolName": "book", "tool_input": {"nights": 2}}
    asked = Interrupt(id="i", reason="tool_call", tool_call_id="c", response_schema=schema, metadata=metadata)
    edit = {"approved": True, "editedArgs": {"nights": 5}}
    assert names["payload"](asked, _entry(edit)) == edit
    with pytest.raises(InvalidAnswerError) as refused:
        names["payload"](asked, _entry({"approved": True, "editedArgs": {"nights": "many"}}))
    assert (refused.value.code, refused.value.path) == ("invalid_answer", "/nights")


def _entry(payload: Any) -> ResumeEntry:
    return ResumeEntry(interrupt_id="i", status="resolved", payload=payload)
