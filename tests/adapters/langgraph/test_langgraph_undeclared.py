"""Nothing depends on what this process has seen: what is known of a thread is learnt from its checkpoints."""

from __future__ import annotations

import asyncio
import inspect
import sqlite3
import threading
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.func import entrypoint
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.types import Send, interrupt

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.adapters.langgraph.saver import ThreadedSaver
from reflex_agentkit.agents.lanes import Lanes
from tests.adapters.langgraph.scripted import ROME, GraphTalk, Hotel, Question
from tests.adapters.talk import approved, resolved


class Below:
    """A graph whose node calls another one, which no graph lists, and whose node asks twice."""

    def __init__(self, kind: str, saver: Any) -> None:
        self.got: list[Any] = []
        # Held in a list: LangGraph looks for graphs in what a function closes over.
        below = [{"nodes": self._nodes, "sent": self._sent, "function": self._function}[kind]()]

        async def call(state: Any) -> Any:
            await below[0].ainvoke({"messages": []})
            return {}

        builder: Any = StateGraph(MessagesState)
        builder.add_node("caller", call)
        builder.add_edge(START, "caller")
        self.agent = LangGraphAGUIAgent(builder.compile(checkpointer=saver))

    def ask(self, _: Any) -> Any:
        first = interrupt("How many?")
        second = interrupt("And for whom?")
        self.got.append((int(first), str(second).upper() if second != "nobody" else int(second)))
        return {}

    def _nodes(self) -> Any:
        builder: Any = StateGraph(MessagesState)
        builder.add_node("before", lambda state: {})
        builder.add_node("a node of its own", self.ask)
        builder.add_edge(START, "before")
        builder.add_edge("before", "a node of its own")
        return builder.compile()

    def _sent(self) -> Any:
        builder: Any = StateGraph(MessagesState)
        builder.add_node("before", lambda state: {})
        builder.add_node("sent to", self.ask)
        builder.add_edge(START, "before")
        builder.add_conditional_edges("before", lambda state: [Send("sent to", state)], ["sent to", END])
        return builder.compile()

    def _function(self) -> Any:
        @entrypoint()
        def flow(state: Any) -> Any:
            return self.ask(state)

        return flow


PATHS = {"nodes": ["a node of its own"], "sent": ["sent to"], "function": []}


@pytest.mark.parametrize("kind", ["nodes", "sent", "function"])
async def test_an_agent_that_never_saw_the_thread_finds_what_a_graph_below_asked(
    kind: str,
) -> None:
    saver = InMemorySaver()
    got: list[Any] = []
    messages: list[Any] = []

    def talk() -> GraphTalk:
        below = Below(kind, saver)
        below.got = got
        after = GraphTalk(below.agent)
        after.messages = messages
        return after

    async def go(*resume: Any) -> Any:
        nonlocal messages
        again = talk()
        run = await (again.go(*resume) if resume else again.send("Hi"))
        messages = again.messages
        return run.interrupts[0] if run.outcome.type == "interrupt" else None

    how_many = await go()
    assert how_many.metadata["path"] == ["caller", *PATHS[kind]]
    whom = await go(resolved(how_many.id, "2"))
    assert whom.message == "And for whom?"
    again = await go(resolved(whom.id, "nobody"))
    assert "invalid literal" in again.message
    assert await go(resolved(again.id, "ann")) is None
    assert got == [(2, "ANN")]


async def test_a_run_changes_nothing_of_its_agent(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "graph.db", check_same_thread=False)
    try:
        hotel = Hotel([ROME], saver=SqliteSaver(connection))
        before = dict(vars(hotel.agent._setup.graph)), set(hotel.agent._setup.names)
        (asked,) = (await hotel.talk.send("Book")).interrupts
        await hotel.talk.go(approved(asked.id))
        assert (dict(vars(hotel.agent._setup.graph)), set(hotel.agent._setup.names)) == before
        assert hotel.booked == [ROME[1]]
    finally:
        connection.close()


