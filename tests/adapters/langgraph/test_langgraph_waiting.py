"""A message sent with a cancelled pause waits for the end of every pause that follows, and is given once."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import MessagesSnapshotEvent
from langchain_core.messages import AIMessage, RemoveMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.types import interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.protocol.verdicts import Answer, Approve, Reject
from tests.adapters.langgraph.scripted import OSLO, ROME, GraphTalk, Hotel, assert_answered
from tests.adapters.langgraph_middleware.office import Office
from tests.adapters.talk import approved, cancelled

THREAD = "thread-1"


class Desk:
    """Asks a question first where the person says "Book", proposes, and asks again.

    `forget` names a node that drops what the person said.
    """

    def __init__(self, *, saver: Any = None, forget: str = "") -> None:
        self.forget = forget
        builder: Any = StateGraph(MessagesState)
        for node in (self.ask, self.propose, self.act, self.end):
            builder.add_node(node.__name__, node)
        builder.add_edge(START, "ask")
        builder.add_edge("ask", "propose")
        builder.add_edge("propose", "act")
        builder.add_edge("act", "end")
        self.graph: Any = builder.compile(checkpointer=saver or InMemorySaver())
        self.agent = LangGraphAGUIAgent(self.graph)
        self.talk = GraphTalk(self.agent)

    def first(self, state: Any) -> bool:
        return str(state["messages"][-1].content) == "Book"

    def ask(self, state: Any) -> Any:
        if self.first(state):
            interrupt("Which one?")
        return {}

    def propose(self, state: Any) -> Any:
        text = "May I?" if self.first(state) else "Yes."
        return {"messages": [*self.forgotten("propose", state), AIMessage(text)]}

    def act(self, state: Any) -> Any:
        if state["messages"][-1].content == "May I?":
            interrupt({"message": "May I?"})
        return {}

    def end(self, state: Any) -> Any:
        return {"messages": [*self.forgotten("end", state), AIMessage("Done.")]}

    def forgotten(self, node: str, state: Any) -> list[Any]:
        old = [one for one in state["messages"] if one.type == "human"] if self.forget == node else []
        return [RemoveMessage(id=one.id) for one in old]

    async def said(self) -> list[str]:
        """What the person said, as far as the graph was ever given it, in the order of the giving."""
        found: list[str] = []
        states: list[Any] = [
            one async for one in self.graph.aget_state_history({"configurable": {"thread_id": THREAD}})
        ]
        for state in reversed(states):
            held = [str(one.content) for one in state.values.get("messages", ()) if one.type == "human"]
            found += [one for one in held if one not in found]
        return found

    async def given(self, text: str) -> int:
        """How often a text was given: the steps that began with it in their input."""
        states = self.graph.aget_state_history({"configurable": {"thread_id": THREAD}})
        inputs: list[str] = [
            str(write.content)
            async for state in states
            for task in state.tasks
            if task.name == START
            for write in (task.result or {}).get("messages", ())
        ]
        return inputs.count(text)


async def to_the_second_pause(kit: Any) -> None:
    await kit.send(THREAD, "Book")
    assert await kit.wait(THREAD) == "awaiting_input"
    await kit.cancel_and_send(THREAD, "Another")
    assert await kit.wait(THREAD) == "awaiting_input"


async def answer(kit: Any, value: Any) -> str:
    (pending,) = await kit.pending(THREAD)
    await kit.answer(pending.id, value, by="reviewer-1")
    return await kit.wait(THREAD)


@pytest.mark.parametrize("forget", ["", "propose", "end"])
async def test_f23_a_message_waits_for_the_pause_after_the_cancelled_one_and_is_given_once(
    make_kit: Any, forget: str
) -> None:
    desk = Desk(forget=forget)
    kit = await make_kit(desk.agent)
    await to_the_second_pause(kit)
    assert await desk.said() == ["Book"]
    assert await answer(kit, Answer("yes")) == "idle"
    assert await desk.said() == ["Book", "Another"]
    for text in ("Third", "Fourth"):
        await kit.send(THREAD, text)
        assert await kit.wait(THREAD) == "idle"
    assert await desk.said() == ["Book", "Another", "Third", "Fourth"]
    for text in ("Book", "Another", "Third", "Fourth"):
        assert await desk.given(text) == 1


async def test_messages_of_two_cancelled_pauses_are_given_in_order(make_kit: Any) -> None:
    desk = Desk()
    kit = await make_kit(desk.agent)
    await to_the_second_pause(kit)
    await kit.cancel_and_send(THREAD, "And more")
    assert await kit.wait(THREAD) == "idle"
    assert await desk.said() == ["Book", "Another", "And more"]


async def test_another_agent_of_the_same_thread_finds_what_waits() -> None:
    saver = InMemorySaver()
    desk = Desk(saver=saver)
    (question,) = (await desk.talk.send("Book")).interrupts
    desk.talk.say("Another")
    (second,) = (await desk.talk.go(cancelled(question.id))).interrupts
    _as_the_engine_keeps_it(desk.talk)
    later = Desk(saver=saver)
    later.talk.messages = desk.talk.messages
    later.talk.say("Third")
    run = await later.talk.go(cancelled(second.id))
    assert run.outcome.type == "success"
    assert await later.said() == ["Book", "Another", "Third"]


async def test_a_snapshot_at_a_pause_names_what_waits() -> None:
    hotel = Hotel([ROME], [OSLO], [ROME], "Done.")
    (first,) = (await hotel.talk.send("Book")).interrupts
    hotel.talk.say("Another")
    (second,) = (await hotel.talk.go(cancelled(first.id))).interrupts
    _as_the_engine_keeps_it(hotel.talk)
    run = await hotel.talk.go(approved(second.id))
    (third,) = run.interrupts
    for event in run.of(MessagesSnapshotEvent):
        assert [one.content for one in event.messages if one.role == "user"] == ["Book", "Another"]
    await hotel.talk.go(approved(third.id))
    assert [one.content for one in hotel.model.saw[-1] if one.type == "human"] == ["Book", "Another"]
    assert_answered(hotel.model.saw[-1])


@pytest.mark.parametrize("make", [Hotel, Office])
@pytest.mark.parametrize("value", [Approve(), Reject()])
async def test_a_message_with_a_cancelled_approval_waits_for_the_next_one(
    make_kit: Any, make: Any, value: Any
) -> None:
    subject = make([ROME], [OSLO], "Done.", "A joke.", "More.")
    kit = await make_kit(subject.agent)
    await to_the_second_pause(kit)
    assert await answer(kit, value) == "idle"
    await kit.send(THREAD, "Third")
    assert await kit.wait(THREAD) == "idle"
    seen = subject.model.saw[-1]
    assert [one.content for one in seen if one.type == "human"] == ["Book", "Another", "Third"]
    assert_answered(seen)


def _as_the_engine_keeps_it(talk: GraphTalk) -> None:
    """Put what the person said second where it was said: before what the graph said after it."""
    (message,) = [one for one in talk.messages if one.content == "Another"]
    talk.messages.remove(message)
    last = max(place for place, one in enumerate(talk.messages) if one.role == "assistant")
    talk.messages.insert(last, message)
