"""Servers that do not fit beside Reflex, or that nothing else here needs, each in its own environment."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Reject
from tests.remote.environments import CREWAI, STRANDS, python_of
from tests.remote.serving import Program, program

YES = {"approved": True}


@pytest.fixture
def counts(tmp_path: Path) -> Path:
    return tmp_path / "counts"


@pytest.fixture
async def crewai(counts: Path):
    async with program("crewai_server", counts, python=python_of(CREWAI)) as server:
        yield server


@pytest.fixture
async def strands(counts: Path):
    async with program("strands_server", counts, python=python_of(STRANDS)) as server:
        yield server


async def asked_by(make_kit, server: Program, **options) -> AgentKit:
    kit = await make_kit(HttpAgent(server.url, **options))
    await kit.send("t", "Book a hotel")
    assert await kit.wait("t") == "awaiting_input", (await kit.conversation("t")).fault
    return kit


async def answer(kit: AgentKit, value) -> str:
    [pending] = await kit.pending("t")
    await kit.answer(pending.id, value, by="ann")
    return await kit.wait("t")


async def call_of(kit: AgentKit):
    conversation = await kit.conversation("t")
    return next(call for message in conversation.messages for call in message.tool_calls)


async def test_strands_asks_for_a_yes_and_runs_the_call_once(make_kit, strands):
    kit = await asked_by(make_kit, strands)
    [pending] = await kit.pending("t")
    assert (pending.kind, pending.tool_name, pending.args) == (
        "approval", "book_hotel", {"city": "Rome", "nights": 2},
    )  # fmt: skip
    # Its answer has no place for other arguments, so none can be given.
    assert "edit" not in pending.allowed_decisions
    assert await answer(kit, Approve()) == "idle"
    assert strands.ran == ["Rome 2"]
    call = await call_of(kit)
    assert (call.status, "Booked 2 nights" in (call.result or "")) == ("done", True)
    await kit.send("t", "Thank you")
    assert await kit.wait("t") == "idle"
    assert strands.ran == ["Rome 2"]


@pytest.mark.parametrize("refusal", [Reject(), Cancel()])
async def test_strands_runs_nothing_after_a_refusal(make_kit, strands, refusal):
    kit = await asked_by(make_kit, strands)
    assert await answer(kit, refusal) == "idle"
    assert strands.ran == []


async def test_crewai_asks_a_question_whose_answer_resumes_the_flow_once(make_kit, crewai):
    kit = await asked_by(make_kit, crewai)
    [pending] = await kit.pending("t")
    assert (pending.kind, pending.message) == ("question", "Book it?")
    assert pending.payload == {"tool": "book", "args": {"city": "Rome", "nights": 2}}
    assert await answer(kit, Answer(YES)) == "idle"
    assert crewai.ran == ["Rome 2"]
    call = await call_of(kit)
    assert (call.status, call.result) == ("done", "Booked 2 nights in Rome.")


async def test_crewai_is_told_that_a_question_was_cancelled(make_kit, crewai):
    kit = await asked_by(make_kit, crewai)
    assert await answer(kit, Cancel()) == "idle"
    assert crewai.ran == []
    assert (await call_of(kit)).result == "The user refused."


async def test_crewai_asks_by_its_older_event_and_takes_a_standard_answer(make_kit, counts):
    async with program("crewai_server", counts, "legacy", python=python_of(CREWAI)) as server:
        kit = await asked_by(make_kit, server)
        assert await answer(kit, Answer(YES)) == "idle"
        assert server.ran == ["Rome 2"]


async def test_crewai_killed_after_the_answer_leaves_a_doubt_and_nothing_is_sent_again(make_kit, counts):
    python = python_of(CREWAI)
    async with program("crewai_server", counts, "hold", python=python) as server:
        kit = await asked_by(make_kit, server)
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Answer(YES), by="ann")
        await server.told("began")
        await server.kill()
        assert await kit.wait("t") == "error"
    port = int(server.url.rstrip("/").rpartition(":")[2])
    async with program("crewai_server", counts, python=python, port=port) as server:
        if not await kit.pending("t"):
            await kit.send("t", "Thank you")
            await kit.wait("t")
        assert server.ran == ["Rome 2"]
