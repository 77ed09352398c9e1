"""`request_tool_approval` inside a tool that LangChain runs: it hears the answer, whatever it is."""

from __future__ import annotations

from typing import Annotated, Any

import pytest
from langchain.agents import create_agent
from langchain_core.tools import InjectedToolCallId, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.agents.gate import use_gate
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Reject
from tests.adapters.langgraph.scripted import GraphTalk, assert_answered, model_of
from tests.adapters.talk import CountingGate, approved, cancelled, refused

ANSWERS = [
    (Approve(), "Booked in Rome.", ["Rome"]),
    (Approve(edited_args={"city": "Oslo"}), "Booked in Oslo.", ["Oslo"]),
    (Reject("too far"), "Not booked: too far", []),
    (Cancel(), "Not booked: cancelled", []),
]


class Desk:
    """A tool that asks by itself, under its own name or under another."""

    def __init__(self, name: str, *lines: Any, node: bool = False) -> None:
        self.ran: list[str] = []
        self.model = model_of(*lines)
        self.graph: Any = self._with_node(name) if node else self._agent(name)
        self.agent = LangGraphAGUIAgent(self.graph)

    def _tools(self, name: str) -> list[Any]:
        @tool
        async def book(city: str, tool_call_id: Annotated[str, InjectedToolCallId]) -> str:
            """Book."""
            decision = request_tool_approval(tool_call_id, name, {"city": city})
            if not decision.approved:
                return f"Not booked: {decision.reason}"
            self.ran.append(decision.args["city"])
            return f"Booked in {decision.args['city']}."

        @tool
        async def ask(question: str) -> str:
            """Ask."""
            return str(interrupt({"message": question}))

        return [book, ask]

    def _agent(self, name: str) -> Any:
        return create_agent(self.model, tools=self._tools(name), checkpointer=InMemorySaver())

    def _with_node(self, name: str) -> Any:
        async def agent(state: Any) -> Any:
            return {"messages": [await self.model.ainvoke(state["messages"])]}

        builder: Any = StateGraph(MessagesState)
        builder.add_node("agent", agent)
        builder.add_node("tools", ToolNode(self._tools(name)))
        builder.add_edge(START, "agent")
        builder.add_conditional_edges("agent", lambda s: "tools" if s["messages"][-1].tool_calls else END)
        builder.add_edge("tools", "agent")
        return builder.compile(checkpointer=InMemorySaver())


@pytest.mark.parametrize(("answer", "told", "ran"), ANSWERS)
@pytest.mark.parametrize("name", ["book", "Book a hotel"])
@pytest.mark.parametrize("node", [True, False])
async def test_a_tool_that_asks_hears_the_answer(
    make_kit: Any, answer: Any, told: str, ran: list[str], name: str, node: bool
) -> None:
    desk = Desk(name, [("book", {"city": "Rome"})], "Bye.", node=node)
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    assert await kit.wait("t") == "awaiting_input"
    (pending,) = await kit.pending("t")
    assert (pending.kind, pending.tool_name) == ("approval", "book")
    await kit.answer(pending.id, answer, by="ann")
    assert await kit.wait("t") == "idle"
    assert desk.ran == ran
    assert desk.model.told[0].startswith(told)
    assert_answered(desk.model.saw[-1])
    assert len(desk.model.saw) == 2


@pytest.mark.parametrize(("answer", "told", "ran"), ANSWERS)
async def test_a_tool_that_asks_beside_one_with_a_question(
    make_kit: Any, answer: Any, told: str, ran: list[str]
) -> None:
    desk = Desk("book", [("book", {"city": "Rome"}), ("ask", {"question": "Sure?"})], "Bye.")
    kit = await make_kit(desk.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    approval, question = await kit.pending("t")
    await kit.answer(approval.id, answer, by="ann")
    await kit.answer(question.id, Answer("yes"), by="ann")
    assert await kit.wait("t") == "idle"
    assert desk.ran == ran
    assert desk.model.told[0].startswith(told)
    assert desk.model.told[1] == "yes"


@pytest.mark.parametrize("entry", [refused, cancelled])
async def test_wire_a_tool_that_asks_hears_a_no(gate: CountingGate, entry: Any) -> None:
    use_gate(gate)
    desk = Desk("Book a hotel", [("book", {"city": "Rome"})], "Bye.")
    talk = GraphTalk(desk.agent)
    (asked,) = (await talk.send("Book")).interrupts
    run = await talk.go(entry(asked.id))
    assert run.outcome.type == "success"
    assert (desk.ran, gate.begun) == ([], [])
    assert run.results["call-1a"].startswith("Not booked")


async def test_the_gate_is_asked_about_the_call_and_not_about_the_name_in_the_question(
    gate: CountingGate,
) -> None:
    use_gate(gate)
    desk = Desk("Book a hotel", [("book", {"city": "Rome"})], "Bye.")
    talk = GraphTalk(desk.agent)
    (asked,) = (await talk.send("Book")).interrupts
    await talk.go(approved(asked.id))
    assert gate.begun == [("call-1a", "book", {"city": "Rome"})]
    assert desk.ran == ["Rome"]