async def test_one_agent_serves_threads_on_several_loops_at_once() -> None:
    question = Question("Who are you?")
    errors: list[BaseException] = []

    async def one(number: int) -> None:
        talk = GraphTalk(question.agent, thread_id=f"thread-{number % 3}")
        await talk.send(f"I am {number}")

    def on_a_loop_of_its_own(start: int) -> None:
        async def all_of_them() -> None:
            await asyncio.gather(*(one(number) for number in range(start, start + 6)))

        try:
            asyncio.run(all_of_them())
        except BaseException as error:
            errors.append(error)

    threads = [threading.Thread(target=on_a_loop_of_its_own, args=(start,)) for start in (0, 6, 12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert errors == []


async def test_a_lane_lets_one_through_at_a_time_and_is_forgotten() -> None:
    lanes = Lanes()
    order: list[str] = []
    inside, go_on = asyncio.Event(), asyncio.Event()

    async def pass_by(name: str, *, wait: bool = False) -> None:
        async with lanes.of("t"):
            order.append(f"{name} in")
            inside.set()
            if wait:
                await go_on.wait()
            order.append(f"{name} out")

    first = asyncio.create_task(pass_by("first", wait=True))
    second = asyncio.create_task(pass_by("second"))
    third = asyncio.create_task(pass_by("third"))
    await inside.wait()
    second.cancel()
    async with lanes.of("another"):
        order.append("elsewhere")
    go_on.set()
    await asyncio.gather(first, second, third, return_exceptions=True)
    assert order == ["first in", "elsewhere", "first out", "third in", "third out"]
    assert lanes._lanes == {}


async def test_a_lane_passes_from_loop_to_loop() -> None:
    lanes = Lanes()
    inside = 0
    most = 0

    async def pass_by() -> None:
        nonlocal inside, most
        async with lanes.of("t"):
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1

    async def many() -> None:
        await asyncio.gather(*(pass_by() for _ in range(20)))

    threads = [threading.Thread(target=asyncio.run, args=(many(),)) for _ in range(4)]
    for thread in threads:
        thread.start()
    await many()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    assert (most, inside, lanes._lanes) == (1, 0, {})


def test_a_checkpointer_in_a_thread_hands_on_every_call_that_a_checkpointer_has() -> None:
    # `get` and `aget` are made of `get_tuple` and `aget_tuple` by the base class.
    public = {name for name, _ in inspect.getmembers(BaseCheckpointSaver) if not name.startswith("_")}
    assert public - set(vars(ThreadedSaver)) - {"get", "aget", "serde"} == set()


async def test_a_checkpointer_in_a_thread_keeps_and_gives_what_the_other_does(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "graph.db", check_same_thread=False)
    try:
        inner = SqliteSaver(connection)
        hotel = Hotel([ROME], saver=inner)
        await hotel.talk.send("Book")
        saver = ThreadedSaver(inner)
        config: Any = {"configurable": {"thread_id": "thread-1", "checkpoint_ns": ""}}
        assert saver.get_tuple(config) == await saver.aget_tuple(config) == inner.get_tuple(config)
        listed = [one async for one in saver.alist(config, limit=2)]
        assert listed == [*saver.list(config, limit=2)]
        assert len(listed) == 2
        head: Any = saver.get_tuple(config)
        history = saver.get_delta_channel_history(config=head.config, channels=["messages"])
        assert history == await saver.aget_delta_channel_history(config=head.config, channels=["messages"])
        assert isinstance(saver.with_allowlist([]), ThreadedSaver)
        await saver.adelete_thread("thread-1")
        assert saver.get_tuple(config) is None
    finally:
        connection.close()


class CountingSaver(InMemorySaver):
    reads = 0

    async def aget_tuple(self, config: Any) -> Any:
        self.reads += 1
        return await super().aget_tuple(config)


async def test_an_answer_that_nobody_asked_for_does_not_read_a_whole_history(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("reflex_agentkit.adapters.langgraph.thread.LOOK_BACK", 20)
    saver = CountingSaver()
    question = Question("Who are you?", saver=saver)
    for number in range(20):
        (asked,) = (await question.talk.send(f"Hi {number}")).interrupts
        await question.talk.go(resolved(asked.id, number))
    saver.reads = 0
    run = await question.talk.go(resolved("0" * 32, "?"))
    assert run.error.code == "unknown_interrupt"
    assert saver.reads < 40


async def test_an_answer_of_the_turn_before_is_still_known() -> None:
    question = Question("Who are you?")
    (asked,) = (await question.talk.send("Hi")).interrupts
    await question.talk.go(resolved(asked.id, 1))
    await question.talk.send("Hi again")
    run = await question.talk.go(resolved(asked.id, 1))
    assert [one.message for one in run.interrupts] == ["Who are you?"]
