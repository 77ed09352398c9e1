"""Agents that run as tools with arguments that a person changed, and what is left of them afterwards."""

from __future__ import annotations

import gc
from typing import Any

from agents import Agent, agent_tool_state

from reflex_agentkit.ids import RandomIds
from reflex_agentkit.protocol.verdicts import Approve
from reflex_agentkit.store.memory import MemoryStore
from tests.adapters.openai_agents.scripted import ROME, Hotel, Line, model, run_of, said_to, talk
from tests.adapters.talk import approved

NOTE = "Note: the user edited"


def held() -> int:
    """How many nested runs the SDK keeps, for all runs of the process."""
    gc.collect()
    return len(agent_tool_state._agent_tool_run_results_by_obj)


class House:
    """An agent with an agent as its tool, which has one too; each call needs a yes."""

    def __init__(self, hotel: Hotel, inner: list[Line], middle: list[Line], outer: list[Line]) -> None:
        self.inner = hotel.agent(name="inner", model=model(*inner, ids="inner"))
        deep = self.inner.as_tool("deep", "x", needs_approval=True)
        self.middle = Agent(name="middle", model=model(*middle, ids="middle"), tools=[deep])
        expert = self.middle.as_tool("expert", "x", needs_approval=True)
        self.outer = Agent(name="outer", model=model(*outer), tools=[expert])


async def test_an_edited_agent_tool_goes_on_with_what_was_approved_after_each_restart_f16(
    make_kit: Any,
) -> None:
    hotel, store = Hotel(), MemoryStore()

    async def decide(house: House, answer: Approve | None) -> Any:
        kit = await make_kit(run_of(house.outer), store=store, ids=RandomIds())
        if answer is None:
            await kit.send("t", "Hi")
        else:
            [asked] = await kit.pending("t")
            await kit.answer(asked.id, answer, by="ann")
        return await kit.wait("t")

    await decide(House(hotel, [], [], [[("expert", {"input": "A"})]]), None)
    house = House(hotel, [], [[("deep", {"input": "B"})]], [])
    assert await decide(house, Approve(edited_args={"input": "A2"})) == "awaiting_input"
    house = House(hotel, [[ROME]], [], [])
    assert await decide(house, Approve(edited_args={"input": "B2"})) == "awaiting_input"
    house = House(hotel, ["Inner done."], ["Middle done."], ["Outer done."])
    assert await decide(house, Approve()) == "idle"
    assert hotel.booked == [ROME[1]]
    assert said_to(house.inner)[0] == "user: B2"
    for said, first, result, args in (
        (said_to(house.middle), "user: A2", "middle-1a = Inner done.", '"B2"'),
        (said_to(house.outer), "user: Hi", "call-1a = Middle done.", '"A2"'),
    ):
        assert (said[0], said[-1].partition("\n")[0]) == (first, result)
        assert NOTE in said[-1].partition(args)[0]
        assert args in said[-1]


async def test_the_notice_of_an_edited_agent_tool_that_waited_can_be_turned_off() -> None:
    inner = Hotel().agent(name="inner", model=model([ROME], "Inner done.", ids="inner"))
    tools = [inner.as_tool("expert", "x", needs_approval=True)]
    agent = Agent(name="outer", model=model([("expert", {"input": "A"})], "Done."), tools=tools)
    thread = talk(agent, notify_edited_args=False)
    await thread.send("Hi")
    await thread.go(approved("call-1a", editedArgs={"input": "A2"}))
    run = await thread.go(approved("inner-1a"))
    assert run.results["call-1a"] == "Inner done."


async def test_a_call_inside_with_the_id_of_the_call_around_it_is_named_and_nothing_runs() -> None:
    hotel = Hotel()
    inner = hotel.agent(name="inner", model=model([ROME], "Inner done."))
    lines = ([("expert", {"input": "A"})], "Done.")
    agent = Agent(name="outer", model=model(*lines), tools=[inner.as_tool("expert", "x")])
    thread = talk(agent)
    run = await thread.send("Hi")
    assert (run.error.code, hotel.booked) == ("configuration", [])
    assert "call-1a" in run.error.message
    run = await thread.send("Never mind")
    assert run.outcome.type == "success"


async def test_the_sdk_keeps_nothing_of_a_nested_run_once_its_run_is_over() -> None:
    before = held()
    inner = Hotel().agent(name="inner", model=model([ROME], "Inner done.", ids="inner"))
    lines = ([("expert", {"input": "A"})], "Done.")
    thread = talk(Agent(name="outer", model=model(*lines), tools=[inner.as_tool("expert", "x")]))
    await thread.send("Hi")
    assert held() == before
    assert (await thread.go(approved("inner-1a", editedArgs={}))).error.code == "invalid_answer"
    assert held() == before
    await thread.go(approved("inner-1a"))
    assert held() == before
