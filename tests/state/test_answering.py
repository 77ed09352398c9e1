"""Answers from a page: what counts, what is refused, and what a second tab sees."""

from __future__ import annotations

import asyncio

import pytest

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.testing.streams import approval, calls, pauses, question, says
from tests.state.states import ChatState
from tests.support.agents import Booker


async def waiting(page, kit, *tabs: str) -> str:
    """Say something in the first tab, and open what stands open in all."""
    tabs = tabs or ("tab-1",)
    await page.fire(ChatState.send_message("Book"), tabs[0])
    thread_id = (await page.show(ChatState, tabs[0])).thread_id
    await kit.wait(thread_id)
    for tab in tabs:
        page.address[tab] = {"thread": thread_id}
        await page.fire(ChatState.attach(), tab)
    return thread_id


def shown(state) -> tuple[str, str]:
    return state.pending_interrupt.id, state.pending_interrupt.digest


async def test_one_click_approves_and_the_tool_runs_once(page, chat):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    state = await page.show(ChatState)
    assert (state.run_status, state.dialog_open, state.pending_interrupt.tool_name) == (
        "awaiting_input",
        True,
        "book",
    )
    await page.fire(ChatState.decide(*shown(state), "approve", ""))
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert agent.ran == [{"city": "Lisbon", "nights": 2}]
    assert (state.dialog_open, state.notice.text, state.messages[-1].text) == (False, "", "All done.")
    [call] = [call for m in state.messages for call in m.tool_calls]
    assert (call.decision.verdict, call.decision.by) == ("approved", "You")


async def test_edited_arguments_keep_every_digit(page, chat):
    agent = Booker({"city": "Lisbon", "nights": 2})
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    state = await page.show(ChatState)
    await page.fire(ChatState.decide(*shown(state), "edit", '{"city": "Porto", "nights": 3}'))
    await kit.wait(thread_id)
    assert agent.ran == [{"city": "Porto", "nights": 3}]


@pytest.mark.parametrize(
    "text", ['{"city": "Porto", "nights": 3', "[]", '"x"', "", None, 5, {"city": "Porto"}, "x" * 1_000_001]
)
async def test_f18_s09_an_edit_that_is_no_json_object_is_refused_in_words(page, chat, text):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    state = await page.show(ChatState)
    await page.fire(ChatState.decide(*shown(state), "edit", text))
    state = await page.show(ChatState)
    assert (state.notice.code, bool(state.notice.text)) == ("invalid_answer", True)
    assert (len(await kit.pending(thread_id)), agent.ran, state.dialog_open) == (1, [], True)


async def test_s09_a_wrong_argument_is_named_with_its_place(page, chat):
    kit = await chat(Booker())
    thread_id = await waiting(page, kit)
    state = await page.show(ChatState)
    await page.fire(ChatState.decide(*shown(state), "edit", '{"city": "Porto", "nights": "5"}'))
    notice = (await page.show(ChatState)).notice
    assert notice.code == "invalid_answer"
    assert "nights" in notice.path
    assert len(await kit.pending(thread_id)) == 1


ALMOST = [
    {"approved": "true"},
    {"approved": 1},
    {"approved": "false"},
    {"approved": [True]},
    True,
    "yes",
    None,
    {},
]


@pytest.mark.parametrize("payload", ALMOST, ids=repr)
async def test_s08_almost_a_yes_is_no_answer(page, chat, payload):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    await page.fire(ChatState.respond_to_interrupt(payload))
    assert (await page.show(ChatState)).notice.code == "invalid_answer"
    assert (len(await kit.pending(thread_id)), agent.ran) == (1, [])


async def test_a_payload_of_the_answer_table_is_understood_from_a_renderer(page, chat):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    payload = {"approved": True, "editedArgs": {"city": "Porto", "nights": 3}, "chosen_time": "10:00"}
    await page.fire(ChatState.respond_to_interrupt(payload))
    await kit.wait(thread_id)
    assert agent.ran == [{"city": "Porto", "nights": 3}]
    assert agent.answers[0].payload["chosen_time"] == "10:00"


