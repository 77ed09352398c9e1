"""One yes is handed out once, also where LangGraph runs a node again for a later answer."""

from __future__ import annotations

from typing import Any

import pytest
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from tests.adapters.langgraph.scripted import model_of


@pytest.mark.parametrize("second", [Approve(), Reject("no"), Cancel()])
async def test_f07_a_node_that_asks_again_after_an_effect_does_not_repeat_it(
    make_kit: Any, second: Approve | Reject | Cancel
) -> None:
    ran: list[str] = []
    model = model_of([("book", {"city": "Rome"}), ("book", {"city": "Oslo"})], "Done.")

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    def act(state: Any) -> Any:
        results: list[ToolMessage] = []
        for call in state["messages"][-1].tool_calls:
            decision = request_tool_approval(call["id"], call["name"], call["args"])
            if decision.approved:
                ran.append(decision.args["city"])
            said = "Booked." if decision.approved else f"Not booked: {decision.reason}"
            results.append(ToolMessage(content=said, tool_call_id=call["id"]))
        return {"messages": results}

    builder: Any = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    builder.add_node("act", act)
    builder.add_edge(START, "agent")
    builder.add_edge("agent", "act")
    builder.add_edge("act", END)
    kit = await make_kit(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    await kit.send("t", "Book both")
    await kit.wait("t")
    [first] = await kit.pending("t")
    await kit.answer(first.id, Approve(), by="ann")
    assert await kit.wait("t") == "awaiting_input"
    assert ran == ["Rome"]
    [later] = await kit.pending("t")
    await kit.answer(later.id, second, by="ann")
    assert await kit.wait("t") == "idle"
    assert ran == (["Rome", "Oslo"] if isinstance(second, Approve) else ["Rome"])
