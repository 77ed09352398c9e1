"""A run that was stopped: nothing begins any more, and what had begun is still known."""

from __future__ import annotations

import asyncio

from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol.verdicts import Approve
from tests.support.agents import Booker


class Deaf(Booker):
    """Goes on when it is told to stop, and then calls the tool."""

    def __init__(self):
        super().__init__()
        self.waiting = asyncio.Event()
        self.release = asyncio.Event()
        self.result = asyncio.get_running_loop().create_future()

    async def _tool(self, call_id, args):
        self.waiting.set()
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                continue
        try:
            await current_gate().begin(call_id, "book", args)
        except GateError as error:
            self.result.set_result(str(error))
            raise
        self.ran.append(args)
        return "Booked."


async def approved(kit):
    await kit.send("t", "Book")
    await kit.wait("t")
    (asked,) = await kit.pending("t")
    await kit.answer(asked.id, Approve(), by="me")


async def test_an_agent_that_does_not_stop_begins_no_call_after_it_was_stopped(make_kit, monkeypatch):
    monkeypatch.setattr("reflex_agentkit.runs.drive.GRACE", 0.01)
    agent = Deaf()
    kit = await make_kit(agent)
    await approved(kit)
    await agent.waiting.wait()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    agent.release.set()
    assert "ended" in await agent.result
    assert agent.ran == []


async def test_what_a_call_gave_is_known_although_its_run_was_stopped_before(make_kit, monkeypatch):
    monkeypatch.setattr("reflex_agentkit.runs.drive.GRACE", 0.01)
    in_tool, release, noted = asyncio.Event(), asyncio.Event(), asyncio.Event()

    class Slow(Booker):
        async def _tool(self, call_id, args):
            gate = current_gate()
            await gate.begin(call_id, "book", args)
            in_tool.set()
            while not release.is_set():
                try:
                    await release.wait()
                except asyncio.CancelledError:
                    continue
            await gate.done(call_id, "Booked after all.")
            noted.set()
            return "Booked after all."

    agent = Slow()
    kit = await make_kit(agent)
    await approved(kit)
    await in_tool.wait()
    await kit.cancel("t")
    (record,) = await kit._store.interrupts("t")
    assert record.state == "in_doubt"
    release.set()
    await noted.wait()
    (record,) = await kit._store.interrupts("t")
    assert (record.state, record.result_text) == ("done", "Booked after all.")


async def test_who_stops_the_run_and_says_something_else_has_taken_the_approval_back(make_kit):
    agent = Booker()
    started = asyncio.Event()

    async def before_the_tool(*_):
        started.set()
        await asyncio.Event().wait()

    kit = await make_kit(agent)
    tool, agent._tool = agent._tool, before_the_tool
    await approved(kit)
    await started.wait()
    await kit.cancel("t", by="me")
    agent._tool = tool
    await kit.send("t", "Rather not.")
    await kit.wait("t")
    assert agent.ran == []
    assert [entry.status for entry in agent.inputs[-1].resume] == ["cancelled"]


async def test_who_stops_the_run_and_tries_again_goes_on_with_the_approval(make_kit):
    agent = Booker()
    started = asyncio.Event()

    async def before_the_tool(*_):
        started.set()
        await asyncio.Event().wait()

    kit = await make_kit(agent)
    tool, agent._tool = agent._tool, before_the_tool
    await approved(kit)
    await started.wait()
    await kit.cancel("t", by="me")
    agent._tool = tool
    await kit.retry("t")
    await kit.wait("t")
    assert agent.ran == [{"city": "Lisbon", "nights": 2}]
