"""What `OpenAIAgentsAGUIAgent` takes, and what it refuses when it is made."""

from __future__ import annotations

import copy
import importlib
import sys
from typing import Any

import pytest
from agents import (
    Agent,
    ApplyPatchTool,
    CustomTool,
    FunctionTool,
    HostedMCPTool,
    ShellTool,
    SQLiteSession,
    handoff,
    tool_namespace,
)

from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent, allow_decisions
from reflex_agentkit.adapters.openai_agents.marks import mark_of
from reflex_agentkit.agents.base import AGUIAgent, check_agent
from reflex_agentkit.errors import AdapterNotInstalledError, ConfigurationError
from tests.adapters.openai_agents.scripted import ROME, Hotel, model, talk
from tests.adapters.talk import approved


def test_it_is_an_ag_ui_agent_with_its_agents_name() -> None:
    agent = OpenAIAgentsAGUIAgent(Hotel().agent())
    check_agent(agent)
    assert isinstance(agent, AGUIAgent)
    assert (agent.name, OpenAIAgentsAGUIAgent(Hotel().agent(), name="other").name) == ("hotel", "other")


@pytest.mark.parametrize("what", [None, "agent", object(), Agent])
def test_anything_but_an_agent_is_refused(what: Any) -> None:
    with pytest.raises(ConfigurationError, match=r"needs an agents\.Agent"):
        OpenAIAgentsAGUIAgent(what)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"session": SQLiteSession("one")}, "the agent's memory"),
        ({"conversation_id": "conv_1"}, "the agent's memory"),
        ({"previous_response_id": "resp_1"}, "the agent's memory"),
        ({"context": {}}, "context_factory="),
        ({"max_turn": 3}, "no option 'max_turn'. It knows: .*max_turns"),
        ({"context_factory": {"a": 1}}, "must be a function"),
    ],
)
def test_an_option_that_cannot_be_given_is_named(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        OpenAIAgentsAGUIAgent(Hotel().agent(), **options)


async def _nothing(*_: Any) -> str:
    return ""


ASKS_ELSEWHERE = [
    ShellTool(executor=_nothing, needs_approval=True),
    ApplyPatchTool(editor=None, needs_approval=True),  # pyright: ignore[reportArgumentType]
    CustomTool(name="custom", description="x", on_invoke_tool=_nothing, needs_approval=True),
    HostedMCPTool(tool_config={"type": "mcp", "server_label": "x", "server_url": "https://example.org"}),
]


@pytest.mark.parametrize("tool", ASKS_ELSEWHERE, ids=lambda tool: type(tool).__name__)
def test_a_tool_that_would_wait_without_end_is_refused_wherever_it_is(tool: Any) -> None:
    last = Agent(name="last", tools=[tool])
    for agent in (
        last,
        Agent(name="front", handoffs=[last]),
        Agent(name="front", handoffs=[handoff(last)]),
        Agent(name="front", tools=[last.as_tool("last", "x")]),
    ):
        with pytest.raises(ConfigurationError, match="only calls of function tools can be decided here"):
            OpenAIAgentsAGUIAgent(agent)


@pytest.mark.parametrize("needs_approval", [True, False])
def test_a_tool_whose_calls_could_not_be_found_again_is_refused(needs_approval: bool) -> None:
    tools = Hotel().tools(needs_approval=needs_approval)
    named = tool_namespace(name="crm", description="x", tools=tools)
    later = Hotel().tools(defer_loading=True)
    for one in (named, later):
        with pytest.raises(ConfigurationError, match="'book' of 'a' is in a namespace or loaded later"):
            OpenAIAgentsAGUIAgent(Agent(name="a", tools=one))


def test_two_agents_of_one_name_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="Two agents are named 'a'"):
        OpenAIAgentsAGUIAgent(Agent(name="a", handoffs=[Agent(name="a")]))


def test_an_agent_tool_that_was_built_by_hand_is_refused_with_the_reason() -> None:
    tool = Agent(name="inner").as_tool("inner", "x")
    tool.on_invoke_tool = _nothing
    with pytest.raises(ConfigurationError, match=r"Make it with `Agent\.as_tool"):
        OpenAIAgentsAGUIAgent(Agent(name="a", tools=[tool]))


async def test_a_tool_that_was_built_by_hand_stands_behind_the_fence_too() -> None:
    ran: list[str] = []

    async def invoke(context: Any, text: str) -> str:
        ran.append(text)
        return "done"

    tool = FunctionTool(
        name="by_hand",
        description="x",
        params_json_schema={"type": "object", "properties": {"x": {"type": "integer"}}},
        on_invoke_tool=invoke,
        strict_json_schema=False,
        needs_approval=True,
    )
    thread = talk(Agent(name="a", model=model([("by_hand", {"x": 1})], "Done."), tools=[tool]))
    await thread.send("Hi")
    assert ran == []
    run = await thread.go(approved("call-1a", editedArgs={"x": 2}))
    assert ran == ['{"x": 2}']
    assert run.results["call-1a"].startswith("done")


async def test_the_given_agent_and_its_tools_stay_as_they_were() -> None:
    hotel = Hotel()
    inner = Agent(name="inner", model=model("x"), tools=hotel.tools())
    agent = hotel.agent([ROME], "Done.", handoffs=[inner])
    tools, invoke, handoffs = list(agent.tools), agent.tools[0].on_invoke_tool, list(agent.handoffs)
    thread = talk(agent)
    await thread.send("Hi")
    await thread.go(approved("call-1a"))
    assert (agent.tools, agent.handoffs) == (tools, handoffs)
    assert agent.tools[0].on_invoke_tool is invoke


async def test_a_factory_that_raises_fails_the_run_before_the_model_is_asked() -> None:
    def make(run_input: Any) -> Any:
        raise LookupError("no such user")

    agent = Hotel().agent("Done.")
    run = await talk(agent, context_factory=make).send("Hi")
    assert "no such user" in run.error.message
    assert agent.model.calls == ()


def test_a_mark_goes_along_with_the_copies_that_the_sdk_makes() -> None:
    marked = allow_decisions(Hotel().tools()[0], ["approve"])
    assert mark_of(copy.copy(marked)).decisions == ("approve",)
    assert mark_of(Hotel().tools()[0]).decisions == ("approve", "edit", "reject")


def test_without_the_extra_importing_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    adapter = "reflex_agentkit.adapters.openai_agents"
    for name in [name for name in sys.modules if name.startswith(adapter)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "agents", None)
    with pytest.raises(AdapterNotInstalledError, match=r'^pip install "reflex-agentkit\[openai-agents\]"$'):
        importlib.import_module(adapter)
