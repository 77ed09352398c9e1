"""The channel: who may follow what, and what followers get."""

from __future__ import annotations

import asyncio

import pytest
from ag_ui.core import TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.live.channel import MAX_CHANNELS, read_wish
from reflex_agentkit.live.grants import Grants


class Slow:
    """An agent that writes a piece each time it is told to."""

    def __init__(self) -> None:
        self.pieces: asyncio.Queue[str | None] = asyncio.Queue()

    def agent(self) -> ScriptedAgent:
        return ScriptedAgent(self._write)

    async def _write(self, _run_input):
        yield TextMessageStartEvent(message_id="m1", role="assistant")
        while (piece := await self.pieces.get()) is not None:
            yield TextMessageContentEvent(message_id="m1", delta=piece)
        yield TextMessageEndEvent(message_id="m1")


@pytest.fixture
async def slow(make_kit):
    """A kit whose run writes when it is told to."""
    writer = Slow()
    kit = await make_kit(writer.agent())
    await kit.send("t1", "Tell me")
    yield kit, writer
    writer.pieces.put_nowait(None)
    await kit.wait("t1")


async def write(kit, writer, text: str) -> None:
    """Have the agent write a piece, and come back when the kit has it."""
    async with kit.watch("t1") as watched:
        before = watched.number
        writer.pieces.put_nowait(text)
        while watched.number == before:
            await watched.changed()
        while "m1" not in watched.fold.streaming or not watched.fold.text_since("m1", 0).endswith(text):
            await watched.changed()


async def connect(live, sid: str, thread_id: str = "t1", channel: str = "chat", **have) -> bool:
    await live.on_connect(sid, {})
    return await live.on_sub(sid, {"k": channel, "th": thread_id, "have": have})


async def test_a_tab_whose_state_opened_the_thread_gets_its_text(wire, slow):
    kit, writer = slow
    live = wire(a="tab-1")
    live._grants.grant("tab-1", "chat", "t1", kit)
    assert await connect(live, "a")
    await write(kit, writer, "Once ")
    await live.until("a", lambda _: live.text("a") == {"m1": "Once "})
    await write(kit, writer, "upon")
    await live.until("a", lambda _: live.text("a") == {"m1": "Once upon"})


async def test_f05_a_second_tab_that_comes_late_has_the_same_text_from_one_watch(wire, slow):
    kit, writer = slow
    live = wire(a="tab-1", b="tab-2")
    for tab in ("tab-1", "tab-2"):
        live._grants.grant(tab, "chat", "t1", kit)
    await connect(live, "a")
    await write(kit, writer, "Once ")
    await live.until("a", lambda _: live.text("a") == {"m1": "Once "})
    await connect(live, "b")
    await live.until("b", lambda _: live.text("b") == {"m1": "Once "})
    await write(kit, writer, "upon")
    for sid in ("a", "b"):
        await live.until(sid, lambda _, sid=sid: live.text(sid) == {"m1": "Once upon"})
    assert len(live._rooms) == 1
    assert kit._feed._feeds["t1"].watchers == 2  # the run's own, and one for both tabs


async def test_s10_a_thread_that_the_state_did_not_open_is_not_followed(wire, slow):
    kit, writer = slow
    live = wire(a="tab-1", b="tab-2", c="tab-3")
    live._grants.grant("tab-1", "chat", "t1", kit)
    live._grants.grant("tab-2", "chat", "t2", kit)
    assert not await connect(live, "b")
    assert not await connect(live, "c")
    assert not await connect(live, "b", channel="other")
    await connect(live, "a")
    await write(kit, writer, "secret")
    await live.until("a", lambda _: live.text("a") == {"m1": "secret"})
    assert (live.sent["b"], live.sent["c"]) == ([], [])


async def test_after_a_restart_a_tab_follows_as_soon_as_its_state_has_opened_the_thread(wire, slow):
    kit, writer = slow
    live = wire(a="tab-1")
    assert not await connect(live, "a")
    await write(kit, writer, "Once")
    live._grants.grant("tab-1", "chat", "t1", kit)
    await live.until("a", lambda _: live.text("a") == {"m1": "Once"})


