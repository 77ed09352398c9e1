"""Saying something, and what a tab shows of it."""

from __future__ import annotations

import asyncio

import pytest
from ag_ui.core import RunErrorEvent, TextMessageContentEvent, TextMessageStartEvent

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.errors import StoreError
from reflex_agentkit.testing.streams import calls, gives, pauses, question, says
from tests.state.states import ChatState


async def test_what_is_said_and_answered_is_shown(page, chat):
    kit = await chat()
    await page.fire(ChatState.attach())
    await page.fire(ChatState.send_message("Hi"))
    state = await page.show(ChatState)
    await kit.wait(state.thread_id)
    await page.fire(ChatState.sync(1))
    state = await page.show(ChatState)
    assert [(m.role, m.text) for m in state.messages] == [("user", "Hi"), ("assistant", "Hello.")]
    assert (state.run_status, state.live, state.accepted) == ("idle", [], 1)


@pytest.mark.parametrize("form", [{"text": "Hi"}, {"message": "Hi"}, "Hi"])
async def test_a_form_may_say_it_under_either_name(page, chat, form):
    await chat()
    await page.fire(ChatState.send_message(form))
    assert [m.text for m in (await page.show(ChatState)).messages][:1] == ["Hi"]


@pytest.mark.parametrize(
    "sent", [None, "", "  \n", 3, [], {}, {"text": None}, {"text": ["Hi"]}, "x" * 200_001]
)
async def test_what_is_no_message_is_refused_in_words(page, chat, sent):
    await chat()
    await page.fire(ChatState.attach())
    await page.fire(ChatState.send_message(sent))
    state = await page.show(ChatState)
    assert state.notice.code in ("empty", "too_long")
    assert state.notice.text
    assert (state.messages, state.accepted) == ([], 0)


async def test_f23_a_message_during_a_pause_is_refused_and_the_composer_keeps_it(page, chat):
    kit = await chat(ScriptedAgent(pauses(question("q"))))
    await page.fire(ChatState.send_message("Hi"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    await page.fire(ChatState.send_message("And another thing"))
    state = await page.show(ChatState)
    assert (state.notice.code, state.accepted) == ("awaiting_input", 1)
    assert [m.text for m in state.messages] == ["Hi"]
    assert len(await kit.pending(thread_id)) == 1


async def test_f22_f23_cancel_and_send_says_it_and_tells_the_agent(page, chat):
    agent = ScriptedAgent(pauses(question("q")), says("m2", "Well."))
    kit = await chat(agent)
    await page.fire(ChatState.send_message("Hi"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    await page.fire(ChatState.cancel_and_send("Rather not"))
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (state.notice.code, state.accepted, state.pending_interrupts) == ("", 2, [])
    assert [m.text for m in state.messages if m.role == "user"] == ["Hi", "Rather not"]
    assert [entry.status for entry in agent.inputs[1].resume] == ["cancelled"]


async def test_f22_stop_while_waiting_frees_the_page_and_starts_nothing(page, chat):
    agent = ScriptedAgent(pauses(question("q")))
    kit = await chat(agent)
    await page.fire(ChatState.send_message("Hi"))
    await kit.wait((await page.show(ChatState)).thread_id)
    await page.fire(ChatState.sync(0))
    assert (await page.show(ChatState)).dialog_open
    await page.fire(ChatState.cancel_run())
    state = await page.show(ChatState)
    assert (state.run_status, state.pending_interrupt, state.dialog_open) == ("cancelled", None, False)
    assert len(agent.inputs) == 1


async def test_text_that_is_being_written_is_live_and_not_among_the_messages(page, chat):
    may_end = asyncio.Event()

    async def slow(_):
        yield TextMessageStartEvent(message_id="m1", role="assistant")
        yield TextMessageContentEvent(message_id="m1", delta="Once ")
        await may_end.wait()
        for event in says("m2", "Later."):
            yield event

    kit = await chat(ScriptedAgent(slow))
    await page.fire(ChatState.send_message("Tell me"))
    thread_id = (await page.show(ChatState)).thread_id
    async with kit.watch(thread_id) as watched:
        while not watched.fold.streaming:
            await watched.changed()
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert [m.text for m in state.messages] == ["Tell me"]
    assert [(one.id, one.role) for one in state.live] == [
        (f"{ChatState.get_full_name()} {thread_id} m1", "assistant")
    ]
    assert state.run_status == "running"
    may_end.set()
    await kit.wait(thread_id)


async def test_f29_a_failed_run_says_why_and_can_be_tried_again(page, chat):
    agent = ScriptedAgent([RunErrorEvent(message="The model is away.", code="away")], says("m1", "Here."))
    kit = await chat(agent)
    await page.fire(ChatState.send_message("Hi"))
    thread_id = (await page.show(ChatState)).thread_id
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (state.run_status, state.error.code, state.error.text) == ("error", "away", "The model is away.")
    await page.fire(ChatState.retry())
    await kit.wait(thread_id)
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (state.run_status, state.error.text, state.messages[-1].text) == ("idle", "", "Here.")
    await page.fire(ChatState.retry())
    assert (await page.show(ChatState)).notice.code == "nothing_to_retry"


async def test_a_tab_is_sent_only_what_changed(page, chat):
    kit = await chat()
    await page.fire(ChatState.attach())
    await page.fire(ChatState.send_message("Hi"))
    await kit.wait((await page.show(ChatState)).thread_id)
    await page.fire(ChatState.sync(0))
    page.vars_sent(ChatState)
    await page.fire(ChatState.sync(0))
    assert page.vars_sent(ChatState) == set()
    await page.fire(ChatState.load_threads())
    assert page.vars_sent(ChatState) == {"threads"}


async def test_older_messages_come_when_they_are_asked_for(page, chat):
    many = [event for place in range(70) for event in says(f"m{place}", f"{place}")]
    kit = await chat(ScriptedAgent(many))
    await page.fire(ChatState.send_message("Count"))
    await kit.wait((await page.show(ChatState)).thread_id)
    await page.fire(ChatState.sync(0))
    state = await page.show(ChatState)
    assert (len(state.messages), state.earlier, state.messages[-1].text) == (50, 21, "69")
    await page.fire(ChatState.load_earlier())
    state = await page.show(ChatState)
    assert (len(state.messages), state.earlier, state.messages[0].text) == (71, 0, "Count")


async def test_a_tool_call_is_shown_with_its_exact_arguments(page, chat):
    text = '{"amount": 12345678901234567.89, "id": 9007199254740993}'
    kit = await chat(ScriptedAgent([*calls("c", "pay", text), *gives("c", "paid")]))
    await page.fire(ChatState.send_message("Pay"))
    await kit.wait((await page.show(ChatState)).thread_id)
    await page.fire(ChatState.sync(0))
    [call] = [call for m in (await page.show(ChatState)).messages for call in m.tool_calls]
    assert (call.name, call.status, call.result) == ("pay", "done", "paid")
    assert call.args_text == '{\n  "amount": 12345678901234567.89,\n  "id": 9007199254740993\n}'


async def test_a_store_that_fails_is_said_and_nothing_is_taken_for_done(page, chat, monkeypatch):
    kit = await chat()
    await page.fire(ChatState.attach())

    async def broken(*_args, **_options):
        raise StoreError("disk full")

    monkeypatch.setattr(kit, "send", broken)
    await page.fire(ChatState.send_message("Hi"))
    state = await page.show(ChatState)
    assert (state.notice.code, state.accepted) == ("not_stored", 0)