@pytest.mark.parametrize("value", [False, 0, "", [], "3", 3.5, {"a": None}], ids=repr)
async def test_f19_an_answer_arrives_as_it_was_given(page, chat, value):
    agent = ScriptedAgent(pauses(question("q")), says("m2", "Fine."))
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    await page.fire(ChatState.respond_to_interrupt(value))
    await kit.wait(thread_id)
    [entry] = agent.inputs[1].resume
    assert (entry.payload, type(entry.payload), entry.interrupt_id) == (value, type(value), "q")


async def test_f09_after_the_answer_a_message_is_a_message(page, chat):
    agent = ScriptedAgent(pauses(question("q")), says("m2", "Fine."))
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    await page.fire(ChatState.respond_to_interrupt("3"))
    await kit.wait(thread_id)
    await page.fire(ChatState.send_message("Thanks"))
    await kit.wait(thread_id)
    assert agent.inputs[2].resume is None
    assert agent.inputs[2].messages[-1].content == "Thanks"


async def test_f11_an_agent_may_pause_again(page, chat):
    kit = await chat(ScriptedAgent(pauses(question("q1")), pauses(question("q2")), says("m", "Done.")))
    thread_id = await waiting(page, kit)
    for answer in ("1", "2"):
        assert (await page.show(ChatState)).run_status == "awaiting_input"
        await page.fire(ChatState.respond_to_interrupt(answer))
        await kit.wait(thread_id)
        await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (state.run_status, state.pending_interrupt) == ("idle", None)
    assert [m.decision.after_text for m in state.messages if m.role == "decision"] == ['"1"', '"2"']


async def test_f14_the_remaining_number_is_right_in_every_tab(page, chat):
    agent = Booker(*({"city": city, "nights": 1} for city in ("Rome", "Oslo", "Bonn")))
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    state = await page.show(ChatState)
    assert [(p.position, p.total) for p in state.pending_interrupts] == [(1, 3), (2, 3), (3, 3)]
    await page.fire(ChatState.approve())
    page.address["tab-2"] = {"thread": thread_id}
    await page.fire(ChatState.attach(), "tab-2")
    for tab in ("tab-1", "tab-2"):
        state = await page.show(ChatState, tab)
        assert [(p.position, p.total) for p in state.pending_interrupts] == [(2, 3), (3, 3)]
    await page.fire(ChatState.approve())
    await page.fire(ChatState.reject("not there"))
    await kit.wait(thread_id)
    assert [entry.payload["approved"] for entry in agent.inputs[1].resume] == [True, True, False]


async def test_f08_two_tabs_at_once_one_decides_and_the_other_is_told(page, chat):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit, "tab-1", "tab-2")
    one = await page.show(ChatState, "tab-1")
    await asyncio.gather(
        page.fire(ChatState.decide(*shown(one), "approve", ""), "tab-1"),
        page.fire(ChatState.decide(*shown(one), "reject", "no"), "tab-2"),
    )
    await kit.wait(thread_id)
    notices = [(await page.show(ChatState, tab)).notice for tab in ("tab-1", "tab-2")]
    assert sorted(notice.code for notice in notices) == ["", "already_decided"]
    assert len(agent.inputs) == 2
    assert len(agent.ran) <= 1