async def test_a_tab_that_turns_to_another_thread_or_user_gets_no_more_of_the_first(wire, slow):
    kit, writer = slow
    live = wire(a="tab-1", b="tab-2")
    for tab in ("tab-1", "tab-2"):
        live._grants.grant(tab, "chat", "t1", kit)
    await connect(live, "a")
    await connect(live, "b")
    await write(kit, writer, "Once ")
    await live.until("a", lambda _: live.text("a") == {"m1": "Once "})
    live._grants.revoke("tab-1", "chat", kit)
    await live.until("b", lambda _: live.text("b") == {"m1": "Once "})
    await asyncio.gather(*live._tasks - {room._task for room in live._rooms.values()})
    await write(kit, writer, "upon")
    await live.until("b", lambda _: live.text("b") == {"m1": "Once upon"})
    assert live.text("a") == {"m1": "Once "}


@pytest.mark.parametrize("leave", ["disconnect", "unsub"])
async def test_the_last_follower_takes_the_watch_with_it(wire, slow, leave):
    kit, _ = slow
    live = wire(a="tab-1")
    live._grants.grant("tab-1", "chat", "t1", kit)
    await connect(live, "a")
    await live.until("a", lambda sent: sent)
    assert kit._feed._feeds["t1"].watchers == 2
    await (live.on_disconnect("a", "gone") if leave == "disconnect" else live.on_unsub("a", {"k": "chat"}))
    assert live._rooms == {}
    assert kit._feed._feeds["t1"].watchers == 1


async def test_two_kits_may_have_threads_of_the_same_name(wire, make_kit):
    kits = {"chat": await make_kit(ScriptedAgent()), "ops": await make_kit(ScriptedAgent())}
    live = wire(a="tab-1")
    await live.on_connect("a", {})
    for channel, kit in kits.items():
        live._grants.grant("tab-1", channel, "t1", kit)
        await live.on_sub("a", {"k": channel, "th": "t1"})
    await live.until("a", lambda sent: len(sent) >= 4)
    assert {data[0] for event, data in live.sent["a"] if event == "r"} == {"chat", "ops"}


BAD = [
    None, 5, "t1", [], {}, {"k": "chat"}, {"th": "t1"}, {"k": 1, "th": "t1"}, {"k": "chat", "th": ""},
    {"k": "x" * 401, "th": "t1"}, {"k": "chat", "th": "t1", "have": []},
    {"k": "chat", "th": "t1", "have": {str(n): 0 for n in range(201)}},
]  # fmt: skip


@pytest.mark.parametrize("data", BAD, ids=lambda value: repr(value)[:30])
async def test_what_is_no_wish_is_refused(wire, data):
    live = wire(a="tab-1")
    await live.on_connect("a", {})
    assert await live.on_sub("a", data) is False
    await live.on_unsub("a", data)
    assert live.sent == {}


def test_offsets_that_are_none_are_left_out():
    wish = read_wish({"k": "c", "th": "t", "have": {"a": 3, "b": -1, "c": True, "d": "4", 5: 6, "e": 2.5}})
    assert wish is not None
    assert wish.have == {"a": 3}


async def test_a_page_cannot_wish_without_end(wire):
    live = wire(a="tab-1")
    await live.on_connect("a", {})
    for place in range(2 * MAX_CHANNELS):
        await live.on_sub("a", {"k": f"c{place}", "th": "t1"})
    assert len(live._tabs["a"].wishes) == MAX_CHANNELS


def test_grants_of_tabs_that_are_gone_are_forgotten():
    grants = Grants(kept=2)
    for place in range(3):
        grants.grant(f"tab-{place}", "chat", "t1", None)
    assert [grants.find(f"tab-{place}", "chat") is None for place in range(3)] == [True, False, False]
    assert grants.find(None, "chat") is None
