"""Runs that end at a bad moment: between two checkpoints, in a node, in a task of many calls."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from ag_ui.core import ToolMessage as WireToolMessage
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import AnyMessage, ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import RetryPolicy, interrupt
from typing_extensions import TypedDict

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.protocol.conversation import NO_RESULT
from reflex_agentkit.protocol.verdicts import Approve
from tests.adapters.langgraph.scripted import ROME, GraphTalk, Hotel, assert_answered, model_of
from tests.adapters.langgraph_middleware.office import Office
from tests.adapters.talk import approved, resolved


class FailingSaver(InMemorySaver):
    """Keeps no checkpoint once `puts` of them were kept, until that is `None` again."""

    puts: int | None = None

    async def aput(self, *args: Any) -> Any:
        if self.puts is not None:
            if self.puts == 0:
                raise ConnectionError("the database is gone")
            self.puts -= 1
        return await super().aput(*args)


async def test_a_step_whose_checkpoint_was_lost_is_taken_up_from_what_it_gave() -> None:
    saver = FailingSaver()
    hotel = Hotel([ROME], "Enjoy.", saver=saver)
    (asked,) = (await hotel.talk.send("Book")).interrupts
    saver.puts = 0
    assert "database" in (await hotel.talk.go(approved(asked.id))).error.message
    assert hotel.booked == [ROME[1]]
    saver.puts = None
    run = await hotel.talk.go()
    assert run.outcome.type == "success"
    assert hotel.booked == [ROME[1]]
    assert hotel.model.kinds == ["human", "ai", "tool"]


async def test_a_turn_that_was_ended_and_not_begun_again_is_begun_by_the_next_run() -> None:
    saver = FailingSaver()
    office = Office([ROME], "Sorry.", saver=saver)
    (asked,) = (await office.talk.send("Book")).interrupts
    office.raises = [RuntimeError("down")]
    await office.talk.go(approved(asked.id), keep=False)
    saver.puts = 1
    assert "database" in (await office.talk.go()).error.message
    saver.puts = None
    run = await office.talk.go()
    assert run.outcome.type == "success"
    assert office.ran == ["Rome"]
    assert office.model.kinds == ["human", "ai", "tool"]
    assert_answered(office.model.saw[-1])


async def test_f07_a_node_that_was_stopped_halfway_hears_no_rejection(make_kit: Any) -> None:
    inside = asyncio.Event()
    ran: list[Any] = []
    model = model_of([ROME], "All right.")

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    async def act(state: Any) -> Any:
        call = state["messages"][-1].tool_calls[0]
        decision = request_tool_approval(call["id"], call["name"], call["args"])
        ran.append(decision.approved)
        inside.set()
        if decision.approved:
            await asyncio.Event().wait()
        return {"messages": [ToolMessage(content="Refused.", tool_call_id=call["id"])]}

    builder: Any = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "act" if state["messages"][-1].tool_calls else END)
    builder.add_edge("act", "agent")
    kit = await make_kit(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Approve(), by="ann")
    await inside.wait()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"
    assert ran == [True]
    assert [record.state for record in await kit._store.interrupts("t")] == ["in_doubt"]
    assert model.kinds == ["human", "ai", "tool", "human"]
    assert_answered(model.saw[-1])
    assert model.saw[-1][2].content == NO_RESULT


class Desk:
    """The middleware before one tool node that runs all calls of a message in one task."""

    def __init__(self, *lines: Any) -> None:
        self.ran: list[str] = []
        self.raises: list[Exception] = []
        self.model = model_of(*lines)
        hitl = HumanInTheLoopMiddleware(interrupt_on={"book": True, "confirm": True})

        @tool
        async def book(city: str) -> str:
            """Book."""
            self.ran.append(city)
            if self.raises:
                raise self.raises.pop(0)
            return "Booked."

        @tool
        async def confirm(city: str) -> str:
            """Ask, and then book."""
            seat = interrupt("Which seat?")
            self.ran.append(f"{city} {seat}")
            return "Confirmed."

        async def agent(state: Any) -> Any:
            return {"messages": [await self.model.ainvoke(state["messages"])]}

        def review(state: Any, runtime: Any) -> Any:
            return hitl.after_model(state, runtime) or {}

        builder: Any = StateGraph(MessagesState)
        builder.add_node("agent", agent)
        builder.add_node("review", review)
        retry = RetryPolicy(max_attempts=3, initial_interval=0.0, jitter=False, retry_on=RuntimeError)
        builder.add_node("tools", ToolNode([book, confirm], handle_tool_errors=False), retry_policy=retry)
        builder.add_edge(START, "agent")
        builder.add_conditional_edges("agent", lambda s: "review" if s["messages"][-1].tool_calls else END)
        builder.add_edge("review", "tools")
        builder.add_edge("tools", "agent")
        self.talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))


async def test_f07_a_call_does_not_run_again_for_the_question_of_another_in_its_task() -> None:
    desk = Desk([("book", {"city": "Rome"}), ("confirm", {"city": "Oslo"})], "Well.")
    one, two = (await desk.talk.send("Book")).interrupts
    (question,) = (await desk.talk.go(approved(one.id), approved(two.id))).interrupts
    assert desk.ran == ["Rome"]
    run = await desk.talk.go(resolved(question.id, "12A"))
    assert run.outcome.type == "success"
    assert desk.ran == ["Rome"]
    assert_answered(desk.model.saw[-1])


async def test_a_tool_that_asks_goes_on_where_it_is_the_only_call_of_its_task() -> None:
    desk = Desk([("confirm", {"city": "Oslo"})], "Well.")
    (asked,) = (await desk.talk.send("Book")).interrupts
    (question,) = (await desk.talk.go(approved(asked.id))).interrupts
    await desk.talk.go(resolved(question.id, "12A"))
    assert desk.ran == ["Oslo 12A"]


async def test_f07_a_retry_of_langgraphs_own_does_not_repeat_an_approved_call() -> None:
    desk = Desk([("book", {"city": "Rome"})], "Well.")
    (asked,) = (await desk.talk.send("Book")).interrupts
    desk.raises = [RuntimeError("down")]
    run = await desk.talk.go(approved(asked.id))
    assert "began before" in run.error.message
    assert desk.ran == ["Rome"]
    run = await desk.talk.go()
    assert run.outcome.type == "success"
    assert desk.ran == ["Rome"]
    assert_answered(desk.model.saw[-1])


class Replaced(TypedDict):
    messages: list[AnyMessage]


async def test_a_result_is_given_once_in_a_run_to_a_graph_that_keeps_nothing() -> None:
    model = model_of([("look", {})])

    async def agent(state: Any) -> Any:
        assert len(model.saw) < 5, "it never comes to its end"
        return {"messages": [await model.ainvoke(state["messages"])]}

    builder: Any = StateGraph(Replaced)
    builder.add_node("agent", agent)
    builder.add_edge(START, "agent")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    await talk.send("Look")
    talk.messages.append(WireToolMessage(id="seen", tool_call_id="call-1a", content="Nice."))
    run = await talk.go()
    assert run.outcome.type == "success"
    assert [message.content for message in model.saw[-1]] == ["Nice."]
    assert isinstance(model.saw[-1][0], ToolMessage)
    assert len(model.saw) == 2


@pytest.mark.parametrize("gone", [True, False])
async def test_an_answer_that_lies_too_far_back_is_taken_only_where_a_gate_vouches_for_it(
    monkeypatch: pytest.MonkeyPatch, gate: Any, gone: bool
) -> None:
    from reflex_agentkit.agents.gate import use_gate

    monkeypatch.setattr("reflex_agentkit.adapters.langgraph.thread.LOOK_BACK", 2)
    use_gate(None if gone else gate)
    hotel = Hotel([ROME], "Enjoy.", "Hello.", "Again.")
    (asked,) = (await hotel.talk.send("Book")).interrupts
    await hotel.talk.go(approved(asked.id))
    await hotel.talk.send("Hi")
    run = await hotel.talk.go(approved(asked.id))
    if gone:
        assert run.error.code == "unknown_interrupt"
    else:
        assert run.outcome.type == "success"
    assert hotel.booked == [ROME[1]]
