"""Client tools: what the model is told, what runs, and what no browser can call."""

from __future__ import annotations

import asyncio

import pytest

from reflex_agentkit import ConfigurationError, client_tool
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.testing.streams import calls, says
from tests.state.states import PAINTED, ChatState


@pytest.fixture(autouse=True)
def unpainted():
    PAINTED.clear()


async def asked(page, chat, name: str, args):
    """An agent calls a client tool; gives the kit, the agent and the thread."""
    agent = ScriptedAgent([*calls("c1", name, args)], says("m2", "Thanks."))
    kit = await chat(agent)
    await page.fire(ChatState.send_message("Go"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    return kit, agent, thread_id


def result(agent) -> str:
    return next(m.content for m in agent.inputs[1].messages if m.role == "tool")


async def test_the_model_is_told_name_docstring_and_types(page, chat):
    _, agent, _ = await asked(page, chat, "read_colour", {})
    tools = {tool.name: tool for tool in agent.inputs[0].tools}
    assert set(tools) == {"paint", "paint_slowly", "read_colour", "how_many"}
    assert tools["paint"].description == "Paint the page."
    schema = tools["paint"].parameters
    assert schema["required"] == ["colour"]
    assert schema["additionalProperties"] is False
    assert schema["properties"]["times"] == {"default": 1, "title": "Times", "type": "integer"}


async def test_the_app_runs_it_with_the_state_at_hand_and_no_person_is_asked(page, chat):
    kit, agent, thread_id = await asked(page, chat, "paint", {"colour": "red"})
    await page.fire(ChatState.sync(0))
    await kit.wait(thread_id)
    state = await page.show(ChatState)
    assert (state.colour, state.pending_interrupts, PAINTED) == ("red", [], ["red"])
    assert result(agent) == '{"painted": "red", "times": 1}'


async def test_it_may_be_async(page, chat):
    kit, agent, thread_id = await asked(page, chat, "read_colour", {})
    await page.fire(ChatState.sync(0))
    await kit.wait(thread_id)
    assert result(agent) == "grey"


async def test_two_tabs_that_see_it_run_it_once(page, chat):
    kit, agent, thread_id = await asked(page, chat, "paint_slowly", {"colour": "red"})
    page.address["tab-2"] = {"thread": thread_id}
    await asyncio.gather(
        page.fire(ChatState.sync(0)), page.fire(ChatState.attach(), "tab-2"), page.fire(ChatState.sync(0))
    )
    await kit.wait(thread_id)
    assert PAINTED == ["red"]
    assert len(agent.inputs) == 2


@pytest.mark.parametrize(
    ("args", "told"),
    [
        ({"colour": "nothing"}, "Error: paint failed: ValueError: there is no such colour"),
        ({"colour": "red", "times": "often"}, "Error: wrong arguments for paint: times: "),
        ({}, "Error: wrong arguments for paint: colour: "),
        ({"colour": "red", "self": 1}, "Error: wrong arguments for paint: self: "),
    ],
)
async def test_what_goes_wrong_is_told_to_the_model(page, chat, args, told):
    kit, agent, thread_id = await asked(page, chat, "paint", args)
    await page.fire(ChatState.sync(0))
    await kit.wait(thread_id)
    assert result(agent).startswith(told)


async def test_a_tool_that_asks_is_a_question_and_the_answer_is_its_result(page, chat):
    kit, agent, thread_id = await asked(page, chat, "how_many", {"what": "nights"})
    await page.fire(ChatState.sync(0))
    view = (await page.show(ChatState)).pending_interrupt
    assert (view.kind, view.tool_name, view.args) == ("question", "how_many", {"what": "nights"})
    await page.fire(ChatState.decide(view.id, view.digest, "answer", "3"))
    await kit.wait(thread_id)
    assert result(agent) == "3"


@pytest.mark.parametrize("name", ["get_user", "send_message", "new_thread", "reset", "_pull"])
async def test_a_method_that_is_not_marked_is_never_called_this_way(page, chat, name):
    kit, agent, thread_id = await asked(page, chat, name, {})
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert len(agent.inputs) == 1
    assert state.thread_id == thread_id
    assert PAINTED == []
    await kit.cancel(thread_id)


def test_no_browser_can_call_a_client_tool_or_a_hook_as_an_event():
    events = set(ChatState.event_handlers)
    assert not events & {"paint", "read_colour", "how_many", "get_user", "get_agent"}
    assert not [name for name in events if name.startswith("_")]


def test_parameters_that_cannot_be_named_are_refused_when_marked():
    with pytest.raises(ConfigurationError, match="by name"):

        @client_tool
        def bad(self, *rest): ...

    with pytest.raises(ConfigurationError, match="underscore"):

        @client_tool
        def also_bad(self, _hidden: int): ...
