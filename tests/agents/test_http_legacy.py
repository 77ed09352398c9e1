"""`legacy_interrupts=True`: what `on_interrupt` asks is a standard interrupt, answered in the older way."""

from __future__ import annotations

import json

import pytest
from ag_ui.core import (
    CustomEvent,
    ResumeEntry,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    UserMessage,
)

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.protocol.verdicts import Answer, Cancel
from reflex_agentkit.testing.streams import calls, question
from tests.agents.raw_server import asked, heard, raw_server

VALUE = {"reason": "slot", "message": "Which slot?", "slots": ["9:00", "10:00"]}


def asks(*values, outcome=None):
    async def answer(request):
        started, finished = request.ends()
        customs = [CustomEvent(name="on_interrupt", value=value) for value in values]
        await request.stream(started, *customs, finished.model_copy(update={"outcome": outcome}))

    return answer


async def plain(request):
    await request.run()


async def asked_by(server):
    """The interrupts that a run ends with."""
    events = await heard(HttpAgent(server.url, legacy_interrupts=True))
    assert not any(isinstance(event, CustomEvent) for event in events)
    return events[-1].outcome.interrupts


@pytest.mark.parametrize("value", [VALUE, json.dumps(VALUE), {**VALUE, "id": "thread-1"}])
async def test_an_object_and_its_json_text_are_the_same_interrupt(value):
    async with raw_server(asks(value)) as server:
        [interrupt] = await asked_by(server)
    assert (interrupt.reason, interrupt.message) == ("slot", "Which slot?")
    assert interrupt.metadata["payload"]["slots"] == ["9:00", "10:00"]
    assert interrupt.id.startswith("legacy-run-1")


@pytest.mark.parametrize("value", ["How many?", "7", 7, None, ["a"]])
async def test_whatever_is_asked_can_be_answered(value):
    async with raw_server(asks(value)) as server:
        [interrupt] = await asked_by(server)
    assert interrupt.id
    assert "payload" in interrupt.metadata


async def test_without_the_switch_the_events_pass_as_they_came():
    async with raw_server(asks(VALUE)) as server:
        events = await heard(HttpAgent(server.url))
    assert events[1].value == VALUE
    assert events[-1].outcome is None


async def test_where_a_run_carries_both_the_standard_one_wins():
    standard = RunFinishedInterruptOutcome(interrupts=[question("int-1")])
    async with raw_server(asks(VALUE, VALUE, outcome=standard)) as server:
        assert [one.id for one in await asked_by(server)] == ["int-1"]


async def test_a_run_that_was_cancelled_asks_nothing():
    async with raw_server(asks(VALUE, outcome=RunFinishedCancelledOutcome())) as server:
        events = await heard(HttpAgent(server.url, legacy_interrupts=True))
    assert events[-1].outcome.type == "cancelled"


async def test_client_calls_that_are_left_beside_it_are_still_named():
    left = RunFinishedSuccessOutcome(pending_tool_call_ids=["call-1"])
    async with raw_server(asks(VALUE, outcome=left)) as server:
        events = await heard(HttpAgent(server.url, legacy_interrupts=True))
    assert events[-1].metadata == {"pendingToolCallIds": ["call-1"]}


async def test_several_at_once_are_a_clear_error():
    async with raw_server(asks(VALUE, "And how many?")) as server:
        events = await heard(HttpAgent(server.url, legacy_interrupts=True))
    assert isinstance(events[-1], RunErrorEvent)
    assert events[-1].code == "several_legacy"
    assert "one by one" in events[-1].message


@pytest.mark.parametrize("payload", ["10:00", 0, False, None, {}, {"approved": True}])
async def test_the_answer_goes_back_by_the_command_and_not_by_a_resume(payload):
    async with raw_server(asks(VALUE), plain) as server:
        [interrupt] = await asked_by(server)
        entry = ResumeEntry(interrupt_id=interrupt.id, status="resolved", payload=payload)
        given = asked(resume=[entry], forwarded_props={"team": "a", "command": {"goto": "x"}})
        await heard(HttpAgent(server.url, legacy_interrupts=True), given)
    sent = server.bodies[-1]
    assert "resume" not in sent
    assert sent["forwardedProps"] == {"team": "a", "command": {"goto": "x", "resume": payload}}


