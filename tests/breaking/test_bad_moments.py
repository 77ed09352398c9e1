"""Acts at the worst moment: just expired, store away, somebody else's thread."""

from __future__ import annotations

import asyncio
import random

import pytest

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.errors import RefusedError
from reflex_agentkit.protocol.verdicts import Answer, Approve
from reflex_agentkit.testing.streams import approval, calls, pauses, question, says
from tests.breaking.slow_store import SlowStore
from tests.support.agents import Booker

SOON = "2030-01-01T10:05:00+00:00"
LATER = 600


async def paused(kit, thread_id="t"):
    await kit.send(thread_id, "Hello")
    assert await kit.wait(thread_id) == "awaiting_input"
    return await kit.pending(thread_id)


@pytest.mark.parametrize("act", ["retry", "send"])
async def test_whoever_comes_first_after_the_deadline_the_thread_goes_on(make_kit, clock, act):
    kit = await make_kit(ScriptedAgent(pauses(question("q", expires_at=SOON)), says("m", "Bye.")))
    await paused(kit)
    clock.move(LATER)
    if act == "retry":
        with pytest.raises(RefusedError, match="still answering"):
            await kit.retry("t")
    else:
        await kit.send("t", "Hm.")
    assert await kit.wait("t") == "idle"
    assert [entry.status for entry in kit._agent.inputs[1].resume] == ["cancelled"]


async def test_a_foreign_answer_decides_nothing_in_the_thread_that_it_names(make_kit, clock):
    """S10: not even what is due there, which would then run with the foreign person's agent."""
    theirs, mine = ScriptedAgent(pauses(question("q", expires_at=SOON)), says("m", "x")), ScriptedAgent()
    kit = await make_kit(theirs)
    (asked,) = await paused(kit)
    await kit.set_state("mine", {})
    clock.move(LATER)
    outcome = await kit.answer(asked.id, Answer(1), by="mallory", thread_id="mine", agent=mine)
    assert outcome.code == "unknown_interrupt"
    await kit.expire_due()
    await kit.wait("t")
    assert (len(theirs.inputs), mine.inputs) == (2, [])


async def test_one_thread_that_cannot_go_on_keeps_no_other_from_its_deadline(make_kit, clock, monkeypatch):
    kit = await make_kit(ScriptedAgent(pauses(question("q", expires_at=SOON))))
    for thread_id in ("a", "b"):
        await paused(kit, thread_id)
    clock.move(LATER)
    decide = kit._desk.expire_due

    async def refuses_one(thread_id=None):
        if thread_id == "a":
            raise OSError("this thread is broken")
        return await decide(thread_id)

    monkeypatch.setattr(kit._desk, "expire_due", refuses_one)
    await kit.expire_due()
    assert "expired" in {record.state for record in await kit._store.interrupts("b")}


async def test_a_refused_message_does_not_change_how_the_thread_goes_on(make_kit):
    first, other = Booker(), ScriptedAgent()
    kit = await make_kit(first)
    (asked,) = await paused(kit)
    with pytest.raises(RefusedError):
        await kit.send("t", "And?", agent=other)
    await kit.answer(asked.id, Approve(), by="me")
    await kit.wait("t")
    assert (len(first.ran), other.inputs) == (1, [])


@pytest.fixture
def store():
    return SlowStore(random.Random(1))


async def test_an_end_that_could_not_be_stored_is_stored_when_the_store_is_back(make_kit, store):
    async def goes_away(run_input):
        store.fails = 2  # the end, and the second try
        return
        yield

    kit = await make_kit(ScriptedAgent(goes_away, says("m", "Here.")), store=store)
    await kit.send("t", "Hello")
    await kit.wait("t")
    await kit.expire_due()
    conversation = await kit.conversation("t")
    assert (conversation.run_status, conversation.fault.code) == ("error", "not_stored")
    await kit.retry("t")
    assert await kit.wait("t") == "idle"


async def test_a_decision_whose_resume_could_not_be_stored_goes_on_by_itself(make_kit, store, monkeypatch):
    agent = Booker()
    kit = await make_kit(agent, store=store)
    (asked,) = await paused(kit)
    prepare = kit._engine._preparation.prepare

    async def fails_once(*args):
        monkeypatch.setattr(kit._engine._preparation, "prepare", prepare)
        raise ConnectionError("the store is away")

    monkeypatch.setattr(kit._engine._preparation, "prepare", fails_once)
    with pytest.raises(ConnectionError):
        await kit.answer(asked.id, Approve(), by="me")
    await kit.expire_due()
    assert await kit.wait("t") == "idle"
    assert len(agent.ran) == 1


@pytest.mark.parametrize("steps", range(40))
async def test_a_tab_that_closes_in_the_middle_of_an_answer_leaves_no_half_of_it(make_kit, steps):
    agent = Booker()
    kit = await make_kit(agent, store=SlowStore(random.Random(steps)))
    (asked,) = await paused(kit)
    answering = asyncio.create_task(kit.answer(asked.id, Approve(), by="me"))
    for _ in range(steps):
        await asyncio.sleep(0)
    answering.cancel()
    await asyncio.wait({answering})
    for _ in range(100):
        await asyncio.sleep(0)
    status = await kit.wait("t")
    decided = not await kit.pending("t")
    assert (status, len(agent.ran)) == (("idle", 1) if decided else ("awaiting_input", 0))


@pytest.mark.parametrize("steps", range(12))
async def test_stopping_at_any_moment_leaves_nothing_open_and_nothing_half(make_kit, steps):
    ask = [*calls("c", "book", {}), *pauses(approval("c"))]
    kit = await make_kit(ScriptedAgent(ask), store=SlowStore(random.Random(steps)))
    await kit.send("t", "Hello")
    for _ in range(steps * 4):
        await asyncio.sleep(0)
    await kit.cancel("t")
    assert await kit.wait("t") in ("cancelled", "idle")
    assert await kit.pending("t") == []
