"""`request_tool_approval(..., args_schema=...)`: an edit is held against what describes the arguments."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pytest
from langchain_core.messages import ToolMessage
from langchain_core.tools import InjectedToolCallId, StructuredTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Command, interrupt
from pydantic import BaseModel, Field
from typing_extensions import TypedDict

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.adapters.langgraph.arguments import schema_of
from reflex_agentkit.errors import ConfigurationError, InvalidAnswerError
from reflex_agentkit.protocol.verdicts import Approve, Ready, Refused, Reject
from tests.adapters.langgraph.scripted import ROME, GraphTalk, model_of
from tests.adapters.talk import approved, refused


def book_hotel(city: str, nights: int) -> str:
    return f"Booked {nights} nights in {city}."


@tool
def the_tool(city: str, nights: int, call: Annotated[str, InjectedToolCallId]) -> str:
    """Book a hotel."""
    return f"Booked {nights} nights in {city}."


class Model(BaseModel):
    city: str
    nights: int = Field(ge=1)


class Fields(TypedDict):
    city: str
    nights: int


@dataclass
class Data:
    city: str
    nights: int


SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}},
    "required": ["city", "nights"],
}
BY_SCHEMA = StructuredTool(name="by_schema", description="Book.", args_schema=SCHEMA, func=book_hotel)
DESCRIPTIONS = [book_hotel, the_tool, Model, Fields, Data, SCHEMA, BY_SCHEMA]


class Desk:
    """A model, and a node that asks about its call with a description of the arguments."""

    def __init__(self, args_schema: Any, *lines: Any) -> None:
        self.booked: list[Any] = []
        self.model = model_of(*(lines or ([ROME],)))
        self.args_schema = args_schema
        builder = StateGraph(MessagesState)
        builder.add_node("agent", lambda state: {"messages": [self.model.invoke(state["messages"])]})
        builder.add_node("act", self.act)
        builder.add_edge(START, "agent")
        builder.add_conditional_edges(
            "agent", lambda state: "act" if state["messages"][-1].tool_calls else END
        )
        builder.add_edge("act", "agent")
        self.graph = builder.compile(checkpointer=InMemorySaver())
        self.agent = LangGraphAGUIAgent(self.graph)
        self.talk = GraphTalk(self.agent)

    def act(self, state: Any) -> Any:
        call = state["messages"][-1].tool_calls[0]
        decision = request_tool_approval(
            str(call["id"]), call["name"], call["args"], args_schema=self.args_schema
        )
        if decision.approved:
            self.booked.append(decision.args)
        content = decision.tool_result("Booked." if decision.approved else "Refused.")
        return {"messages": [ToolMessage(content=content, tool_call_id=call["id"])]}


BAD: list[tuple[dict[str, Any], str]] = [
    ({"city": "Rome", "nights": "many"}, "/nights"),
    ({"city": "Rome", "nights": True}, "/nights"),
    ({"city": "Rome", "nights": 2.5}, "/nights"),
    ({"city": "Rome"}, "/nights"),
    ({"city": "Rome", "nights": 2, "is_admin": True}, "/is_admin"),
    ({"city": "Rome", "nights": 2, "call": "call-9"}, "/call"),
]


@pytest.mark.parametrize(
    "description", DESCRIPTIONS, ids=lambda one: getattr(one, "__name__", type(one).__name__)
)
async def test_an_edit_that_does_not_fit_names_the_field_and_stays_open_f20_s09(
    make_kit: Any, description: Any
) -> None:
    desk = Desk(description)
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert pending.args_schema is not None
    for edited, path in BAD:
        outcome = await kit.answer(pending.id, Approve(edited_args=edited), by="ann")
        assert isinstance(outcome, Refused)
        assert (outcome.code, outcome.path) == ("invalid_answer", path)
    assert (desk.booked, len(desk.model.saw)) == ([], 1)
    edit = {"city": "Rome", "nights": 5}
    assert isinstance(await kit.answer(pending.id, Approve(edited_args=edit), by="ann"), Ready)
    assert await kit.wait("t") == "idle"
    assert desk.booked == [edit]
    assert "Note: the user edited" in desk.model.told[0]


@pytest.mark.parametrize(
    "description", DESCRIPTIONS, ids=lambda one: getattr(one, "__name__", type(one).__name__)
)
async def test_an_edit_that_does_not_fit_is_refused_over_the_wire_too(description: Any) -> None:
    desk = Desk(description)
    (asked,) = (await desk.talk.send("Book")).interrupts
    assert asked.response_schema is not None
    assert "nights" in asked.response_schema["properties"]["editedArgs"]["properties"]
    for edited, _ in BAD:
        run = await desk.talk.go(approved(asked.id, editedArgs=edited))
        assert run.error.code == "invalid_answer"
    assert (desk.booked, len(desk.model.saw)) == ([], 1)
    assert (await desk.talk.go(approved(asked.id, editedArgs={"city": "Oslo", "nights": 3}))).results
    assert desk.booked == [{"city": "Oslo", "nights": 3}]


async def test_an_edit_that_is_the_proposal_is_a_plain_yes_and_a_no_stays_a_no() -> None:
    desk = Desk(Model, [ROME], [ROME])
    (asked,) = (await desk.talk.send("Book")).interrupts
    run = await desk.talk.go(approved(asked.id, editedArgs={"nights": 2, "city": "Rome"}))
    assert run.results["call-1a"] == "Booked."
    (asked,) = run.interrupts
    run = await desk.talk.go(refused(asked.id, editedArgs={"city": 7}))
    assert run.results["call-2a"] == "Refused."
    assert desk.booked == [ROME[1]]


async def test_whoever_answers_past_the_adapter_is_held_to_the_schema_all_the_same() -> None:
    desk = Desk(Model)
    config: Any = {"configurable": {"thread_id": "t"}}
    await desk.graph.ainvoke({"messages": [("user", "Book")]}, config)
    (asked,) = (await desk.graph.aget_state(config)).interrupts
    answer = {"approved": True, "editedArgs": {"city": "Rome", "nights": 0}}
    with pytest.raises(InvalidAnswerError, match="nights"):
        await desk.graph.ainvoke(Command(resume={asked.id: answer}), config)
    assert desk.booked == []


async def test_numbers_keep_their_value_and_their_kind() -> None:
    class Pay(BaseModel):
        amount: int
        rate: float
        price: Decimal

    proposed = {"amount": 9007199254740993, "rate": 1.0, "price": 1}
    desk = Desk(Pay, [("pay", proposed)])
    (asked,) = (await desk.talk.send("Pay")).interrupts
    edited = {"amount": 9007199254740995, "rate": 2.0, "price": Decimal("12345678901234567.89")}
    await desk.talk.go(approved(asked.id, editedArgs=edited))
    (given,) = desk.booked
    assert given == edited
    assert [type(one) for one in given.values()] == [int, float, Decimal]


async def test_one_point_nought_for_a_proposed_one_is_an_edit(make_kit: Any) -> None:
    desk = Desk({"type": "object", "properties": {"nights": {"type": "number"}}}, [("book", {"nights": 1})])
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Approve(edited_args={"nights": 1.0}), by="ann")
    assert await kit.wait("t") == "idle"
    assert "Note: the user edited" in desk.model.told[0]


async def test_without_a_description_an_edit_is_taken_as_it_is(make_kit: Any) -> None:
    desk = Desk(None)
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert pending.args_schema is None
    await kit.answer(pending.id, Approve(edited_args={"city": "Rome", "nights": "many"}), by="ann")
    assert await kit.wait("t") == "idle"
    assert desk.booked == [{"city": "Rome", "nights": "many"}]


@pytest.mark.parametrize("given", [int, 7, "Model", {"type": "array"}, lambda city, /: city, {"x": object()}])
async def test_what_describes_no_arguments_is_a_clear_error_and_nothing_runs(given: Any) -> None:
    with pytest.raises(ConfigurationError, match="args_schema="):
        schema_of(given)
    desk = Desk(given)
    run = await desk.talk.send("Book")
    assert run.error.code == "configuration"
    assert desk.booked == []


def test_what_langgraph_injects_is_no_argument() -> None:
    assert [*schema_of(the_tool)["properties"]] == ["city", "nights"]


async def test_an_answer_that_a_node_wants_by_other_words_stays_a_question() -> None:
    builder = StateGraph(MessagesState)
    got: list[Any] = []
    ask = {"toolCallId": "call-1", "formType": "seat", "fields": [{"name": "seat", "label": "Seat"}]}
    builder.add_node("ask", lambda _: got.append(interrupt(ask)))
    builder.add_edge(START, "ask")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    (asked,) = (await talk.send("Hi")).interrupts
    run = await talk.go(approved(asked.id, values={"seat": 7}))
    assert run.error.code == "invalid_answer"
    await talk.go(approved(asked.id, values={"seat": "4A"}))
    assert got == [{"approved": True, "values": {"seat": "4A"}}]


async def test_a_rejection_needs_no_arguments_that_fit(make_kit: Any) -> None:
    desk = Desk(Model, [("book", {"city": "Rome", "nights": "many"})])
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Reject("no"), by="ann")
    assert await kit.wait("t") == "idle"
    assert desk.booked == []
