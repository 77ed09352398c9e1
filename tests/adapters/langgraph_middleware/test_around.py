"""The middleware elsewhere: another spelling, a sub-agent, tools in threads, calls in one piece."""

from __future__ import annotations

from typing import Any

import pytest
from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.messages import ToolMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.agents.gate import current_answer
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from reflex_agentkit.testing.agent_contract.kit_thread import KitThread
from reflex_agentkit.testing.agent_contract.script import LONGER, OSLO, ROME
from reflex_agentkit.testing.agents import Subject
from tests.adapters.langgraph_subjects import DECISIONS, Mode, SubjectChat, tools_of

MODES = pytest.mark.parametrize("mode", ["batched", "per_call"])


def asks_for_book(mode: Mode) -> HumanInTheLoopMiddleware[Any, Any, Any]:
    return HumanInTheLoopMiddleware(
        interrupt_on={"book": {"allowed_decisions": DECISIONS}}, interrupt_mode=mode
    )


async def test_a_request_in_the_spelling_of_javascript_is_answered_in_it(make_kit: Any) -> None:
    subject = Subject(turns=[[ROME, OSLO]])
    chat = SubjectChat(subject=subject)

    async def model(state: MessagesState) -> Any:
        return {"messages": [await chat.ainvoke(state["messages"])]}

    def review(state: MessagesState) -> Any:
        calls = state["messages"][-1].tool_calls  # type: ignore[union-attr]
        answer = interrupt(
            {
                "actionRequests": [{"name": call["name"], "args": call["args"]} for call in calls],
                "reviewConfigs": [{"allowedDecisions": DECISIONS} for _ in calls],
            }
        )
        subject.hear(answer)
        return {"messages": [ToolMessage("seen", tool_call_id=call["id"]) for call in calls]}

    builder = StateGraph(MessagesState)
    builder.add_node("model", model)
    builder.add_node("review", review)
    builder.add_edge(START, "model")
    builder.add_edge("model", "review")
    graph = builder.compile(checkpointer=InMemorySaver())
    thread = KitThread(await make_kit(LangGraphAGUIAgent(graph)), subject)
    pending = await thread.send()
    assert [(one.kind, one.tool_call_id) for one in pending] == [
        ("approval", "call-1a"),
        ("approval", "call-1b"),
    ]
    edited = {"city": "Oslo", "nights": 9}
    assert await thread.answer(Approve(), Approve(edited_args=edited)) == "idle"
    edit = {"type": "edit", "editedAction": {"name": "book", "args": edited}}
    assert subject.heard == [{"decisions": [{"type": "approve"}, edit]}]


@MODES
@pytest.mark.parametrize(
    ("answer", "runs"),
    [
        (Approve(), [ROME]),
        (Approve(edited_args=LONGER), [("book", LONGER)]),
        (Reject("no"), []),
        (Cancel(), []),
    ],
)
async def test_what_a_sub_agent_asks_is_answered_like_anything_else(
    make_kit: Any, mode: Mode, answer: Any, runs: list[Any]
) -> None:
    inner = Subject(turns=[[ROME]], call_ids="inner")
    clerk = create_agent(SubjectChat(subject=inner), tools=tools_of(inner), middleware=[asks_for_book(mode)])

    @tool
    async def delegate(task: str) -> str:
        """Give a task to the clerk."""
        done = await clerk.ainvoke({"messages": [("user", task)]})
        return done["messages"][-1].text

    subject = Subject(turns=[[("delegate", {"task": "Book a hotel"})]])
    boss = create_agent(SubjectChat(subject=subject), tools=[delegate], checkpointer=InMemorySaver())
    thread = KitThread(await make_kit(LangGraphAGUIAgent(boss)), subject)
    [pending] = await thread.send()
    assert (pending.kind, pending.tool_name, pending.args) == ("approval", *ROME)
    assert pending.tool_call_id == "inner-1a"
    assert await thread.answer(answer) == "idle"
    assert (inner.ran, inner.disorder()) == (runs, [])
    assert subject.told == {"call-1a": "Done."}


@MODES
async def test_a_tool_in_a_thread_has_its_answer_and_is_stopped_at_the_same_gate(
    make_kit: Any, mode: Mode
) -> None:
    subject = Subject(turns=[[ROME], [OSLO]])

    @tool
    def book(city: str, nights: int) -> str:
        """Book a hotel."""
        subject.ran.append(("book", {"city": city, "nights": nights}))
        subject.answers.append(current_answer())
        return "Booked."

    graph = create_agent(
        SubjectChat(subject=subject),
        tools=[book],
        checkpointer=InMemorySaver(),
        middleware=[asks_for_book(mode)],
    )
    thread = KitThread(await make_kit(LangGraphAGUIAgent(graph)), subject)
    await thread.send()
    await thread.answer(Approve(extra={"chosen_time": "10:00"}))
    await thread.answer(Reject())
    assert subject.ran == [ROME]
    [answer] = subject.answers
    assert answer is not None
    assert answer.payload == {"approved": True, "chosen_time": "10:00"}


@MODES
@pytest.mark.parametrize("streams", [True, False])
async def test_a_model_that_gives_its_call_in_one_piece_is_asked_about_too(
    make_kit: Any, mode: Mode, streams: bool
) -> None:
    subject = Subject(turns=[[ROME]])
    chat = SubjectChat(subject=subject, one_piece=True, disable_streaming=not streams)
    graph = create_agent(
        chat, tools=tools_of(subject), checkpointer=InMemorySaver(), middleware=[asks_for_book(mode)]
    )
    thread = KitThread(await make_kit(LangGraphAGUIAgent(graph)), subject)
    [pending] = await thread.send()
    assert (pending.tool_name, pending.args, pending.tool_call_id) == (*ROME, "call-1a")
    assert await thread.answer(Approve()) == "idle"
    assert subject.ran == [ROME]
    assert (await thread.calls())["call-1a"].args_text != ""
