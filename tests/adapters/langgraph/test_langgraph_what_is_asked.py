"""`request_tool_approval` about other arguments than the model's: what is asked is what is shown and runs."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from ag_ui.core import MessagesSnapshotEvent
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from reflex_agentkit.adapters.langgraph import ApprovalDecision, LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.protocol.verdicts import Approve, Reject
from tests.adapters.langgraph.scripted import GraphTalk, assert_answered, model_of
from tests.adapters.talk import approved

MODELS = {"city": "rome"}
ASKED = {"city": "Rome", "nights": 3}
EDITED = {"city": "Oslo", "nights": 1}


class Mending:
    """A graph whose node asks about other arguments than the model proposed, in a graph `below` or not."""

    def __init__(self, args: Callable[[], dict[str, Any]] = lambda: ASKED, *, below: bool = False) -> None:
        self.decisions: list[ApprovalDecision] = []
        self.raises: list[Exception] = []
        self.model = model_of([("book", MODELS)], "Done.")
        self._args = args
        saver = InMemorySaver()
        self.agent = LangGraphAGUIAgent(self._outer(saver) if below else self._graph(saver))
        self.talk = GraphTalk(self.agent)

    def _graph(self, saver: Any) -> Any:
        async def model(state: Any) -> Any:
            return {"messages": [await self.model.ainvoke(state["messages"])]}

        def act(state: Any) -> Any:
            call = state["messages"][-1].tool_calls[0]
            decision = request_tool_approval(call["id"], "book", self._args())
            self.decisions.append(decision)
            if self.raises and decision.approved:
                raise self.raises.pop(0)
            said = decision.tool_result("Booked." if decision.approved else f"No: {decision.reason}")
            return {"messages": [ToolMessage(content=said, tool_call_id=call["id"])]}

        builder: Any = StateGraph(MessagesState)
        builder.add_node("model", model)
        builder.add_node("act", act)
        builder.add_edge(START, "model")
        builder.add_conditional_edges("model", lambda s: "act" if s["messages"][-1].tool_calls else END)
        builder.add_edge("act", "model")
        return builder.compile(checkpointer=saver)

    def _outer(self, saver: Any) -> Any:
        builder: Any = StateGraph(MessagesState)
        builder.add_node("below", self._graph(None))
        builder.add_edge(START, "below")
        return builder.compile(checkpointer=saver)


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("long", [False, True])
@pytest.mark.parametrize(
    ("answer", "args", "edited"), [(Approve(), ASKED, False), (Approve(edited_args=EDITED), EDITED, True)]
)
async def test_s01_a_node_that_mends_the_arguments_asks_about_shows_and_runs_the_same(
    make_kit: Any, monkeypatch: Any, below: bool, long: bool, answer: Approve, args: Any, edited: bool
) -> None:
    if long:  # a thread of which a pause does not tell all messages
        monkeypatch.setattr("reflex_agentkit.adapters.langgraph.outcome.SHORT", 0)
    graph = Mending(below=below)
    kit = await make_kit(graph.agent)
    await kit.send("t", "Book")
    assert await kit.wait("t") == "awaiting_input"
    (pending,) = await kit.pending("t")
    assert (pending.args, pending.metadata["tool_input"]) == (ASKED, ASKED)
    await kit.answer(pending.id, answer, by="ann")
    assert await kit.wait("t") == "idle"
    assert graph.decisions == [ApprovalDecision(approved=True, args=args, edited=edited)]
    (call,) = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert (call.status, call.args_text) == ("done", '{"city": "Rome", "nights": 3}')
    assert_answered(graph.model.saw[-1])
    assert graph.model.saw[-1][1].tool_calls[0]["args"] == MODELS, "the model's own words are left alone"


async def test_a_node_that_raised_asks_again_about_the_same_arguments(make_kit: Any) -> None:
    graph = Mending()
    graph.raises = [RuntimeError("down")]
    kit = await make_kit(graph.agent)
    await kit.send("t", "Book")
    for answer in (Approve(), Reject("no")):
        assert await kit.wait("t") == "awaiting_input"
        (pending,) = await kit.pending("t")
        assert pending.args == ASKED
        await kit.answer(pending.id, answer, by="ann")
    assert await kit.wait("t") == "idle"
    assert [one.approved for one in graph.decisions] == [True, False]


async def test_a_node_that_makes_its_arguments_anew_gets_those_that_were_approved(make_kit: Any) -> None:
    numbers = itertools.count(1)
    graph = Mending(lambda: {"city": "Rome", "number": next(numbers)})
    kit = await make_kit(graph.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert pending.args == {"city": "Rome", "number": 1}
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "idle"
    assert next(numbers) == 3, "the node began again"
    assert graph.decisions == [ApprovalDecision(approved=True, args={"city": "Rome", "number": 1})]


@pytest.mark.parametrize("edits", [None, {"day": "2026-05-01"}])
async def test_a_node_gets_its_own_values_back_where_they_were_approved(make_kit: Any, edits: Any) -> None:
    graph = Mending(lambda: {"day": date(2026, 5, 1)})
    kit = await make_kit(graph.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    assert pending.args == {"day": "2026-05-01"}
    await kit.answer(pending.id, Approve(edited_args=edits), by="ann")
    assert await kit.wait("t") == "idle"
    assert graph.decisions == [ApprovalDecision(approved=True, args={"day": date(2026, 5, 1)})]


async def test_wire_the_snapshot_before_the_pause_says_the_call_as_it_is_asked_and_later_runs_are_quiet() -> (
    None
):
    graph = Mending()
    run = await graph.talk.send("Book")
    (asked,) = run.interrupts
    (snapshot,) = run.of(MessagesSnapshotEvent)
    assert snapshot.messages[-1].tool_calls[0].function.arguments == '{"city": "Rome", "nights": 3}'
    await graph.talk.go(approved(asked.id))
    assert [one.args for one in graph.decisions] == [ASKED]
    graph.talk.messages[1].tool_calls[0].function.arguments = '{"city": "Rome", "nights": 3}'
    run = await graph.talk.send("Thanks")
    assert run.of(MessagesSnapshotEvent) == []


@pytest.mark.parametrize("second", [{"nights": 5}, EDITED, None])
@pytest.mark.parametrize("edits", [None, EDITED])
async def test_a_call_that_a_second_node_asks_about_is_shown_with_what_that_one_asks(
    make_kit: Any, second: dict[str, Any] | None, edits: dict[str, Any] | None
) -> None:
    """Two people have to agree, and the first may have edited."""
    decisions: list[ApprovalDecision] = []
    model = model_of([("book", ASKED)], "Done.")

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    def one(state: Any) -> Any:
        call = state["messages"][-1].tool_calls[0]
        decisions.append(request_tool_approval(call["id"], "book", call["args"]))

    def two(state: Any) -> Any:
        call = state["messages"][-1].tool_calls[0]
        decision = request_tool_approval(call["id"], "book", second or decisions[0].args)
        decisions.append(decision)
        return {"messages": [ToolMessage(content=decision.tool_result("ok"), tool_call_id=call["id"])]}

    builder: Any = StateGraph(MessagesState)
    for node in (agent, one, two):
        builder.add_node(node.__name__, node)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", lambda s: "one" if s["messages"][-1].tool_calls else END)
    builder.add_edge("one", "two")
    builder.add_edge("two", "agent")
    kit = await make_kit(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    await kit.send("t", "Book")
    shown: list[Any] = []
    for _ in range(2):
        assert await kit.wait("t") == "awaiting_input"
        (pending,) = await kit.pending("t")
        shown.append(pending.args)
        await kit.answer(pending.id, Approve(edited_args=None if len(shown) > 1 else edits), by="ann")
    assert await kit.wait("t") == "idle"
    first = edits or ASKED
    assert shown == [ASKED, second or first]
    assert [one.args for one in decisions] == [first, second or first]
    assert_answered(model.saw[-1])
    assert len(model.saw) == 2
