"""The LangGraph programs that the library promises to run as they stand, with a scripted model."""

from __future__ import annotations

import inspect
from dataclasses import FrozenInstanceError, fields
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import (
    ApprovalDecision,
    LangGraphAGUIAgent,
    request_tool_approval,
)
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.verdicts import Answer, Approve, Ready, Reject, Respond, Waiting
from tests.adapters.langgraph.scripted import ROME, GraphTalk, model_of
from tests.adapters.talk import approved, cancelled, refused, resolved

BOOKED: list[tuple[str, int]] = []


def book_hotel(city: str, nights: int) -> str:
    BOOKED.append((city, nights))
    return f"Booked {nights} nights in {city}."


def act(state):
    call = state["messages"][-1].tool_calls[0]
    decision = request_tool_approval(str(call["id"]), call["name"], call["args"])
    if decision.approved:
        result = book_hotel(**decision.args)  # the edited arguments, if any
    else:
        result = f"Rejected: {decision.reason or 'no reason given'}"
    content = decision.tool_result(result)  # tells the model about edits
    return {"messages": [ToolMessage(content=content, tool_call_id=call["id"])]}


class Trip(MessagesState):
    nights: int


def ask(state):
    nights = interrupt({"reason": "question", "message": "How many nights?"})
    return {"nights": int(nights)}


