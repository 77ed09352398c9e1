"""Which thread a tab shows, whose it is, and who may not see it."""

from __future__ import annotations

import pytest

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.records.principal import Principal
from reflex_agentkit.testing.streams import pauses, question, says
from tests.state.states import USERS, ChatState
from tests.support.agents import Booker


@pytest.fixture
def users():
    """Who sits at which tab."""
    yield USERS
    USERS.clear()


async def said(page, kit, words: str, tab: str = "tab-1") -> str:
    await page.fire(ChatState.send_message(words), tab)
    thread_id = (await page.show(ChatState, tab)).thread_id
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0), tab)
    return thread_id


async def test_the_address_names_a_thread_once_something_was_said_in_it(page, chat):
    kit = await chat()
    await page.fire(ChatState.attach())
    assert (await page.show(ChatState)).address == ""
    thread_id = await said(page, kit, "Hi")
    assert (await page.show(ChatState)).address == thread_id


async def test_f02_another_browser_shows_the_same_by_the_address_and_the_latest_without_one(
    page, chat, clock
):
    kit = await chat()
    first = await said(page, kit, "First")
    clock.move(1)
    await page.fire(ChatState.new_thread())
    second = await said(page, kit, "Second")
    await page.fire(ChatState.attach(), "tab-2")
    page.address["tab-3"] = {"thread": first}
    await page.fire(ChatState.attach(), "tab-3")
    assert (await page.show(ChatState, "tab-2")).messages[0].text == "Second"
    assert (await page.show(ChatState, "tab-2")).address == second
    assert (await page.show(ChatState, "tab-3")).messages[0].text == "First"


async def test_f01_a_reload_brings_the_request_back(page, chat):
    kit = await chat(ScriptedAgent(pauses(question("q"))))
    thread_id = await said(page, kit, "Hi")
    before = (await page.show(ChatState)).pending_interrupt
    page.address["tab-1"] = {"thread": thread_id}
    await page.fire(ChatState.attach())
    assert (await page.show(ChatState)).pending_interrupt == before


async def test_f04_a_thread_that_is_gone_is_said_and_leaves_no_button(page, chat):
    kit = await chat(Booker())
    thread_id = await said(page, kit, "Book")
    shown = (await page.show(ChatState)).pending_interrupt
    await chat(Booker())  # the process began anew, and its memory is empty
    page.address["tab-1"] = {"thread": thread_id}
    await page.fire(ChatState.attach())
    state = await page.show(ChatState)
    assert state.notice.code == "unknown_thread"
    assert (state.pending_interrupt, state.messages, state.run_status) == (None, [], "idle")
    assert (state.address, state.thread_id != thread_id) == ("", True)
    await page.fire(ChatState.decide(shown.id, shown.digest, "approve", ""))
    assert (await page.show(ChatState)).notice.code == "unknown_interrupt"


async def test_f06_two_threads_keep_apart(page, chat):
    agent = ScriptedAgent(pauses(question("q")), says("b", "Hello B."), says("a", "Hello A."))
    kit = await chat(agent)
    waiting = await said(page, kit, "A")
    await page.fire(ChatState.new_thread())
    state = await page.show(ChatState)
    assert (state.pending_interrupt, state.run_status, state.messages) == (None, "idle", [])
    other = await said(page, kit, "B")
    assert (await page.show(ChatState)).messages[-1].text == "Hello B."
    await page.fire(ChatState.open_thread(waiting))
    state = await page.show(ChatState)
    assert (state.address, state.pending_interrupt.reason) == (waiting, "question")
    await page.fire(ChatState.respond_to_interrupt("3"))
    await kit.wait(waiting)
    assert agent.inputs[2].thread_id == waiting != other


