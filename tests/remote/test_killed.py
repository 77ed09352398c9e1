"""A remote server that is killed, refuses, or answers twice: nothing runs twice by our doing."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Approve
from tests.remote.serving import Program, program

SERVERS = ["pydantic_ai_server", "langgraph_server"]


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    return tmp_path / "counts"


async def begin(make_kit, server: Program) -> AgentKit:
    """A kit whose thread `t` waits for a yes to a call of `book`."""
    kit = await make_kit(HttpAgent(server.url))
    await kit.send("t", "Book a hotel")
    assert await kit.wait("t") == "awaiting_input"
    return kit


async def say_yes(kit: AgentKit) -> None:
    [pending] = await kit.pending("t")
    assert (pending.kind, pending.tool_name, pending.args) == (
        "approval",
        "book",
        {"city": "Rome", "nights": 2},
    )
    await kit.answer(pending.id, Approve(), by="ann")


async def call_of(kit: AgentKit):
    conversation = await kit.conversation("t")
    return next(call for message in conversation.messages for call in message.tool_calls)


def port_of(server: Program) -> int:
    return int(server.url.rstrip("/").rpartition(":")[2])


@pytest.mark.parametrize("name", SERVERS)
async def test_an_approved_call_runs_once_on_a_server_that_lives(make_kit, counts, name):
    async with program(name, counts) as server:
        kit = await begin(make_kit, server)
        await say_yes(kit)
        assert await kit.wait("t") == "idle"
        assert server.ran == ["Rome 2"]
        call = await call_of(kit)
        assert (call.status, call.result) == ("done", "Booked 2 nights in Rome.")
        assert (await kit.conversation("t")).messages[-1].text == "Done: Booked 2 nights in Rome."


@pytest.mark.parametrize("name", SERVERS)
async def test_a_server_killed_in_the_middle_of_a_stream_leaves_its_words_and_a_thread_that_goes_on(
    make_kit, counts, name
):
    async with program(name, counts, "talk") as server:
        kit = await make_kit(HttpAgent(server.url))
        async with kit.watch("t") as watched:
            await kit.send("t", "Hello")
            await server.told("said")
            while not any("Half" in one.text for one in watched.fold.conversation().messages):
                await watched.changed()
        await server.kill()
        assert await kit.wait("t") == "error"
        conversation = await kit.conversation("t")
        assert conversation.messages[-1].text == "Half a sen"
        assert conversation.fault is not None
        assert (conversation.fault.code, "broke off" in conversation.fault.message) == ("broken_off", True)
        await kit.send("t", "Hello?")
        assert await kit.wait("t") == "error"
        fault = (await kit.conversation("t")).fault
        assert fault is not None
        assert fault.code == "unreachable"
    async with program(name, counts, port=port_of(server)):
        await kit.send("t", "Thank you")
        assert await kit.wait("t") == "idle"


@pytest.mark.parametrize("name", SERVERS)
async def test_a_server_killed_inside_the_tool_leaves_a_doubt_and_nothing_runs_twice_by_our_doing(
    make_kit, counts, name
):
    async with program(name, counts, "hold") as server:
        kit = await begin(make_kit, server)
        await say_yes(kit)
        await server.told("began")
        assert (await call_of(kit)).status == "sent"
        await server.kill()
        assert await kit.wait("t") == "error"
    call = await call_of(kit)
    assert (call.status, call.result) == ("sent", None)
    async with program(name, counts, port=port_of(server)) as server:
        if not await kit.pending("t"):
            await kit.retry("t")
            await kit.wait("t")
        # Asked again, perhaps, but never run again without a person.
        assert server.ran == ["Rome 2"]
        await kit.cancel_and_send("t", "Leave it")
        await kit.wait("t")
        assert server.ran == ["Rome 2"]


async def test_a_run_that_a_person_stops_is_stopped_on_the_server_too(make_kit, counts):
    async with program("pydantic_ai_server", counts, "talk") as server:
        kit = await make_kit(HttpAgent(server.url))
        await kit.send("t", "Hello")
        await server.told("said")
        await kit.cancel("t")
        assert await kit.wait("t") == "cancelled"
        await server.told("stopped")


async def test_langgraph_asks_in_the_older_way_and_is_answered_in_it(make_kit, counts):
    async with program("langgraph_server", counts, "legacy") as server:
        kit = await make_kit(HttpAgent(server.url, legacy_interrupts=True))
        await kit.send("t", "Book a hotel")
        assert await kit.wait("t") == "awaiting_input"
        await say_yes(kit)
        assert await kit.wait("t") == "idle"
        assert server.ran == ["Rome 2"]
        assert (await call_of(kit)).result == "Booked 2 nights in Rome."