def approval_graph() -> Any:
    model = model_of([ROME])

    def agent(state: Any) -> Any:
        return {"messages": [model.invoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "act" if state["messages"][-1].tool_calls else END)
    builder.add_edge("act", "agent")
    return builder.compile(checkpointer=InMemorySaver())


def question_graph() -> Any:
    builder = StateGraph(Trip)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    return builder.compile(checkpointer=InMemorySaver())


@pytest.mark.parametrize(
    ("entry", "ran", "told"),
    [
        (approved, [("Rome", 2)], "Booked 2 nights in Rome."),
        (lambda at: approved(at, editedArgs={"city": "Rome", "nights": 5}), [("Rome", 5)], "Note: the user"),
        (lambda at: refused(at, reason="Too far"), [], "Rejected: Too far"),
        (refused, [], "Rejected: no reason given"),
        (cancelled, [], "Rejected: cancelled"),
    ],
)
async def test_approvals_with_langgraph(entry: Any, ran: list[Any], told: str) -> None:
    BOOKED.clear()
    talk = GraphTalk(LangGraphAGUIAgent(approval_graph()))
    (asked,) = (await talk.send("Book")).interrupts
    run = await talk.go(entry(asked.id))
    assert ran == BOOKED
    assert told in run.results["call-1a"]


async def test_questions(make_kit: Any) -> None:
    graph = question_graph()
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert (pending.kind, pending.reason, pending.message) == ("question", "question", "How many nights?")
    assert pending.payload == {"reason": "question", "message": "How many nights?"}
    await kit.answer(pending.id, Answer("3"), by="r")
    assert await kit.wait("t") == "idle"
    assert (await graph.aget_state({"configurable": {"thread_id": "t"}})).values["nights"] == 3
    assert (await kit.conversation("t")).state == {"nights": 3}


def approval_and_question_graph() -> tuple[Any, Any]:
    """Seed 000's two nodes in one pause, and the model that proposes the call."""
    model = model_of([ROME])

    def agent(state: Any) -> Any:
        return {"messages": [model.invoke(state["messages"])]}

    def ask_kindly(state: Any) -> Any:
        heard.append(interrupt({"reason": "question", "message": "How many nights?"}))
        return {}

    heard: list[Any] = []
    builder = StateGraph(Trip)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_node("ask", ask_kindly)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges(
        "agent",
        lambda state: ["act", "ask"] if state["messages"][-1].tool_calls else END,
        ["act", "ask", END],
    )
    builder.add_edge(["act", "ask"], "agent")
    return builder.compile(checkpointer=InMemorySaver()), heard


async def test_several_at_once_each_node_receives_its_own_answer(make_kit: Any) -> None:
    BOOKED.clear()
    graph, heard = approval_and_question_graph()
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book")
    await kit.wait("t")
    call, question = await kit.pending("t")
    assert [(one.kind, one.position, one.total) for one in (call, question)] == [
        ("approval", 1, 2),
        ("question", 2, 2),
    ]
    assert isinstance(await kit.answer(question.id, Answer(3), by="r"), Waiting)
    assert (BOOKED, heard) == ([], [])
    assert isinstance(await kit.answer(call.id, Approve(), by="r"), Ready)
    assert await kit.wait("t") == "idle"
    assert (BOOKED, heard) == ([("Rome", 2)], [3])


async def test_stopping_while_paused_rejects_the_approvals_and_cancels_the_questions(make_kit: Any) -> None:
    BOOKED.clear()
    graph, heard = approval_and_question_graph()
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book")
    await kit.wait("t")
    await kit.cancel("t")
    assert (await kit.pending("t"), heard) == ([], [])
    await kit.send("t", "Something else")
    assert await kit.wait("t") == "idle"
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert (BOOKED, calls[0].result) == ([], "Rejected: cancelled")
    assert [(one["__agui_cancelled__"], one["reason"]) for one in heard] == [(True, "cancelled")]


def test_the_signatures() -> None:
    given = inspect.signature(LangGraphAGUIAgent)
    assert [*given.parameters] == ["graph", "name", "config", "legacy_interrupts"]
    assert [one.default for one in given.parameters.values()][1:] == ["agent", None, False]
    assert {one.kind for one in [*given.parameters.values()][1:]} == {inspect.Parameter.KEYWORD_ONLY}
    asks = inspect.signature(request_tool_approval)
    assert [*asks.parameters] == ["tool_call_id", "tool_name", "args", "message", "args_schema"]
    for name in ("message", "args_schema"):
        assert asks.parameters[name].kind is inspect.Parameter.KEYWORD_ONLY
        assert asks.parameters[name].default is None
    assert [one.name for one in fields(ApprovalDecision)] == ["approved", "args", "reason", "edited"]
    decision = ApprovalDecision(True, {"nights": 5})
    assert decision.tool_result("x") == "x"
    assert ApprovalDecision(True, {"nights": 5}, edited=True).tool_result("x").startswith("x\n\nNote:")
    with pytest.raises(FrozenInstanceError):
        decision.approved = False  # pyright: ignore[reportAttributeAccessIssue]


CARD = {
    "formType": "flight-booking",
    "tool": "book_flight",
    "title": "Confirm flight booking",
    "fields": [
        {
            "name": "seatClass",
            "label": "Seat class",
            "type": "select",
            "options": ["Economy", "Premium Economy", "Business"],
            "default": "Economy",
        },
        {"name": "insurance", "label": "Add trip insurance", "type": "checkbox", "default": False},
    ],
}


@tool
def book_flight(origin: str, destination: str, date: str, passengers: int) -> str:
    """Book a flight. Requires human confirmation of trip details."""
    context = {"origin": origin, "destination": destination, "date": date, "passengers": passengers}
    decision = interrupt({**CARD, "context": context})
    if not decision["approved"]:
        return f"Booking cancelled. No flight from {origin} to {destination} was reserved."
    seat_class = str((decision.get("values") or {}).get("seatClass", "Economy"))
    return f"Flight booked from {origin} to {destination} in {seat_class}."


TRIP = {"origin": "Oslo", "destination": "Rome", "date": "2030-01-01", "passengers": 2}


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (
            {"approved": True, "values": {"seatClass": "Business", "insurance": True}},
            "Flight booked from Oslo to Rome in Business.",
        ),
        ({"approved": False}, "Booking cancelled. No flight from Oslo to Rome was reserved."),
    ],
)
async def test_a_form_in_the_payload(make_kit: Any, answer: Any, told: str) -> None:
    graph = create_agent(model_of([("book_flight", TRIP)]), tools=[book_flight], checkpointer=InMemorySaver())
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book a flight")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert pending.kind == "question"
    assert pending.form is not None
    assert pending.form["formType"] == "flight-booking"
    assert pending.form["context"] == TRIP
    assert pending.payload["fields"][0]["name"] == "seatClass"
    await kit.answer(pending.id, Answer(answer), by="r")
    assert await kit.wait("t") == "idle"
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert [call.result for call in calls] == [told]