async def test_the_list_has_this_persons_threads_the_latest_first(page, chat, users, clock):
    kit = await chat()
    users |= {"tab-1": "anna", "tab-2": Principal("bob", "Bob")}
    first = await said(page, kit, "First")
    clock.move(1)
    await page.fire(ChatState.new_thread())
    second = await said(page, kit, "Second")
    await said(page, kit, "Bob's", "tab-2")
    await page.fire(ChatState.load_threads())
    assert [one.id for one in (await page.show(ChatState)).threads] == [second, first]


async def test_s10_another_user_sees_changes_and_learns_nothing(page, chat, users, caplog):
    agent = Booker()
    kit = await chat(agent)
    users |= {"tab-1": "anna", "tab-2": "bob"}
    thread_id = await said(page, kit, "Book")
    shown = (await page.show(ChatState)).pending_interrupt
    notices = []
    for wanted in (thread_id, "thread-that-never-was"):
        page.address["tab-2"] = {"thread": wanted}
        await page.fire(ChatState.attach(), "tab-2")
        notices.append((await page.show(ChatState, "tab-2")).notice)
        await page.fire(ChatState.open_thread(wanted), "tab-2")
        notices.append((await page.show(ChatState, "tab-2")).notice)
        state = await page.show(ChatState, "tab-2")
        assert (state.messages, state.pending_interrupts) == ([], [])
    assert len({(notice.code, notice.text) for notice in notices}) == 1
    answers = []
    for interrupt_id in (shown.id, "int-that-never-was"):
        await page.fire(ChatState.decide(interrupt_id, shown.digest, "approve", ""), "tab-2")
        answers.append((await page.show(ChatState, "tab-2")).notice)
    assert answers[0].code == answers[1].code == "unknown_interrupt"
    assert answers[0].text.replace(shown.id, "") == answers[1].text.replace("int-that-never-was", "")
    assert (len(await kit.pending(thread_id)), agent.ran) == (1, [])
    assert "'bob'" in caplog.text
    assert thread_id in caplog.text


async def test_s10_who_signs_in_at_the_same_tab_does_not_see_what_was_shown(page, chat, users):
    agent = Booker()
    kit = await chat(agent)
    users["tab-1"] = "anna"
    thread_id = await said(page, kit, "Book")
    shown = (await page.show(ChatState)).pending_interrupt
    users["tab-1"] = "bob"
    await page.fire(ChatState.decide(shown.id, shown.digest, "approve", ""))
    state = await page.show(ChatState)
    assert (state.messages, state.pending_interrupts, state.thread_id != thread_id) == ([], [], True)
    assert (len(await kit.pending(thread_id)), agent.ran) == (1, [])


@pytest.mark.parametrize("nobody", [None, ""])
async def test_nobody_sees_nothing_and_is_told_to_sign_in(page, chat, users, nobody):
    kit = await chat()
    users["tab-1"] = nobody
    await page.fire(ChatState.attach())
    for spec in (
        ChatState.send_message("Hi"),
        ChatState.new_thread(),
        ChatState.load_threads(),
        ChatState.retry(),
    ):
        await page.fire(spec)
    state = await page.show(ChatState)
    assert (state.notice.code, state.messages, state.threads, state.thread_id) == (
        "not_signed_in",
        [],
        [],
        "",
    )
    assert await kit.threads() == []


@pytest.mark.parametrize(
    "wanted", [None, 5, {"id": "x"}, "", "x" * 100_000, ["thread-1"]], ids=lambda v: repr(v)[:20]
)
async def test_what_is_no_thread_opens_a_new_one_with_a_word(page, chat, wanted):
    await chat()
    await page.fire(ChatState.attach())
    await page.fire(ChatState.open_thread(wanted))
    state = await page.show(ChatState)
    assert (state.notice.code, state.run_status) == ("unknown_thread", "idle")


async def test_a_new_thread_stays_open_over_a_reconnect_although_nothing_was_said(page, chat):
    kit = await chat()
    await said(page, kit, "Hi")
    await page.fire(ChatState.new_thread())
    fresh = (await page.show(ChatState)).thread_id
    await page.fire(ChatState.attach())
    assert (await page.show(ChatState)).thread_id == fresh
