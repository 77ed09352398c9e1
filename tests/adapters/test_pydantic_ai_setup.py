"""Setting a PydanticAIAgent up: what is refused, output types, dependencies, state, runs side by side."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import Any

import pytest
from ag_ui.core import EventType, RunAgentInput, StateSnapshotEvent, Tool
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    DeferredToolRequests,
    ModelSettings,
    NativeOutput,
    PromptedOutput,
    RunContext,
    TextOutput,
    ToolOutput,
    ToolReturn,
)
from pydantic_ai.agent import WrapperAgent
from pydantic_ai.models.test import TestModel
from pydantic_ai.ui import StateDeps

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.errors import ConfigurationError
from tests.adapters.talk import Script, Talk, approved


class Booking(BaseModel):
    city: str


class Counter(BaseModel):
    count: int = 0


@dataclass
class Person:
    name: str


def gated(agent: Agent[Any, Any]) -> list[str]:
    """Give an agent a gated tool; the list is what it ran with."""
    ran: list[str] = []

    @agent.tool_plain(requires_approval=True)
    def book(city: str) -> str:
        """Book."""
        ran.append(city)
        return f"Booked {city}."

    return ran


def test_it_is_an_ag_ui_agent() -> None:
    assert isinstance(PydanticAIAgent(Agent(TestModel())), AGUIAgent)


@pytest.mark.parametrize("thing", [None, "openai:gpt", TestModel(), Agent])
def test_anything_but_an_agent_is_refused(thing: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"pydantic_ai\.Agent"):
        PydanticAIAgent(thing)


def test_deps_and_a_factory_exclude_each_other() -> None:
    with pytest.raises(ConfigurationError, match="not both"):
        PydanticAIAgent(Agent(TestModel()), deps=1, deps_factory=lambda _: 2)
    with pytest.raises(ConfigurationError, match="deps_factory"):
        PydanticAIAgent(Agent(TestModel()), deps_factory=1)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "name", ["output_type", "message_history", "deferred_tool_results", "run_id", "usage"]
)
def test_an_option_that_belongs_to_each_run_is_named(name: str) -> None:
    with pytest.raises(ConfigurationError, match=repr(name)):
        PydanticAIAgent(Agent(TestModel()), **{name: None})


def test_an_unknown_option_is_named() -> None:
    with pytest.raises(ConfigurationError, match=r"'usage_limit'.*usage_limits"):
        PydanticAIAgent(Agent(TestModel()), usage_limit=1)


async def test_options_reach_the_run() -> None:
    script = Script("Hello.")
    settings = ModelSettings(temperature=0.5)
    done: list[Any] = []

    async def told(result: Any) -> None:
        done.append(result.output)

    agent = PydanticAIAgent(Agent(script.model()), model_settings=settings, on_complete=told)
    await Talk(agent).send("Hi")
    assert script.infos[0].model_settings == settings
    assert done == ["Hello."]


def test_an_output_validator_without_deferred_tool_requests_is_refused_with_the_line_to_add() -> None:
    agent = Agent(TestModel(), output_type=[Booking, str])
    agent.output_validator(lambda value: value)
    with pytest.raises(ConfigurationError, match=r"output_type=\[Booking, str, DeferredToolRequests\]"):
        PydanticAIAgent(agent)
    with pytest.raises(ConfigurationError, match="DeferredToolRequests"):
        PydanticAIAgent(WrapperAgent(agent))


async def test_an_output_validator_that_comes_later_fails_the_run_cleanly() -> None:
    inner = Agent(TestModel())
    agent = PydanticAIAgent(inner)
    inner.output_validator(lambda value: value)
    run = await Talk(agent).send("Hi")
    assert run.error.code == "configuration"
    assert "output_type=[str, DeferredToolRequests]" in run.error.message


async def test_an_output_validator_beside_deferred_tool_requests_pauses_also_with_client_tools() -> None:
    script = Script([("book", {"city": "Rome"})])
    agent = Agent(script.model(), output_type=[str, DeferredToolRequests])
    agent.output_validator(lambda value: value)
    ran = gated(agent)
    tools = [Tool(name="pick", description="Pick", parameters={"type": "object", "properties": {}})]
    talk = Talk(PydanticAIAgent(agent), tools=tools)
    assert (await talk.send("Book")).outcome.type == "interrupt"
    await talk.go(approved())
    assert ran == ["Rome"]


def shout(text: str) -> str:
    return text.upper()


@pytest.mark.parametrize(
    ("output_type", "last"),
    [
        (str, "Done."),
        ([str, Booking], "Done."),
        (str | Booking, "Done."),
        (str | None, "Done."),
        ([str, DeferredToolRequests], "Done."),
        (str | DeferredToolRequests, "Done."),
        ([[str], [DeferredToolRequests]], "Done."),
        (TextOutput(shout), "Done."),
        (Booking, [("final_result", {"city": "Rome"})]),
        (ToolOutput(Booking, name="booking"), [("booking", {"city": "Rome"})]),
        ([ToolOutput(Booking, name="booking"), DeferredToolRequests], [("booking", {"city": "Rome"})]),
        (int, [("final_result", {"response": 3})]),
        (NativeOutput(Booking), '{"city": "Rome"}'),
        (PromptedOutput([Booking, Counter]), '{"result": {"kind": "Booking", "data": {"city": "Rome"}}}'),
    ],
)
async def test_a_gated_tool_pauses_whatever_the_output_type_is(output_type: Any, last: Any) -> None:
    script = Script([("book", {"city": "Rome"})], last)
    model = script.model()
    if isinstance(output_type, NativeOutput):
        model.profile = {**model.profile, "supports_json_schema_output": True}
    agent = Agent(model, output_type=output_type)
    ran = gated(agent)
    talk = Talk(PydanticAIAgent(agent))
    assert (await talk.send("Book")).outcome.type == "interrupt"
    run = await talk.go(approved())
    assert run.outcome.type == "success"
    assert ran == ["Rome"]
    assert len(script.asked) == 2


async def test_a_factory_gets_the_input_and_may_be_async() -> None:
    script = Script([("who", {})])
    agent = Agent(script.model(), deps_type=Person)

    @agent.tool
    def who(ctx: RunContext[Person]) -> str:
        """Who."""
        return ctx.deps.name

    async def later(run_input: RunAgentInput) -> Person:
        await asyncio.sleep(0)
        return Person(name=run_input.thread_id)

    for factory in (later, lambda run_input: Person(name=run_input.thread_id)):
        run = await Talk(PydanticAIAgent(agent, deps_factory=factory), thread_id="t-9").send("Who?")
        assert run.results == {"call-1a": "t-9"}


async def test_a_factory_that_raises_fails_the_run_before_the_model_is_asked() -> None:
    def broken(_: RunAgentInput) -> Any:
        raise LookupError("no such tenant")

    script = Script()
    run = await Talk(PydanticAIAgent(Agent(script.model()), deps_factory=broken)).send("Hi")
    assert run.error.message == "no such tenant"
    assert script.asked == []


def counting(script: Script) -> Agent[StateDeps[Counter], str]:
    agent = Agent(script.model(), deps_type=StateDeps[Counter])

    @agent.tool
    async def add(ctx: RunContext[StateDeps[Counter]], by: int) -> ToolReturn:
        """Add."""
        before = ctx.deps.state.count
        await asyncio.sleep(0)
        ctx.deps.state.count = before + by
        snapshot = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot=ctx.deps.state.model_dump())
        return ToolReturn(return_value=f"{ctx.deps.state.count}", metadata=[snapshot])

    return agent


@pytest.mark.parametrize(
    ("deps", "start"), [(None, 0), (StateDeps(Counter()), 0), (StateDeps(Counter(count=40)), 40)]
)
async def test_the_shared_state_begins_as_given_and_follows_the_thread(deps: Any, start: int) -> None:
    talk = Talk(PydanticAIAgent(counting(Script([("add", {"by": 2})])), deps=deps))
    run = await talk.send("Add")
    assert run.of(StateSnapshotEvent)[0].snapshot == {"count": start + 2}
    talk.state = {"count": 7}
    talk.messages.clear()
    run = await talk.send("Add")
    assert run.of(StateSnapshotEvent)[0].snapshot == {"count": 9}
    if deps is not None:
        assert deps.state.count == start


async def test_a_state_that_the_model_refuses_fails_the_run() -> None:
    talk = Talk(PydanticAIAgent(counting(Script()), deps=StateDeps(Counter())))
    talk.state = {"count": "many"}
    assert "count" in (await talk.send("Add")).error.message


async def test_a_state_that_nobody_reads_is_no_trouble() -> None:
    talk = Talk(PydanticAIAgent(Agent(Script("Hello.").model()), deps={"a": 1}))
    talk.state = {"x": 1}
    assert (await talk.send("Hi")).outcome.type == "success"


async def test_runs_side_by_side_keep_their_state_answers_and_arguments_apart() -> None:
    script = Script([("add", {"by": 1}), ("book", {"city": "Rome"})])
    agent = counting(script)
    ran = gated(agent)
    one = PydanticAIAgent(agent, deps=StateDeps(Counter()))
    talks = [Talk(one, thread_id=f"thread-{number}") for number in range(5)]
    for number, talk in enumerate(talks):
        talk.state = {"count": number * 10}
    runs = await asyncio.gather(*(talk.send("Go") for talk in talks))
    assert [run.of(StateSnapshotEvent)[0].snapshot["count"] for run in runs] == [1, 11, 21, 31, 41]
    entries = [approved("int-call-1b", editedArgs={"city": f"City {number}"}) for number in range(5)]
    runs = await asyncio.gather(*(talk.go(entry) for talk, entry in zip(talks, entries, strict=True)))
    assert sorted(ran) == [f"City {number}" for number in range(5)]
    for number, run in enumerate(runs):
        assert run.results["call-1b"].startswith(f"Booked City {number}.")
