"""What a graph must be like, what is shared by runs, where checkpoints may lie."""

from __future__ import annotations

import asyncio
import importlib
import sqlite3
import sys
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import START, StateGraph

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent
from reflex_agentkit.errors import AdapterNotInstalledError, ConfigurationError
from tests.adapters.langgraph.scripted import OSLO, ROME, Asked, GraphTalk, Hotel, Question
from tests.adapters.talk import approved, refused, resolved


def test_f30_a_graph_without_a_checkpointer_is_refused_when_the_agent_is_built() -> None:
    builder = StateGraph(Asked)
    builder.add_node("one", lambda state: {})
    builder.add_edge(START, "one")
    with pytest.raises(ConfigurationError, match="checkpointer=InMemorySaver"):
        LangGraphAGUIAgent(builder.compile())
    with pytest.raises(ConfigurationError, match="compile"):
        LangGraphAGUIAgent(builder)  # pyright: ignore[reportArgumentType]
    with pytest.raises(ConfigurationError, match="str"):
        LangGraphAGUIAgent("graph")  # pyright: ignore[reportArgumentType]


def test_a_missing_framework_is_an_adapter_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = "reflex_agentkit.adapters.langgraph"
    for name in [name for name in sys.modules if name.startswith(adapter)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "ag_ui_langgraph", None)
    with pytest.raises(AdapterNotInstalledError, match=r'^pip install "reflex-agentkit\[langgraph\]"$'):
        importlib.import_module(adapter)


async def test_a_hundred_threads_at_once_are_not_mixed_up() -> None:
    question = Question("Who are you?")

    async def one(number: int) -> None:
        talk = GraphTalk(question.agent, thread_id=f"thread-{number}")
        (interrupt,) = (await talk.send(f"I am {number}")).interrupts
        run = await talk.go(resolved(interrupt.id, number))
        assert {event.thread_id for event in (run.events[0], run.events[-1])} == {talk.thread_id}
        values = await question.values(talk.thread_id)
        assert values["answers"] == [number]
        assert [message.content for message in values["messages"]] == [f"I am {number}"]

    await asyncio.gather(*(one(number) for number in range(100)))


async def exercise(hotel: Hotel) -> None:
    """Pause, approve with an edit, pause again, fail, refuse: through whichever checkpointer."""
    (one,) = (await hotel.talk.send("Book")).interrupts
    (two,) = (await hotel.talk.go(approved(one.id, editedArgs={"city": "Rome", "nights": 5}))).interrupts
    hotel.raises = [RuntimeError("down")]
    (again,) = (await hotel.talk.go(approved(two.id))).interrupts
    assert again.metadata is not None
    assert "down" in again.metadata["error"]
    run = await hotel.talk.go(refused(again.id))
    assert run.outcome.type == "success"
    assert hotel.booked == [{"city": "Rome", "nights": 5}, OSLO[1]]
    replayed = await hotel.talk.go(approved(one.id), keep=False)
    assert replayed.outcome.type == "success"
    assert len(hotel.booked) == 2


@pytest.mark.parametrize("sync", [False, True])
async def test_checkpoints_in_a_sqlite_file_by_its_asynchronous_saver(tmp_path: Path, sync: bool) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "graph.db")) as saver:
        await exercise(Hotel([ROME], [OSLO], saver=saver, sync=sync))


@pytest.mark.parametrize("sync", [False, True])
async def test_checkpoints_in_a_sqlite_file_by_its_synchronous_saver(tmp_path: Path, sync: bool) -> None:
    connection = sqlite3.connect(tmp_path / "graph.db", check_same_thread=False)
    try:
        await exercise(Hotel([ROME], [OSLO], saver=SqliteSaver(connection), sync=sync))
    finally:
        connection.close()


async def test_a_paused_thread_outlives_the_process(tmp_path: Path) -> None:
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "graph.db")) as saver:
        first = Hotel([ROME], saver=saver)
        (interrupt,) = (await first.talk.send("Book")).interrupts
        messages: list[Any] = first.talk.messages
    async with AsyncSqliteSaver.from_conn_string(str(tmp_path / "graph.db")) as saver:
        second = Hotel([ROME], saver=saver)
        second.talk.messages = messages
        run = await second.talk.go(approved(interrupt.id))
        assert run.results == {"call-1a": "Booked 2 nights in Rome."}
        assert second.booked == [ROME[1]]
