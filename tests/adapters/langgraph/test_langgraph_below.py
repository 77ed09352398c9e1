"""Interrupts from below: in graphs inside graphs, in parallel tasks, in agents that a tool calls."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import SubagentFinishedEvent, SubagentStartedEvent
from deepagents import create_deep_agent
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.adapters.langgraph.approval import HANDED_OUT
from reflex_agentkit.protocol.verdicts import Answer, Approve, Reject
from tests.adapters.langgraph.scripted import OSLO, ROME, GraphTalk, model_of
from tests.adapters.talk import approved, cancelled, refused, resolved


class Nested:
    """A graph in a graph in a graph; the innermost node asks. `called`: a node calls it as a function."""

    def __init__(self, take: Any = lambda answer: answer, *, called: bool = False) -> None:
        self.got: list[Any] = []
        self.counted = 0

        def ask(state: Any) -> Any:
            answer = interrupt({"reason": "question", "message": "How many?"})
            self.got.append(answer)
            take(answer)
            return {}

        def count(state: Any) -> Any:
            self.counted += 1
            return {}

        inner = StateGraph(MessagesState)
        inner.add_node("count", count)
        inner.add_node("ask", ask)
        inner.add_edge(START, "count")
        inner.add_edge("count", "ask")
        middle = StateGraph(MessagesState)
        middle.add_node("inner", inner.compile())
        middle.add_edge(START, "inner")
        below = middle.compile()

        async def call(state: Any) -> Any:
            await below.ainvoke(state)
            return {}

        outer = StateGraph(MessagesState)
        outer.add_node("middle", call if called else below)
        outer.add_edge(START, "middle")
        outer.add_edge("middle", END)
        self.graph = outer.compile(checkpointer=InMemorySaver())
        self.talk = GraphTalk(LangGraphAGUIAgent(self.graph))


@pytest.mark.parametrize("called", [False, True])
async def test_a_question_in_a_graph_below_says_where_it_comes_from(called: bool) -> None:
    nested = Nested(called=called)
    (asked,) = (await nested.talk.send("Hi")).interrupts
    assert asked.metadata is not None
    assert asked.metadata["path"] == ["middle", "inner", "ask"]
    run = await nested.talk.go(resolved(asked.id, None))
    assert run.outcome.type == "success"
    assert nested.got == [None]
    assert nested.counted == 1


@pytest.mark.parametrize("called", [False, True])
async def test_a_bad_answer_in_a_graph_below_is_asked_again(called: bool) -> None:
    nested = Nested(int, called=called)
    (asked,) = (await nested.talk.send("Hi")).interrupts
    (again,) = (await nested.talk.go(resolved(asked.id, "many"))).interrupts
    assert again.metadata is not None
    assert "ValueError" in again.metadata["error"]
    run = await nested.talk.go(resolved(again.id, "3"))
    assert run.outcome.type == "success"
    assert nested.got == ["many", "3"]


async def test_two_questions_of_one_node_are_asked_one_after_the_other_and_a_bad_one_again() -> None:
    got: list[Any] = []

    def ask(state: Any) -> Any:
        number = interrupt("How many?")
        city = interrupt("Which city?")
        got.append((number, city))
        return {"messages": [("ai", f"{number} {city.upper()}")]}

    builder = StateGraph(MessagesState)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    (first,) = (await talk.send("Hi")).interrupts
    (second,) = (await talk.go(resolved(first.id, 3))).interrupts
    assert second.message == "Which city?"
    (again,) = (await talk.go(resolved(second.id, 5))).interrupts
    assert (again.message or "").startswith("Which city?")
    run = await talk.go(resolved(again.id, "Rome"))
    assert run.outcome.type == "success"
    assert got == [(3, 5), (3, "Rome")]


async def test_an_approval_and_then_a_question_in_one_node_gives_no_second_yes(make_kit: Any) -> None:
    booked: list[Any] = []
    model = model_of([ROME])

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    def act(state: Any) -> Any:
        call = state["messages"][-1].tool_calls[0]
        decision = request_tool_approval(call["id"], call["name"], call["args"])
        seat = interrupt("Which room?") if decision.approved else None
        if decision.approved:
            booked.append((decision.args, seat))
        said = f"Booked room {seat}." if decision.approved else f"Not booked: {decision.reason}"
        return {"messages": [ToolMessage(content=said, tool_call_id=call["id"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "act" if state["messages"][-1].tool_calls else END)
    builder.add_edge("act", "agent")
    kit = await make_kit(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    await kit.send("t", "Book")
    await kit.wait("t")
    (approval,) = await kit.pending("t")
    await kit.answer(approval.id, Approve(), by="r")
    await kit.wait("t")
    (question,) = await kit.pending("t")
    assert question.kind == "question"
    await kit.answer(question.id, Answer("12"), by="r")
    assert await kit.wait("t") == "idle"
    assert booked == []
    calls = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert [call.result for call in calls] == [f"Not booked: {HANDED_OUT}"]


def deep(booked: list[Any], *lines: Any) -> Any:
    @tool
    def book_hotel(city: str, nights: int) -> str:
        """Book a hotel."""
        booked.append({"city": city, "nights": nights})
        return f"Booked {nights} nights in {city}."

    return create_deep_agent(
        model=model_of([("task", {"description": "Book Rome", "subagent_type": "clerk"})], "All done."),
        subagents=[
            {
                "name": "clerk",
                "description": "Books hotels",
                "system_prompt": "Book.",
                "model": model_of(*lines, prefix="inner"),
                "tools": [book_hotel],
                "interrupt_on": {"book_hotel": {"allowed_decisions": ["approve", "edit", "reject"]}},
            }
        ],
        checkpointer=InMemorySaver(),
    )


async def test_a_deep_agents_sub_agent_asks_and_is_answered_over_the_wire() -> None:
    booked: list[Any] = []
    talk = GraphTalk(LangGraphAGUIAgent(deep(booked, [ROME], "Booked.")))
    run = await talk.send("Book a hotel")
    (asked,) = run.interrupts
    assert asked.metadata is not None
    assert asked.metadata["path"][0] == "tools"
    assert asked.metadata["toolName"] == "book_hotel"
    assert asked.subagent_run_id is not None
    (started,) = run.of(SubagentStartedEvent)
    assert started.name == "clerk"
    assert started.subagent_run_id == asked.subagent_run_id
    run = await talk.go(approved(asked.id))
    assert run.outcome.type == "success"
    assert booked == [ROME[1]]
    assert len(run.of(SubagentFinishedEvent)) == 1


@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        (Approve(), [ROME[1]]),
        (Approve(edited_args={"city": "Rome", "nights": 5}), [{"city": "Rome", "nights": 5}]),
        (Reject("no"), []),
    ],
)
async def test_a_deep_agents_sub_agent_through_the_kit(make_kit: Any, answer: Any, runs: list[Any]) -> None:
    booked: list[Any] = []
    kit = await make_kit(LangGraphAGUIAgent(deep(booked, [ROME], "Booked.")))
    await kit.send("t", "Book a hotel")
    assert await kit.wait("t") == "awaiting_input"
    (pending,) = await kit.pending("t")
    assert (pending.kind, pending.tool_name, pending.args) == ("approval", *ROME)
    assert pending.metadata["path"][0] == "tools"
    await kit.answer(pending.id, answer, by="r")
    assert await kit.wait("t") == "idle", (await kit.conversation("t")).fault
    assert booked == runs


async def test_cancelled_below_and_a_message_beside_it() -> None:
    nested = Nested()
    (asked,) = (await nested.talk.send("Hi")).interrupts
    nested.talk.say("Something else")
    run = await nested.talk.go(cancelled(asked.id))
    assert len(run.interrupts) == 1
    assert nested.got[0]["__agui_cancelled__"] is True


async def test_several_calls_of_a_sub_agent_are_decided_one_by_one() -> None:
    booked: list[Any] = []
    talk = GraphTalk(LangGraphAGUIAgent(deep(booked, [ROME, OSLO], "Booked.")))
    one, two = (await talk.send("Book")).interrupts
    await talk.go(approved(one.id), refused(two.id))
    assert booked == [ROME[1]]
