"""Agents that run as tools of other agents: what they do is seen, and what waits in them is decided."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from ag_ui.core import (
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
    TextMessageContentEvent,
    Tool,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from agents import Agent, function_tool

from reflex_agentkit.ids import RandomIds
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from reflex_agentkit.store.memory import MemoryStore
from tests.adapters.openai_agents.scripted import (
    BONN,
    OSLO,
    ROME,
    Hotel,
    Line,
    model,
    run_of,
    said_to,
    talk,
    told,
)
from tests.adapters.talk import CountingGate, approved, cancelled, refused

EXPERT = ("expert", {"input": "find one"})
DEEP = ("deep_expert", {"input": "dig"})


def expert(hotel: Hotel, *lines: Line, **options: Any) -> Agent:
    return hotel.agent(**({"name": "inner", "model": model(*lines, ids="inner")} | options))


def outer(inner: Agent, *lines: Line, hotel: Hotel | None = None, **options: Any) -> Agent:
    tools = [inner.as_tool("expert", "Knows hotels.", **options), *(hotel.tools() if hotel else ())]
    return Agent(name="outer", model=model(*(lines or ([EXPERT], "Outer done."))), tools=tools)


async def test_what_an_agent_tool_does_is_told_as_a_subagent_of_its_call() -> None:
    hotel = Hotel()
    run = await talk(outer(expert(hotel, [("look", {})], "Inner done."))).send("Hi")
    [started] = run.of(SubagentStartedEvent)
    assert (started.subagent_run_id, started.name, started.parent_tool_call_id) == (
        "sub-call-1a",
        "inner",
        "call-1a",
    )
    owned = [event for event in run.events if getattr(event, "subagent_run_id", None) == "sub-call-1a"]
    assert [event.type.value for event in owned] == [
        "SUBAGENT_STARTED",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "SUBAGENT_FINISHED",
    ]
    assert run.results == {"inner-1a": "All quiet.", "call-1a": "Inner done."}


async def test_a_call_inside_of_an_agent_tool_is_approved_like_any_other_and_runs_once() -> None:
    hotel = Hotel()
    inner = expert(hotel, [("look", {})], [ROME], "Inner done.")
    agent = outer(inner)
    thread = talk(agent)
    run = await thread.send("Hi")
    [asked] = run.interrupts
    assert (asked.id, asked.tool_call_id, asked.subagent_run_id) == ("inner-2a", "inner-2a", "sub-call-1a")
    assert asked.metadata["holdsToolCallIds"] == ["call-1a"]
    [finished] = run.of(SubagentFinishedEvent)
    assert (finished.outcome.type, finished.outcome.interrupt_ids) == ("suspended", ["inner-2a"])
    run = await thread.go(approved(asked.id))
    assert (hotel.booked, hotel.looked) == ([ROME[1]], 1)
    assert run.of(ToolCallStartEvent) == []
    assert run.results == {"inner-2a": "Booked 2 nights in Rome.", "call-1a": "Inner done."}
    assert said_to(inner) == [
        "user: find one",
        "inner-1a: look({})",
        "inner-1a = All quiet.",
        'inner-2a: book({"city": "Rome", "nights": 2})',
        "inner-2a = Booked 2 nights in Rome.",
    ]
    assert told(agent) == {"call-1a": "Inner done."}


async def test_each_call_in_each_agent_tool_gets_its_own_decision() -> None:
    hotel = Hotel()
    deep = hotel.agent(name="deep", model=model([BONN], "Deep done.", ids="deep"))
    inner = expert(hotel, [OSLO, DEEP], "Inner done.")
    inner.tools.append(deep.as_tool("deep_expert", "Digs."))
    agent = outer(inner, [ROME, EXPERT], "Done.", hotel=hotel)
    thread = talk(agent)
    asked = (await thread.send("Hi")).interrupts
    assert [one.id for one in asked] == ["call-1a", "inner-1a", "deep-1a"]
    assert asked[2].metadata["holdsToolCallIds"] == ["call-1b", "inner-1b"]
    longer = {"city": "Bonn", "nights": 9}
    run = await thread.go(
        refused("call-1a", reason="full"), cancelled("inner-1a"), approved("deep-1a", editedArgs=longer)
    )
    assert hotel.booked == [longer]
    assert "full" in run.results["call-1a"]
    assert "cancelled" in run.results["inner-1a"]
    assert '"nights": 9' in run.results["deep-1a"]
    assert (run.results["inner-1b"], run.results["call-1b"]) == ("Deep done.", "Inner done.")


async def test_an_agent_tool_that_asks_again_waits_again_with_all_it_did() -> None:
    hotel = Hotel()
    inner = expert(hotel, [ROME], [OSLO], "Inner done.")
    thread = talk(outer(inner))
    await thread.send("Hi")
    [second] = (await thread.go(approved("inner-1a"))).interrupts
    assert (second.id, hotel.booked) == ("inner-2a", [ROME[1]])
    run = await thread.go(approved("inner-2a"))
    assert (hotel.booked, run.outcome.type) == ([ROME[1], OSLO[1]], "success")
    assert said_to(inner)[-4:] == [
        'inner-1a: book({"city": "Rome", "nights": 2})',
        "inner-1a = Booked 2 nights in Rome.",
        'inner-2a: book({"city": "Oslo", "nights": 1})',
        "inner-2a = Booked 1 nights in Oslo.",
    ]


async def test_one_agent_tool_called_twice_at_once_is_two_runs_each_with_its_own_decisions() -> None:
    hotel = Hotel()
    inner = expert(hotel, [ROME], [OSLO], "Done one.", "Done two.")
    agent = outer(inner, [EXPERT, ("expert", {"input": "another"})], "Outer done.")
    thread = talk(agent)
    run = await thread.send("Hi")
    asked = {one.id: one for one in run.interrupts}
    assert {one.metadata["holdsToolCallIds"][0] for one in asked.values()} == {"call-1a", "call-1b"}
    run = await thread.go(refused("inner-1a"), approved("inner-2a"))
    assert (hotel.booked, run.outcome.type) == ([OSLO[1]], "success")
    assert {run.results["call-1a"], run.results["call-1b"]} == {"Done one.", "Done two."}


async def test_a_handoff_inside_of_an_agent_tool_pauses_in_the_agent_that_it_led_to() -> None:
    hotel = Hotel()
    clerk = hotel.agent(name="clerk", model=model([ROME], "Clerk done.", ids="clerk"))
    inner = Agent(name="inner", model=model([("transfer_to_clerk", {})], ids="inner"), handoffs=[clerk])
    thread = talk(outer(inner))
    [asked] = (await thread.send("Hi")).interrupts
    run = await thread.go(approved(asked.id))
    assert (hotel.booked, run.results["call-1a"]) == ([ROME[1]], "Clerk done.")


async def test_an_agent_tool_that_is_approved_itself_runs_and_may_wait_inside(gate: CountingGate) -> None:
    hotel = Hotel()
    agent = outer(expert(hotel, [ROME], "Inner done."), needs_approval=True)
    thread = talk(agent)
    [first] = (await thread.send("Hi")).interrupts
    assert (first.id, first.metadata["toolName"]) == ("call-1a", "expert")
    [second] = (await thread.go(approved("call-1a"))).interrupts
    assert (second.id, hotel.booked) == ("inner-1a", [])
    run = await thread.go(approved("inner-1a"))
    assert (hotel.booked, run.results["call-1a"]) == ([ROME[1]], "Inner done.")
    assert [call_id for call_id, _, _ in gate.begun] == ["call-1a", "inner-1a"]


async def test_an_agent_tool_that_fails_says_so_and_the_run_goes_on() -> None:
    inner = expert(Hotel(), RuntimeError("503"))
    inner.model = model([("look", {})], RuntimeError("503"), ids="inner")
    run = await talk(outer(inner)).send("Hi")
    [failed] = run.of(SubagentErrorEvent)
    assert "503" in failed.message
    [result] = [event for event in run.of(ToolCallResultEvent) if event.tool_call_id == "call-1a"]
    assert "503" in result.metadata["error"]
    assert run.outcome.type == "success"


async def test_the_applications_own_listener_of_an_agent_tool_still_hears_it() -> None:
    heard: list[str] = []
    agent = outer(expert(Hotel(), "Inner done."), on_stream=lambda event: heard.append(event["agent"].name))
    await talk(agent).send("Hi")
    assert set(heard) == {"inner"}


async def test_one_agent_that_is_handed_to_and_runs_as_a_tool_is_one_agent() -> None:
    hotel = Hotel()
    inner = expert(hotel, [OSLO], "Inner done.")
    agent = outer(inner, [EXPERT, ROME], "Done.", hotel=hotel)
    agent.handoffs, inner.handoffs = [inner], [agent]
    thread = talk(agent)
    asked = (await thread.send("Hi")).interrupts
    run = await thread.go(*(approved(one.id) for one in asked))
    assert (len(hotel.booked), run.outcome.type) == (2, "success")


async def test_an_agent_tool_is_not_given_the_tools_of_the_page() -> None:
    inner = expert(Hotel(), "Inner done.")
    thread = talk(outer(inner))
    thread.tools = [Tool(name="paint", description="Paint.", parameters={"type": "object", "properties": {}})]
    await thread.send("Hi")
    assert "paint" not in {tool.name for tool in inner.model.last_call.tools}


class TestThroughAKit:
    @pytest.fixture
    def hotel(self) -> Hotel:
        return Hotel()

    async def test_a_call_inside_is_decided_on_the_page_and_its_holder_gets_the_real_result(
        self, hotel: Hotel, make_kit: Any
    ) -> None:
        agent = outer(expert(hotel, [ROME, OSLO], "Inner done."))
        kit = await make_kit(run_of(agent))
        await kit.send("t", "Hi")
        assert await kit.wait("t") == "awaiting_input"
        rome, oslo = await kit.pending("t")
        await kit.answer(rome.id, Approve(), by="ann")
        await kit.answer(oslo.id, Reject("too cold"), by="ann")
        assert await kit.wait("t") == "idle"
        assert hotel.booked == [ROME[1]]
        assert told(agent) == {"call-1a": "Inner done."}
        calls = {
            call.id: call for message in (await kit.conversation("t")).messages for call in message.tool_calls
        }
        assert {name: call.status for name, call in calls.items()} == {
            "call-1a": "done",
            "inner-1a": "done",
            "inner-1b": "rejected",
        }
        assert hotel.answers[0].idempotency_key

    async def test_another_process_takes_it_up(self, hotel: Hotel, make_kit: Any) -> None:
        store = MemoryStore()
        first = await make_kit(run_of(outer(expert(hotel, [ROME]))), store=store)
        await first.send("t", "Hi")
        await first.wait("t")
        # New objects all through: the agent, its tools, the model, the adapter, the kit.
        agent = outer(expert(hotel, "Inner done."), "Done.")
        second = await make_kit(run_of(agent), store=store, ids=RandomIds())
        [asked] = await second.pending("t")
        await second.answer(asked.id, Approve(), by="ann")
        assert await second.wait("t") == "idle"
        assert (hotel.booked, told(agent)) == ([ROME[1]], {"call-1a": "Inner done."})

    async def test_a_cancelled_pause_goes_with_the_next_message(self, hotel: Hotel, make_kit: Any) -> None:
        agent = outer(expert(hotel, [ROME], "Inner done."), [EXPERT], "Done.", "Again.")
        kit = await make_kit(run_of(agent))
        await kit.send("t", "Hi")
        await kit.wait("t")
        await kit.cancel_and_send("t", "Something else", by="ann")
        assert await kit.wait("t") == "idle"
        assert hotel.booked == []
        assert said_to(agent)[-1] == "user: Something else"

    async def test_a_tool_inside_that_raises_is_told_and_not_run_again(
        self, hotel: Hotel, make_kit: Any
    ) -> None:
        hotel.raises = [RuntimeError("the card service is down")]
        inner = expert(hotel, [ROME], "Inner done.")
        kit = await make_kit(run_of(outer(inner)))
        await kit.send("t", "Hi")
        await kit.wait("t")
        [asked] = await kit.pending("t")
        await kit.answer(asked.id, Approve(), by="ann")
        assert await kit.wait("t") == "idle"
        assert (len(hotel.booked), "the card service is down" in told(inner)["inner-1a"]) == (1, True)

    async def test_cancelling_one_call_of_two_inside_leaves_the_other(
        self, hotel: Hotel, make_kit: Any
    ) -> None:
        kit = await make_kit(run_of(outer(expert(hotel, [ROME, OSLO], "Inner done."))))
        await kit.send("t", "Hi")
        await kit.wait("t")
        rome, oslo = await kit.pending("t")
        await kit.answer(rome.id, Cancel(), by="ann")
        await kit.answer(oslo.id, Approve(), by="ann")
        await kit.wait("t")
        assert hotel.booked == [OSLO[1]]


async def test_text_of_an_agent_tool_and_of_its_caller_are_told_apart() -> None:
    run = await talk(outer(expert(Hotel(), "Inner."), [EXPERT], "Outer.")).send("Hi")
    said = {event.delta: event.subagent_run_id for event in run.of(TextMessageContentEvent)}
    assert said == {"Inner.": "sub-call-1a", "Outer.": None}


async def test_after_a_break_the_server_leaves_out_what_an_earlier_run_took_and_it_does_not_run_again(
    gate: CountingGate,
) -> None:
    hotel = Hotel()
    inner = expert(hotel, [ROME, OSLO], "Inner done.")
    thread = talk(outer(inner))
    await thread.send("Hi")
    run = await thread.go(approved("inner-1b"))
    assert (hotel.booked, run.outcome.type) == ([OSLO[1]], "success")
    assert "may or may not have taken effect" in told(inner)["inner-1a"]


async def test_without_a_server_every_call_inside_must_be_answered() -> None:
    hotel = Hotel()
    thread = talk(outer(expert(hotel, [ROME, OSLO], "Inner done.")))
    await thread.send("Hi")
    run = await thread.go(approved("inner-1b"))
    assert (run.error.code, hotel.booked) == ("invalid_answer", [])


async def test_stopping_a_run_stops_the_tool_inside_of_an_agent_tool() -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    @function_tool
    async def slow() -> str:
        """Slow."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "late"

    inner = Agent(name="inner", model=model([("slow", {})], ids="inner"), tools=[slow])
    going = asyncio.create_task(talk(outer(inner)).send("Hi"))
    await began.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    await asyncio.wait_for(ended.wait(), 5)
