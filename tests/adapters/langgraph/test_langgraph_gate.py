"""The gate: what was approved is what is released, once; a stopped call does not run."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import ToolCallResultEvent
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, MessagesState, StateGraph

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.agents.gate import current_answer, use_gate
from reflex_agentkit.protocol.verdicts import Approve
from tests.adapters.langgraph.scripted import OSLO, ROME, GraphTalk, Hotel, model_of
from tests.adapters.talk import CountingGate, approved, cancelled, refused


@pytest.fixture(autouse=True)
def used(gate: CountingGate) -> None:
    use_gate(gate)


async def test_it_is_asked_before_an_answer_is_handed_out_and_told_when_the_step_is_stored(
    gate: CountingGate,
) -> None:
    use_gate(gate)
    hotel = Hotel([ROME])
    (asked,) = (await hotel.talk.send("Book")).interrupts
    assert gate.begun == []
    edited = {"city": "Rome", "nights": 5}
    run = await hotel.talk.go(approved(asked.id, editedArgs=edited))
    assert gate.begun == [("call-1a", "book_hotel", edited)]
    assert gate.finished == run.results
    assert hotel.answers[0] is not None
    assert hotel.answers[0].idempotency_key == "key-call-1a"


async def test_it_is_not_asked_about_what_does_not_run(gate: CountingGate) -> None:
    use_gate(gate)
    hotel = Hotel([ROME, OSLO])
    one, two = (await hotel.talk.send("Book")).interrupts
    await hotel.talk.go(refused(one.id), cancelled(two.id))
    assert (gate.begun, gate.finished, gate.broken) == ([], {}, {})


async def test_a_stopped_call_is_asked_about_again_and_the_other_runs(gate: CountingGate) -> None:
    use_gate(gate)
    gate.stop = {"call-1a"}
    hotel = Hotel([ROME, OSLO])
    one, two = (await hotel.talk.send("Book")).interrupts
    (again,) = (await hotel.talk.go(approved(one.id), approved(two.id))).interrupts
    assert again.tool_call_id == "call-1a"
    assert "not covered" in (again.message or "")
    assert "perhaps" not in (again.message or "")
    assert hotel.booked == [OSLO[1]]
    run = await hotel.talk.go(refused(again.id))
    assert run.outcome.type == "success"
    assert hotel.booked == [OSLO[1]]


async def test_a_gate_that_cannot_be_asked_says_no_and_the_answer_still_counts(gate: CountingGate) -> None:
    class Lost(CountingGate):
        async def begin(self, *_: Any) -> Any:
            raise ConnectionError("the database is gone")

    use_gate(Lost())
    hotel = Hotel([ROME])
    (asked,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(asked.id), keep=False)
    assert "database" in run.error.message
    assert hotel.booked == []
    use_gate(gate)
    await hotel.talk.go(approved(asked.id))
    assert hotel.booked == [ROME[1]]


async def test_a_step_that_failed_is_noted(gate: CountingGate) -> None:
    use_gate(gate)
    hotel = Hotel([ROME])
    hotel.raises = [RuntimeError("down")]
    (asked,) = (await hotel.talk.send("Book")).interrupts
    await hotel.talk.go(approved(asked.id))
    assert gate.broken == {"call-1a": "RuntimeError: down"}


def mail(body: Any) -> GraphTalk:
    graph = create_agent(
        model_of([("send", {"to": "ann"})]),
        tools=[body],
        checkpointer=InMemorySaver(),
        middleware=[HumanInTheLoopMiddleware(interrupt_on={"send": True})],
    )
    return GraphTalk(LangGraphAGUIAgent(graph))


async def test_a_tool_that_langchain_runs_is_stopped_where_it_starts(gate: CountingGate) -> None:
    use_gate(gate)
    sent: list[str] = []

    @tool
    def send(to: str) -> str:
        """Send."""
        sent.append(to)
        return "sent"

    gate.stop = {"call-1a"}
    talk = mail(send)
    (asked,) = (await talk.send("Mail")).interrupts
    run = await talk.go(approved(asked.id))
    assert run.error.code == "gate"
    assert (sent, run.results) == ([], {})


async def test_a_tool_that_raises_under_langchain_gets_its_failure_as_the_result(gate: CountingGate) -> None:
    use_gate(gate)

    @tool
    async def send(to: str) -> str:
        """Send."""
        assert current_answer() is not None
        raise RuntimeError("mail server down")

    talk = mail(send)
    (asked,) = (await talk.send("Mail")).interrupts
    run = await talk.go(approved(asked.id))
    assert run.error.message == "mail server down"
    (result,) = run.of(ToolCallResultEvent)
    assert result.metadata == {"error": "RuntimeError: mail server down"}
    assert gate.broken == {"call-1a": "RuntimeError: mail server down"}
    run = await talk.go(approved(asked.id))
    assert run.outcome.type == "success"
    assert len(gate.begun) == 1


@pytest.mark.parametrize(("sync", "ran"), [(True, ["ann"]), (False, [])])
async def test_a_tool_that_a_node_invokes_is_gated_in_a_thread_and_refused_on_the_loop(
    gate: CountingGate, sync: bool, ran: list[str]
) -> None:
    use_gate(gate)
    sent: list[str] = []
    model = model_of([("send", {"to": "ann"})])

    @tool
    def send(to: str) -> str:
        """Send."""
        sent.append(to)
        return "sent"

    def act(state: Any) -> Any:
        return {"messages": [send.invoke(call) for call in state["messages"][-1].tool_calls]}

    async def act_on_the_loop(state: Any) -> Any:
        return act(state)

    async def agent(state: Any) -> Any:
        return {"messages": [await model.ainvoke(state["messages"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("agent", agent)
    hitl = HumanInTheLoopMiddleware(interrupt_on={"send": True})
    builder.add_node("review", lambda state, runtime: hitl.after_model(state, runtime) or {})
    builder.add_node("act", act if sync else act_on_the_loop)
    builder.add_edge(START, "agent")
    builder.add_conditional_edges(
        "agent", lambda state: "review" if state["messages"][-1].tool_calls else END
    )
    builder.add_edge("review", "act")
    builder.add_edge("act", "agent")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    (asked,) = (await talk.send("Mail")).interrupts
    await talk.go(approved(asked.id))
    assert sent == ran
    assert [call_id for call_id, _, _ in gate.begun] == (["call-1a"] if sync else [])


async def test_the_kit_keeps_what_a_failed_tool_said(make_kit: Any) -> None:
    @tool
    async def send(to: str) -> str:
        """Send."""
        raise RuntimeError("mail server down")

    kit = await make_kit(mail(send).agent)
    await kit.send("t", "Mail")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Approve(), by="r")
    assert await kit.wait("t") == "error"
    (call,) = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert (call.status, call.error) == ("failed", "RuntimeError: mail server down")
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
