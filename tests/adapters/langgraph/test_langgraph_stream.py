"""What is told on the wire: once, in order, as plain JSON, and no more than the receiver lacks."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from ag_ui.core import (
    AssistantMessage,
    CustomEvent,
    RawEvent,
    RunErrorEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    ToolCallArgsEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)
from langchain_core.callbacks import adispatch_custom_event
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.messages import ToolMessage as GraphToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.protocol.order import StreamOrder
from reflex_agentkit.protocol.wire import admit_event, write_event
from tests.adapters.langgraph.scripted import OSLO, ROME, GraphTalk, Hotel, Question, whole
from tests.adapters.talk import Run, approved, cancelled, refused, resolved


def in_order(run: Run) -> None:
    """Every event is plain JSON, and comes where it may come."""
    order = StreamOrder()
    for event in run.events:
        json.loads(write_event(event))
        admitted = admit_event(event)
        assert admitted is not None
        order.admit(admitted)
    order.finish()


@pytest.mark.parametrize("options", [{}, {"one_chunk": True}, {"streams": False}, {"sync": True}])
async def test_calls_are_told_whole_once_and_in_order(options: dict[str, Any]) -> None:
    hotel = Hotel([ROME, OSLO], "Booked both.", **options)
    run = await hotel.talk.send("Book")
    in_order(run)
    assert [event.tool_call_id for event in run.of(ToolCallStartEvent)] == ["call-1a", "call-1b"]
    args = {event.tool_call_id: json.loads(event.delta) for event in run.of(ToolCallArgsEvent)}
    assert args == {"call-1a": ROME[1], "call-1b": OSLO[1]}
    assert run.of(RawEvent) == []
    one, two = run.interrupts
    run = await hotel.talk.go(approved(one.id), refused(two.id))
    in_order(run)
    assert set(run.results) == {"call-1a", "call-1b"}
    assert run.of(ToolCallStartEvent) == []


@pytest.mark.parametrize("cut", ["nodes", "same"])
async def test_a_run_that_asks_again_after_an_error_is_in_order(cut: str) -> None:
    hotel = Hotel([ROME], cut=cut)
    (asked,) = (await hotel.talk.send("Book")).interrupts
    hotel.raises = [RuntimeError("down")]
    run = await hotel.talk.go(approved(asked.id))
    in_order(run)
    assert run.of(RunErrorEvent) == []
    assert len(whole(run.events)) == 1


async def test_two_runs_of_the_graph_are_told_as_one() -> None:
    hotel = Hotel([ROME], "Not booked.", "A joke.")
    (asked,) = (await hotel.talk.send("Book")).interrupts
    hotel.talk.say("A joke")
    run = await hotel.talk.go(cancelled(asked.id))
    in_order(run)
    assert "".join(event.delta for event in run.of(TextMessageContentEvent)) == "Not booked.A joke."


async def test_a_node_that_raises_in_a_fresh_run_is_an_error_with_the_state_before_it() -> None:
    hotel = Hotel(RuntimeError("no key"))
    run = await hotel.talk.send("Hi")
    in_order(run)
    assert run.error.message == "no key"
    run = await hotel.talk.go()
    assert "".join(event.delta for event in run.of(TextMessageContentEvent)) == "Done."
    assert hotel.model.kinds == ["human"]


async def test_a_thousand_messages_do_not_travel_where_they_are_known() -> None:
    hotel = Hotel(*(["Fine."] * 600), [ROME])
    talk = hotel.talk
    for place in range(600):
        talk.messages.append(UserMessage(id=f"old-{place}", content=f"Say {place}"))
        talk.messages.append(AssistantMessage(id=f"said-{place}", content="Fine."))
    run = await talk.send("Book")
    (asked,) = run.interrupts
    assert whole(run.events) == []
    run = await talk.go(approved(asked.id))
    assert whole(run.events) == []
    assert hotel.booked == [ROME[1]]
    assert len(hotel.model.saw[-1]) == 1203


async def test_a_short_thread_is_told_whole_before_each_pause() -> None:
    hotel = Hotel([ROME], [OSLO])
    run = await hotel.talk.send("Book")
    (first,) = whole(run.events)
    assert [message.role for message in first.messages] == ["user", "assistant"]
    run = await hotel.talk.go(approved(run.interrupts[0].id))
    (second,) = whole(run.events)
    assert [message.role for message in second.messages] == ["user", "assistant", "tool", "assistant"]
    told = second.messages[2]
    assert isinstance(told, ToolMessage)
    assert told.id in {event.message_id for event in run.events if hasattr(event, "content")}


async def test_a_history_from_elsewhere_is_given_to_an_empty_graph_once() -> None:
    hotel = Hotel("unused", "Hello again.")
    hotel.talk.messages = [
        UserMessage(id="u1", content="Hi"),
        AssistantMessage(id="a1", content="Hello."),
    ]
    await hotel.talk.send("Again")
    assert hotel.model.kinds == ["human", "ai", "human"]
    await hotel.talk.send("And again")
    assert hotel.model.kinds == ["human", "ai", "human", "ai", "human"]


async def test_what_a_graph_has_forgotten_is_not_told_it_again() -> None:
    seen: list[list[str]] = []

    def forget(state: Any) -> Any:
        from langchain_core.messages import RemoveMessage

        seen.append([str(message.content) for message in state["messages"]])
        old = state["messages"][:-1]
        return {"messages": [*(RemoveMessage(id=str(one.id)) for one in old), AIMessage("Yes.")]}

    builder = StateGraph(MessagesState)
    builder.add_node("forget", forget)
    builder.add_edge(START, "forget")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    for text in ("One", "Two", "Three"):
        talk.say(text)
        run = await talk.give(talk.input(), keep=False)
        talk.messages.append(AssistantMessage(id=f"shown-{text}", content="Yes."))
        in_order(run)
    assert seen == [["One"], ["One", "Yes.", "Two"], ["Two", "Yes.", "Three"]]


class Days(MessagesState):
    day: date
    nested: dict[str, Any]


async def test_live_objects_in_the_state_are_told_as_json() -> None:
    def act(state: Any) -> Any:
        interrupt({"message": "Fine?", "when": date(2030, 1, 2), "said": HumanMessage("x", id="h")})
        return {}

    def first(state: Any) -> Any:
        return {"day": date(2030, 1, 1), "nested": {"config": {"a": (1, 2)}, "runtime": "kept"}}

    builder = StateGraph(Days)
    builder.add_node("first", first)
    builder.add_node("act", act)
    builder.add_edge(START, "first")
    builder.add_edge("first", "act")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    run = await talk.send("Hi")
    in_order(run)
    assert run.of(StateSnapshotEvent)[-1].snapshot == {
        "day": "2030-01-01",
        "nested": {"config": {"a": [1, 2]}, "runtime": "kept"},
    }
    assert run.interrupts[0].metadata is not None
    assert run.interrupts[0].metadata["payload"]["when"] == "2030-01-02"


async def test_a_failed_tool_is_marked_and_a_refusal_is_not() -> None:
    def act(state: Any) -> Any:
        return {
            "messages": [
                GraphToolMessage(content="no room", tool_call_id=call["id"], status="error")
                for call in state["messages"][-1].tool_calls
            ]
        }

    model = Hotel([ROME]).model

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda state: "act" if state["messages"][-1].tool_calls else END)
    builder.add_edge("act", "agent")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    run = await talk.send("Book")
    in_order(run)
    (result,) = [event for event in run.events if getattr(event, "tool_call_id", "") and event.metadata]
    assert result.metadata == {"error": "no room"}


def legacy(*values: Any, flag: bool = True) -> tuple[GraphTalk, list[Any]]:
    got: list[Any] = []

    async def ask(state: Any) -> Any:
        got.append(len(state["messages"]))
        for value in values:
            await adispatch_custom_event("on_interrupt", value)
        return {"messages": [("ai", "asked")]}

    builder = StateGraph(MessagesState)
    builder.add_node("ask", ask)
    builder.add_edge(START, "ask")
    graph = builder.compile(checkpointer=InMemorySaver())
    return GraphTalk(LangGraphAGUIAgent(graph, legacy_interrupts=flag)), got


async def test_an_interrupt_of_the_older_kind_becomes_a_standard_one_where_it_is_wanted() -> None:
    talk, got = legacy(json.dumps({"message": "Sure?", "reason": "confirm"}))
    run = await talk.send("Hi")
    in_order(run)
    (asked,) = run.interrupts
    assert (asked.reason, asked.message) == ("confirm", "Sure?")
    assert run.of(CustomEvent) == []
    assert (await talk.go(resolved(asked.id, {"yes": True}))).outcome.type == "success"
    talk, got = legacy("Sure?", flag=False)
    assert (await talk.send("Hi")).outcome.type == "success"
    assert len(got) == 1


async def test_cancelling_an_interrupt_of_the_older_kind_resumes_nothing() -> None:
    talk, got = legacy("Sure?")
    (asked,) = (await talk.send("Hi")).interrupts
    run = await talk.go(cancelled(asked.id))
    assert run.outcome.type == "success"
    assert len(got) == 1


async def test_several_interrupts_of_the_older_kind_are_a_clear_error() -> None:
    talk, _ = legacy("One?", "Two?")
    one, two = (await talk.send("Hi")).interrupts
    run = await talk.go(resolved(one.id, 1), resolved(two.id, 2))
    assert run.error.code == "several_legacy"
    assert "one by one" in run.error.message


async def test_a_standard_interrupt_wins_over_one_of_the_older_kind() -> None:
    question = Question("Anything?", legacy=True)
    (asked,) = (await question.talk.send("Hi")).interrupts
    assert len(asked.id) == 32
    await question.talk.go(resolved(asked.id, "yes"))
    assert question.got == {"ask0": "yes"}
