"""What a browser may send: any value to any event, any frame to the channel, at any moment."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
import reflex_base.config
from reflex_base.event import Event

from reflex_agentkit import AgentState
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.live.grants import GRANTS, Grants
from reflex_agentkit.testing.streams import approval, calls, pauses, question, says
from tests.live.conftest import Wire
from tests.state.states import PAINTED, USERS, ChatState, TripState


def nested(levels: int, *, as_list: bool) -> Any:
    value: Any = "x"
    for _ in range(levels):
        value = [value] if as_list else {"a": value}
    return value


VALUES = {
    "nothing": None,
    "true": True,
    "number": -1,
    "huge number": 10**400,
    "not a number": float("nan"),
    "empty": "",
    "half a character": "a\ud800b",
    "megabytes": "x" * 1_500_000,
    "list": [1],
    "object": {"a": 1},
    "prototype": {"__proto__": {"x": 1}},
    "deep list": nested(900, as_list=True),
    "deep object": nested(900, as_list=False),
    "just deep": nested(199, as_list=False),
    "wide": {str(number): number for number in range(110_000)},
    "nearly a yes": {"approved": 1},
    "deep edit": {"approved": True, "editedArgs": nested(800, as_list=False)},
}

CAN_GO_ON = ("new_thread", "open_thread", "cancel_run", "cancel_and_send", "cancel_interrupt", "setvar")
"""Events that leave the pause by right."""

SAY_IT = ("approve", "reject", "respond")


async def fire(page: Any, state_class: Any, name: str, payload: dict[str, Any]) -> None:
    router = {"pathname": "/", "asPath": "/", "query": {}, "token": "tab-1", "headers": {}}
    router |= {"ip": "127.0.0.1", "session_id": "sid-tab-1"}
    event = Event(name=f"{state_class.get_full_name()}.{name}", payload=payload, router_data=router)
    await (await page._processor.enqueue("tab-1", event)).wait_all()


@pytest.mark.parametrize("state_class", [ChatState, TripState])
async def test_any_value_to_any_event_raises_nothing_and_approves_nothing(page, make_kit, state_class):
    agent = ScriptedAgent([*calls("c", "book", {"nights": 1}), *pauses(approval("c"), question("q"))])
    kit = state_class.kit = await make_kit(agent)
    await page.fire(state_class.send_message("Hi"))
    thread_id = (await page.show(state_class)).thread_id
    await kit.wait(thread_id)
    await page.fire(state_class.sync(0))
    shown = (await page.show(state_class)).pending_interrupt
    events = [name for name in state_class.event_handlers if name not in CAN_GO_ON]
    for name in events:
        parameters = list(state_class.event_handlers[name].get_parameters())[1:]
        for value in VALUES.values():
            everywhere = dict.fromkeys(parameters, value)
            known = {"interrupt_id": shown.id, "digest": shown.digest, "shown": shown.digest}
            there = {p: known.get(p, value) for p in parameters}
            # Called as they should be, or with nothing at all, these say what they are named after.
            payloads = (
                [everywhere, there] if name not in SAY_IT else [everywhere] if value is not None else []
            )
            for payload in payloads:
                await fire(page, state_class, name, payload)
                assert not page.errors, (name, page.errors)
    assert [one.id for one in await kit.pending(thread_id)][:1] == [shown.id]
    assert len(agent.inputs) == 1
    (str(page.sent["tab-1"])).encode()


async def test_no_setting_of_reflex_lets_a_browser_set_what_we_show(monkeypatch):
    monkeypatch.setattr(reflex_base.config, "_state_auto_setters", True)

    class OpenState(AgentState):
        agent = ScriptedAgent()
        colour: str = ""

    assert "set_colour" in OpenState.event_handlers
    ours = {f"set_{name}" for name in AgentState.__annotations__ | OpenState.vars.keys()} - {"set_colour"}
    assert ours & set(OpenState.event_handlers) <= {"set_shared_state"}
    assert OpenState.event_handlers["set_shared_state"].fn.__doc__


async def two_calls(page, chat, first: tuple, second: tuple):
    PAINTED.clear()
    agent = ScriptedAgent([*calls("c1", *first), *calls("c2", *second)], says("m2", "Thanks."))
    kit = await chat(agent)
    await page.fire(ChatState.send_message("Go"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    return kit, thread_id


async def test_two_tabs_that_see_the_same_client_calls_run_each_once(page, chat, monkeypatch):
    first, second = ("paint_slowly", {"colour": "red"}), ("paint", {"colour": "blue"})
    kit, thread_id = await two_calls(page, chat, first, second)
    began, dried = asyncio.Event(), asyncio.Event()

    async def slow(_state, _pending):
        PAINTED.append("red")
        began.set()
        await dried.wait()
        return "dry"

    monkeypatch.setattr(ChatState._client_tools()["paint_slowly"], "run", slow, raising=False)
    one = asyncio.create_task(page.fire(ChatState.run_client_tools(), "tab-1"))
    await began.wait()
    page.address["tab-2"] = {"thread": thread_id}
    await page.fire(ChatState.attach(), "tab-2")
    dried.set()
    await one
    await kit.wait(thread_id)
    assert sorted(PAINTED) == ["blue", "red"]


async def test_a_client_tool_whose_result_cannot_be_given_runs_once_and_the_agent_is_told(
    page,
    chat,
    monkeypatch,
):
    agent = ScriptedAgent(calls("c1", "paint", {"colour": "\ud800"}), says("m2", "Thanks."))
    ran = []

    async def half(_state, _pending):
        ran.append(1)
        return {"painted": "\ud800"}

    kit = await chat(agent)
    monkeypatch.setattr(ChatState._client_tools()["paint"], "run", half, raising=False)
    await page.fire(ChatState.send_message("Go"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0))
    await kit.wait(thread_id)
    assert ran == [1]
    told = next(m.content for m in agent.inputs[1].messages if m.role == "tool")
    assert "cannot be given" in told


async def test_who_signs_in_at_a_tab_follows_their_own_thread_and_not_the_one_before(page, chat):
    kit = await chat()
    USERS["tab-1"] = "ann"
    try:
        await page.fire(ChatState.send_message("Hi"))
        anns = (await page.show(ChatState)).thread_id
        await kit.wait(anns)
        USERS["tab-1"] = "bob"
        await page.fire(ChatState.sync(0))
        grant = GRANTS.find("tab-1", ChatState.get_full_name())
        assert grant.thread_id == (await page.show(ChatState)).thread_id != anns
    finally:
        USERS.clear()


@pytest.fixture
async def live(clock, make_kit):
    """The channel with one tab, and a kit with two threads that it may be granted."""
    made = Wire({"a": "tab-1"}, Grants(), clock)
    kit = await make_kit(ScriptedAgent(says("m", "x")))
    for thread_id in ("t1", "t2"):
        await kit.send(thread_id, "Hi")
        await kit.wait(thread_id)
    yield made, kit
    await made.close()


@pytest.mark.parametrize("forged", [["connect"], ["connect", {}, 1], ["connect", "a", "b", "c"]])
async def test_a_page_that_says_it_connects_again_leaves_no_follower_behind(live, forged):
    wire, kit = live
    wire._grants.grant("tab-1", "chat", "t1", kit)
    await wire.trigger_event("connect", "a", {})
    assert await wire.trigger_event("sub", "a", {"k": "chat", "th": "t1"})
    await wire.trigger_event(forged[0], "a", *forged[1:])
    await wire.trigger_event("disconnect", "a", "gone")
    assert wire._rooms == {}


@pytest.mark.parametrize("name", [None, 1, [], {"a": 1}, "close", "message", "_granted", ""])
async def test_an_event_that_is_none_of_the_channels_is_not_heard(live, name):
    wire, _ = live
    await wire.trigger_event("connect", "a", {})
    assert await wire.trigger_event(name, "a", 1, 2, 3) is None


async def test_more_arguments_than_a_wish_has_are_not_looked_at(live):
    wire, kit = live
    wire._grants.grant("tab-1", "chat", "t1", kit)
    await wire.trigger_event("connect", "a", {})
    assert await wire.trigger_event("sub", "a", {"k": "chat", "th": "t1"}, 1, 2) is True
    assert await wire.trigger_event("sub", "a") is False


async def test_turning_to_another_thread_in_the_middle_of_a_turn_leaves_no_follower_behind(live):
    wire, kit = live
    await wire.on_connect("a")
    turns = []
    for _ in range(5):
        for thread_id in ("t1", "t2"):
            wire._grants.grant("tab-1", "chat", thread_id, kit)
            turns.append(asyncio.create_task(wire.on_sub("a", {"k": "chat", "th": thread_id})))
            await asyncio.sleep(0)
    await asyncio.gather(*turns)
    assert [room.name.split()[-1] for room in wire._rooms.values()] == ["t2"]
    await wire.on_disconnect("a")
    assert wire._rooms == {}


async def test_asking_on_and_on_for_what_was_missed_is_one_answer_at_a_time(live, clock):
    wire, kit = live
    wire._grants.grant("tab-1", "chat", "t1", kit)
    await wire.on_connect("a")
    for _ in range(100):
        await wire.on_sub("a", {"k": "chat", "th": "t1"})
    for _ in range(50):
        await asyncio.sleep(0)
    assert len(wire.sent["a"]) < 10
