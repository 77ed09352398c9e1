"""Several calls in one message, and a node that takes only the first: the others are told as not run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from ag_ui.core import Tool
from ag_ui.core import ToolMessage as WireToolMessage
from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.graph.message import add_messages
from typing_extensions import TypedDict

from reflex_agentkit.adapters._notice import left_out
from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.protocol.verdicts import Approve
from tests.adapters.langgraph.scripted import OSLO, ROME, GraphTalk, assert_answered, model_of
from tests.adapters.talk import approved


class Replaced(TypedDict):
    messages: list[AnyMessage]


class OnlyTheFirst:
    """Asks about the first call of a message, and goes on to the model. `asks` about the second first."""

    def __init__(self, *lines: Any, saver: Any = None, both: bool = False) -> None:
        self.ran: list[str] = []
        self.model = model_of(*lines)

        async def agent(state: Any) -> Any:
            return {"messages": [await self.model.ainvoke(state["messages"])]}

        def act(state: Any) -> Any:
            call = state["messages"][-1].tool_calls[0]
            decision = request_tool_approval(call["id"], call["name"], call["args"])
            if decision.approved:
                self.ran.append(decision.args["city"])
            return {"messages": [ToolMessage(content="Booked.", tool_call_id=call["id"])]}

        def second(state: Any) -> Any:
            call = state["messages"][-1].tool_calls[1]
            if request_tool_approval(call["id"], call["name"], call["args"]).approved:
                self.ran.append(call["args"]["city"])
            return {}

        builder: Any = StateGraph(MessagesState)
        builder.add_node("agent", agent)
        builder.add_node("act", act)
        builder.add_node("second", second)
        builder.add_edge(START, "agent")
        after = "second" if both else "act"
        builder.add_conditional_edges("agent", lambda s: after if s["messages"][-1].tool_calls else END)
        builder.add_edge("second", "act")
        builder.add_edge("act", "agent")
        self.graph = builder.compile(checkpointer=saver or InMemorySaver())
        self.agent = LangGraphAGUIAgent(self.graph)
        self.talk = GraphTalk(self.agent)


async def test_a_call_that_nobody_was_asked_about_is_told_as_not_run(make_kit: Any) -> None:
    graph = OnlyTheFirst([ROME, OSLO], "Fine.", "Again?")
    kit = await make_kit(graph.agent)
    await kit.send("t", "Book both")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "idle"
    assert len(graph.model.saw) == 2, "the call that was left out is no reason for another turn"
    calls = (await kit.conversation("t")).messages[1].tool_calls
    assert [call.result for call in calls] == ["Booked.", left_out()]
    await kit.send("t", "And now?")
    assert await kit.wait("t") == "idle"
    assert graph.model.kinds == ["human", "ai", "tool", "tool", "ai", "human"]
    assert_answered(graph.model.saw[-1])
    assert graph.model.saw[-1][3].content == left_out()
    assert graph.ran == ["Rome"]
    assert len(graph.model.saw) == 3


@pytest.mark.parametrize("keep", [True, False])
async def test_wire_the_result_stands_behind_its_call_whether_or_not_it_comes_back(
    tmp_path: Path, keep: bool
) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "graph.db")) as saver:
        graph = OnlyTheFirst([ROME, OSLO], "Fine.", "Again?", saver=saver)
        (asked,) = (await graph.talk.send("Book both")).interrupts
        run = await graph.talk.go(approved(asked.id))
        assert run.results == {"call-1a": "Booked.", "call-1b": left_out()}
        if not keep:
            graph.talk.messages = [
                one for one in graph.talk.messages if getattr(one, "tool_call_id", "") != "call-1b"
            ]
        run = await graph.talk.send("And now?")
        assert run.outcome.type == "success"
        assert graph.model.kinds == ["human", "ai", "tool", "tool", "ai", "human"]
        assert_answered(graph.model.saw[-1])
        assert graph.ran == ["Rome"]
        await graph.talk.send("Once more")
        assert_answered(graph.model.saw[-1])
        assert graph.model.kinds.count("tool") == 2


async def test_wire_a_call_that_was_asked_about_is_not_told_as_not_run() -> None:
    graph = OnlyTheFirst([ROME, OSLO], "Fine.", "Again?", both=True)
    (second,) = (await graph.talk.send("Book both")).interrupts
    assert second.tool_call_id == "call-1b"
    (first,) = (await graph.talk.go(approved(second.id))).interrupts
    run = await graph.talk.go(approved(first.id))
    assert run.outcome.type == "success"
    assert graph.ran == ["Oslo", "Rome"]
    assert "call-1b" not in run.results
    await graph.talk.send("And now?")
    assert_answered(graph.model.saw[-1])
    assert "may or may not" in str(graph.model.saw[-1][3].content)


async def test_a_call_of_a_clients_tool_is_left_for_the_client() -> None:
    graph = OnlyTheFirst([ROME, ("colour", {})], "Fine.", "Nice.")
    graph.talk.tools = [Tool(name="colour", description="Ask the page.", parameters={})]
    (asked,) = (await graph.talk.send("Book")).interrupts
    run = await graph.talk.go(approved(asked.id))
    assert run.results == {"call-1a": "Booked."}
    graph.talk.messages.append(WireToolMessage(id="page", tool_call_id="call-1b", content="blue"))
    await graph.talk.send("And now?")
    assert_answered(graph.model.saw[-1])
    assert graph.model.saw[-1][3].content == "blue"


@pytest.mark.parametrize(("state", "told"), [(Replaced, 1), (MessagesState, 5)])
async def test_results_are_put_in_only_where_the_graph_lets_its_messages_be_written_anew(
    state: Any, told: int
) -> None:
    model = model_of([("look", {})], "Later.", "Yes?")

    async def agent(values: Any) -> Any:
        said = [await model.ainvoke(values["messages"])]
        if said[0].tool_calls:
            said.append(await model.ainvoke([*values["messages"], *said]))
        return {"messages": said if state is MessagesState else [*values["messages"], *said]}

    builder: Any = StateGraph(state)
    builder.add_node("agent", agent)
    builder.add_edge(START, "agent")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    assert (await talk.send("Hi")).results == {"call-1a": left_out()}
    seen = len(model.saw)
    run = await talk.send("And?")
    assert run.outcome.type == "success"
    assert len(model.saw[seen]) == told


def test_results_are_put_behind_the_results_of_the_same_message() -> None:
    from reflex_agentkit.adapters.langgraph.news import mended

    calls: Any = [{"id": one, "name": "look", "args": {}} for one in ("a", "b")]
    messages = add_messages(  # pyright: ignore[reportUnknownVariableType]
        [], [AIMessage("", tool_calls=calls), ToolMessage("A", tool_call_id="a"), AIMessage("Fine.")]
    )
    whole = mended(messages, {"b": ToolMessage("B", tool_call_id="b")})  # pyright: ignore
    assert [one.content for one in whole] == ["", "A", "B", "Fine."]