async def test_an_answer_that_names_nothing_means_what_the_tab_shows_and_moved_on_is_refused(page, chat):
    agent = Booker({"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 1})
    kit = await chat(agent)
    thread_id = await waiting(page, kit, "tab-1", "tab-2")
    first = (await page.show(ChatState, "tab-2")).pending_interrupt
    await page.fire(ChatState.reject("", first.id), "tab-2")
    await page.fire(ChatState.sync(0))
    # The click of tab-1 was on its way: the browser says what it showed.
    await page.fire(ChatState.approve(interrupt_id=first.id, shown=first.digest))
    assert (await page.show(ChatState)).notice.code == "already_decided"
    assert [p.args["city"] for p in await kit.pending(thread_id)] == ["Oslo"]


async def test_s07_an_id_that_was_never_issued_or_shown_decides_nothing(page, chat, caplog):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    real = (await page.show(ChatState)).pending_interrupt.id
    for interrupt_id, digest in [
        ("int-999", "x"),
        (real, "0" * 64),
        (real, None),
        (real, 5),
        ({"id": real}, ""),
        ("x" * 500, ""),
        (None, None),
    ]:
        await page.fire(ChatState.decide(interrupt_id, digest, "approve", ""))
        assert (await page.show(ChatState)).notice.code in ("unknown_interrupt", "changed")
    assert (len(await kit.pending(thread_id)), agent.ran) == (1, [])
    assert "int-999" in caplog.text


@pytest.mark.parametrize("decision", ["Approve", "yes", "", None, True, ["approve"], "approve "], ids=repr)
async def test_a_word_that_is_no_decision_decides_nothing(page, chat, decision):
    agent = Booker()
    kit = await chat(agent)
    thread_id = await waiting(page, kit)
    await page.fire(ChatState.decide(*shown(await page.show(ChatState)), decision, ""))
    assert (await page.show(ChatState)).notice.code == "not_allowed"
    assert (len(await kit.pending(thread_id)), agent.ran) == (1, [])


async def test_an_approval_that_was_not_shown_here_cannot_be_given_here(page, chat):
    kit = await chat(Booker())
    await page.fire(ChatState.attach())
    await page.fire(ChatState.send_message("Book"))
    state = await page.show(ChatState)
    await kit.wait(state.thread_id)
    [pending] = await kit.pending(state.thread_id)
    # This tab has not pulled: it shows nothing yet.
    await page.fire(ChatState.approve(interrupt_id=pending.id))
    assert (await page.show(ChatState)).notice.code == "changed"
    assert len(await kit.pending(state.thread_id)) == 1


async def test_hiding_the_dialog_decides_nothing_and_it_can_be_brought_back(page, chat):
    kit = await chat(Booker())
    thread_id = await waiting(page, kit)
    interrupt_id = (await page.show(ChatState)).pending_interrupt.id
    await page.fire(ChatState.dismiss(interrupt_id))
    assert not (await page.show(ChatState)).dialog_open
    await page.fire(ChatState.attach())
    assert not (await page.show(ChatState)).dialog_open
    await page.fire(ChatState.review(interrupt_id))
    assert (await page.show(ChatState)).dialog_open
    assert len(await kit.pending(thread_id)) == 1


async def test_another_open_request_can_be_looked_at_and_stays_on_the_screen(page, chat):
    kit = await chat(Booker({"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 1}))
    await waiting(page, kit)
    second = (await page.show(ChatState)).pending_interrupts[1]
    await page.fire(ChatState.review(second.id))
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (state.pending_interrupt.id, state.pending_interrupt.position) == (second.id, 2)


async def test_f25_what_cannot_be_read_is_shown_and_cannot_be_approved(page, chat):
    broken = '{"city": "Lis'
    kit = await chat(ScriptedAgent([*calls("c", "book", broken), *pauses(approval("c"))], says("m", "Ok.")))
    thread_id = await waiting(page, kit)
    view = (await page.show(ChatState)).pending_interrupt
    assert (view.readable, view.args_text) == (False, broken)
    await page.fire(ChatState.decide(view.id, view.digest, "approve", ""))
    assert (await page.show(ChatState)).notice.code == "not_allowed"
    await page.fire(ChatState.decide(view.id, view.digest, "reject", ""))
    await kit.wait(thread_id)
    assert await kit.pending(thread_id) == []