@pytest.mark.parametrize("mode", ["batched", "per_call"])
async def test_approve_the_search_then_approve_the_mail(make_kit: Any, mode: Any) -> None:
    ran: list[Any] = []

    @tool
    def search(query: str) -> str:
        """Search."""
        ran.append(("search", query))
        return "found"

    @tool
    def send_email(subject: str, body: str) -> str:
        """Send a mail."""
        ran.append(("send_email", subject, body))
        return "sent"

    @tool
    def ask_user(message: str) -> str:
        """Ask."""
        ran.append("ask_user")
        return "never"

    decisions = {"allowed_decisions": ["approve", "edit", "reject"]}
    model = model_of(
        [("search", {"query": "x"})],
        [("send_email", {"subject": "Hi", "body": "rude"}), ("ask_user", {"message": "Favourite colour?"})],
    )
    graph = create_agent(
        model,
        tools=[search, send_email, ask_user],
        checkpointer=InMemorySaver(),
        middleware=[
            HumanInTheLoopMiddleware(
                interrupt_on={
                    "search": decisions,
                    "send_email": decisions,
                    "ask_user": {"allowed_decisions": ["respond"]},
                },
                interrupt_mode=mode,
            )
        ],
    )
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Search and mail")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Approve(), by="r")
    assert await kit.wait("t") == "awaiting_input"
    mail, colour = await kit.pending("t")
    edited = {"subject": "Updated subject line", "body": "Softer."}
    await kit.answer(mail.id, Approve(edited_args=edited), by="r")
    await kit.answer(colour.id, Respond("Blue."), by="r")
    assert await kit.wait("t") == "idle"
    assert ran == [("search", "x"), ("send_email", "Updated subject line", "Softer.")]
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert calls[2].result == "Blue."


@pytest.mark.parametrize("mode", ["batched", "per_call"])
@pytest.mark.parametrize(
    ("decide", "sent"),
    [
        (lambda at: Approve(), ["One", "Two", "Three"]),
        (
            lambda at: Reject("Too aggressive.") if at == 1 else Reject("Rejected along with other actions"),
            [],
        ),
        (lambda at: Reject() if at == 1 else Approve(), ["One", "Three"]),
        (
            lambda at: (
                Approve(edited_args={"subject": "Updated", "body": "Softer."}) if at == 1 else Approve()
            ),
            ["One", "Updated", "Three"],
        ),
    ],
    ids=["approve all", "reject all", "reject one", "edit one"],
)
async def test_decisions_on_several_actions_are_taken_one_by_one(
    make_kit: Any, mode: Any, decide: Any, sent: list[str]
) -> None:
    ran: list[str] = []

    @tool
    def send_email(subject: str, body: str) -> str:
        """Send a mail."""
        ran.append(subject)
        return f"Sent {subject}."

    calls = [("send_email", {"subject": one, "body": "rude"}) for one in ("One", "Two", "Three")]
    middleware = HumanInTheLoopMiddleware(interrupt_on={"send_email": True}, interrupt_mode=mode)
    graph = create_agent(
        model_of(calls), tools=[send_email], checkpointer=InMemorySaver(), middleware=[middleware]
    )
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Mail")
    await kit.wait("t")
    for at, pending in enumerate(await kit.pending("t")):
        assert ran == []
        await kit.answer(pending.id, decide(at), by="r")
    assert await kit.wait("t") == "idle"
    assert sorted(ran) == sorted(sent)
    shown = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert all(call.result for call in shown)
    assert [one.decision is not None and one.decision.by for one in shown] == ["r", "r", "r"]


async def test_the_decided_card_stays_in_the_transcript(make_kit: Any) -> None:
    graph = create_agent(model_of([("book_flight", TRIP)]), tools=[book_flight], checkpointer=InMemorySaver())
    kit = await make_kit(LangGraphAGUIAgent(graph))
    await kit.send("t", "Book a flight")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    given = {"approved": True, "values": {"seatClass": "Business", "insurance": False}}
    await kit.answer(pending.id, Answer(given), by="r")
    await kit.wait("t")
    (note,) = [one.decision for one in (await kit.conversation("t")).messages if one.decision is not None]
    assert json_text.read(note.card_text)["title"] == "Confirm flight booking"
    assert (json_text.read(note.after_text), note.by, note.verdict) == (given, "r", "answered")


async def test_a_rejected_mail_is_not_sent() -> None:
    ran: list[Any] = []

    @tool
    def send_email(subject: str) -> str:
        """Send a mail."""
        ran.append(subject)
        return "sent"

    graph = create_agent(
        model_of([("send_email", {"subject": "Hi"})]),
        tools=[send_email],
        checkpointer=InMemorySaver(),
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"send_email": True})],
    )
    talk = GraphTalk(LangGraphAGUIAgent(graph))
    (asked,) = (await talk.send("Mail")).interrupts
    run = await talk.go(resolved(asked.id, {"approved": False, "reason": "The tone is too aggressive."}))
    assert ran == []
    assert "too aggressive" in run.results["call-1a"]