async def test_a_standard_interrupt_is_answered_in_the_standard_way_also_with_the_switch():
    entry = ResumeEntry(interrupt_id="int-1", status="resolved", payload=1)
    async with raw_server(plain) as server:
        await heard(HttpAgent(server.url, legacy_interrupts=True), asked(resume=[entry]))
    assert server.bodies[0]["resume"][0]["interruptId"] == "int-1"
    assert server.bodies[0]["forwardedProps"] == {}


async def test_answers_of_both_kinds_at_once_are_refused_before_anything_is_sent():
    entries = [
        ResumeEntry(interrupt_id=one, status="resolved", payload=1) for one in ("legacy-run-0:u", "int-1")
    ]
    async with raw_server(plain) as server:
        [error] = await heard(HttpAgent(server.url, legacy_interrupts=True), asked(resume=entries))
    assert (error.code, server.requests) == ("several_legacy", [])


async def test_a_cancelled_one_resumes_nothing():
    async with raw_server(asks(VALUE), plain) as server:
        [interrupt] = await asked_by(server)
        entry = ResumeEntry(interrupt_id=interrupt.id, status="cancelled")
        events = await heard(
            HttpAgent(server.url, legacy_interrupts=True), asked(resume=[entry], run_id="run-2")
        )
        assert len(server.requests) == 1
        assert [event.type.value for event in events] == ["RUN_STARTED", "RUN_FINISHED"]
        said = asked(resume=[entry])
        said.messages.append(UserMessage(id="user-2", content="Something else"))
        await heard(HttpAgent(server.url, legacy_interrupts=True), said)
    assert "resume" not in server.bodies[-1]
    assert server.bodies[-1]["forwardedProps"] == {}


async def test_several_cancelled_ones_resume_nothing_and_leave_the_thread_usable():
    entries = [
        ResumeEntry(interrupt_id=one, status="cancelled") for one in ("legacy-run-0-0", "legacy-run-0-1")
    ]
    standard = ResumeEntry(interrupt_id="int-1", status="resolved", payload=1)
    async with raw_server(plain) as server:
        agent = HttpAgent(server.url, legacy_interrupts=True)
        for resume in (entries, [*entries, standard]):
            assert (await heard(agent, asked(resume=resume)))[-1].type.value == "RUN_FINISHED"
    assert [body.get("resume") for body in server.bodies] == [
        None,
        [{"interruptId": "int-1", "status": "resolved", "payload": 1}],
    ]


async def test_through_the_kit_it_is_a_question_like_any_other(make_kit):
    async with raw_server(asks(VALUE), asks(VALUE), plain) as server:
        kit = await make_kit(HttpAgent(server.url, legacy_interrupts=True))
        await kit.send("t", "Book")
        await kit.wait("t")
        [pending] = await kit.pending("t")
        assert (pending.kind, pending.reason, pending.payload["slots"]) == (
            "question",
            "slot",
            ["9:00", "10:00"],
        )
        await kit.answer(pending.id, Answer("10:00"), by="ann")
        assert await kit.wait("t") == "awaiting_input"
        assert server.bodies[-1]["forwardedProps"] == {"command": {"resume": "10:00"}}
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Cancel(), by="ann")
        assert await kit.wait("t") == "idle"
        assert len(server.requests) == 2
        await kit.send("t", "Thank you")
        assert await kit.wait("t") == "idle"
    assert "resume" not in server.bodies[-1]


async def test_an_older_approval_of_a_call_is_an_approval(make_kit):
    async def answer(request):
        started, finished = request.ends()
        value = {
            "toolCallId": "call-1",
            "message": "Book?",
            "responseSchema": {"properties": {"approved": {"type": "boolean"}}},
        }
        asks_for_it = CustomEvent(name="on_interrupt", value=value)
        await request.stream(started, *calls("call-1", "book", {"city": "Rome"}), asks_for_it, finished)

    async with raw_server(answer) as server:
        kit = await make_kit(HttpAgent(server.url, legacy_interrupts=True))
        await kit.send("t", "Book")
        await kit.wait("t")
        [pending] = await kit.pending("t")
    assert (pending.kind, pending.tool_name, pending.args) == ("approval", "book", {"city": "Rome"})
