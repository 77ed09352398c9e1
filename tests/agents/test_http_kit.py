"""A remote agent under the engine: what was handed over, what came back, and what nobody can know."""

from __future__ import annotations

import asyncio
import json

import pytest
from ag_ui.core import (
    MessagesSnapshotEvent,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    ToolCallResultEvent,
)

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.protocol.notes import handed_event
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Reject
from reflex_agentkit.store.memory import MemoryStore
from reflex_agentkit.testing.streams import approval, calls, gives, question, says
from tests.agents.raw_server import STREAM, asked, frame, page, raw_server

ARGS = {"city": "Rome", "nights": 2}


async def asks(request):
    """Proposes a call and asks for a yes."""
    started, finished = request.ends()
    outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1")])
    proposal = calls("call-1", "book", ARGS)
    await request.stream(started, *proposal, finished.model_copy(update={"outcome": outcome}))


async def inquires(request):
    """Asks a question that names no call."""
    started, finished = request.ends()
    outcome = RunFinishedInterruptOutcome(interrupts=[question("q-1", "Really?")])
    await request.stream(started, finished.model_copy(update={"outcome": outcome}))


async def plain(request):
    await request.run(*says("m", "Done."))


async def ran(request):
    await request.run(*gives("call-1", "Booked."), *says("m", "Done."))


async def dies(request):
    """Begins to answer and is killed."""
    await request.stream(request.ends()[0])
    request.reset()


async def drops(request):
    request.reset()


async def fails(request):
    await request.stream(request.ends()[0], RunErrorEvent(message="the model endpoint returned 503"))


async def refuses(request):
    await request.send(page("401 Unauthorized", "application/json", '{"detail": "token too old"}'))


async def gateway(request):
    await request.send(page("502 Bad Gateway", "text/html", "<h1>Bad gateway</h1>"))


@pytest.fixture
def store():
    return MemoryStore()


@pytest.fixture
async def paused(make_kit, store):
    """A function that gives a kit whose thread `t` waits for an answer."""

    async def make(server):
        kit = await make_kit(HttpAgent(server.url, timeout=5), store=store)
        await kit.send("t", "Book")
        assert await kit.wait("t") == "awaiting_input"
        return kit

    return make


async def answered(kit, answer):
    [pending] = await kit.pending("t")
    await kit.answer(pending.id, answer, by="ann")
    return await kit.wait("t")


async def states(store):
    return [record.state for record in await store.interrupts("t")]


async def call_of(kit):
    conversation = await kit.conversation("t")
    return next(call for message in conversation.messages for call in message.tool_calls)


async def test_a_call_is_sent_and_not_ran_until_its_result_arrives(paused, store):
    told, seen = asyncio.Event(), asyncio.Event()

    async def slowly(request):
        started, finished = request.ends()
        await request.stream(started, *says("m", "Working."))
        told.set()
        await seen.wait()
        await request.send(
            frame(ToolCallResultEvent(message_id="r", tool_call_id="call-1", content="Booked."))
        )
        await request.send(frame(finished))

    async with raw_server(asks, slowly) as server:
        kit = await paused(server)
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Approve(), by="ann")
        await told.wait()
        assert ((await call_of(kit)).status, await states(store)) == ("sent", ["begun"])
        seen.set()
        assert await kit.wait("t") == "idle"
        call = await call_of(kit)
    assert (call.status, call.result, await states(store)) == ("done", "Booked.", ["done"])


async def test_a_run_that_ends_well_without_a_result_leaves_the_call_as_sent(paused, store):
    async with raw_server(asks, plain, plain) as server:
        kit = await paused(server)
        assert await answered(kit, Approve()) == "idle"
        assert ((await call_of(kit)).status, await states(store)) == ("sent", ["done"])
        await kit.send("t", "And now?")
        await kit.wait("t")
    assert "resume" not in server.bodies[-1]
    assert (await call_of(kit)).status == "sent"


@pytest.mark.parametrize("end", [dies, drops, fails, gateway])
@pytest.mark.parametrize("again", ["retry", "send"])
async def test_a_yes_without_a_result_after_a_broken_run_is_in_doubt_and_never_sent_again_f29(
    paused, store, end, again
):
    async with raw_server(asks, end, plain) as server:
        kit = await paused(server)
        assert await answered(kit, Approve()) == "error"
        assert await states(store) == ["in_doubt"]
        assert (await call_of(kit)).status == "sent"
        if await kit.pending("t"):
            return  # the doubt is asked about; until then nothing goes on
        await (kit.retry("t") if again == "retry" else kit.send("t", "What happened?"))
        assert await kit.wait("t") == "idle"
    assert len(server.requests) == 3
    assert "resume" not in server.bodies[-1]
    [told] = [one for one in server.bodies[-1]["messages"] if one["role"] == "tool"]
    assert told["toolCallId"] == "call-1"
    assert "may or may not" in told["content"]


async def test_a_yes_to_a_question_is_not_sent_again_either(paused, store):
    async with raw_server(inquires, dies, plain) as server:
        kit = await paused(server)
        assert await answered(kit, Answer(value=True)) == "error"
    assert await states(store) == ["in_doubt"]


@pytest.mark.parametrize("answer", [Reject("no"), Cancel()])
async def test_a_refusal_may_be_told_again(paused, store, answer):
    async with raw_server(asks, dies, plain) as server:
        kit = await paused(server)
        assert await answered(kit, answer) == "error"
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
    assert len(server.requests) == 3
    assert server.bodies[-1]["resume"] == server.bodies[-2]["resume"]


async def test_what_has_a_result_is_settled_although_the_run_broke_off(paused, store):
    async def result_then_dies(request):
        await request.stream(request.ends()[0], *gives("call-1", "Booked."))

    async with raw_server(asks, result_then_dies, plain) as server:
        kit = await paused(server)
        assert await answered(kit, Approve()) == "error"
        assert await states(store) == ["done"]
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
    assert "resume" not in server.bodies[-1]
    assert server.bodies[-1]["messages"][-1]["content"] == "Booked."


@pytest.mark.parametrize("edited", [None, {"city": "Oslo", "nights": 1}])
@pytest.mark.parametrize("again", [ARGS, {"city": "Oslo", "nights": 1}])
async def test_a_call_that_is_proposed_under_the_id_of_one_that_was_sent_is_shown_as_it_is(
    paused, store, edited, again
):
    async def proposes(request):
        started, finished = request.ends()
        outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1")])
        proposal = calls("call-1", "book", again)
        await request.stream(started, *proposal, finished.model_copy(update={"outcome": outcome}))

    async with raw_server(asks, plain, proposes, plain) as server:
        kit = await paused(server)
        assert await answered(kit, Approve(edited_args=edited)) == "idle"
        await kit.send("t", "Another one")
        assert await kit.wait("t") == "awaiting_input"
        [pending] = await kit.pending("t")
        assert pending.args == again
        seen = [
            call.status for message in (await kit.conversation("t")).messages for call in message.tool_calls
        ]
        assert seen == ["sent", "pending_approval"]
        assert (await call_of(kit)).decision is not None


async def test_a_call_that_is_asked_about_again_with_the_arguments_that_were_set_shows_those(paused, store):
    edited = {"city": "Oslo", "nights": 1}

    async def asks_again(request):
        started, finished = request.ends()
        outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1")])
        proposal = calls("call-1", "book", edited)
        await request.stream(started, *proposal, finished.model_copy(update={"outcome": outcome}))

    async with raw_server(asks, asks_again) as server:
        kit = await paused(server)
        assert await answered(kit, Approve(edited_args=edited)) == "awaiting_input"
        [pending] = await kit.pending("t")
        shown = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert pending.args == edited
    assert [(json.loads(call.args_text), call.status) for call in shown] == [
        (ARGS, "sent"),
        (edited, "pending_approval"),
    ]


async def test_a_remote_agent_inside_of_an_approved_tool_takes_no_answer_of_its_run(make_kit, store):
    ran = []
    foreign = ResumeEntry(interrupt_id="int-9", status="resolved", payload={"approved": True})

    class Local:
        """An agent in process, whose tool asks a remote one."""

        async def run(self, run_input):
            ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
            yield RunStartedEvent(**ids)
            if not run_input.resume:
                for call_id in ("call-1", "call-2"):
                    for event in calls(call_id, "book", ARGS):
                        yield event
                asked_for = [approval("call-1"), approval("call-2")]
                outcome = RunFinishedInterruptOutcome(interrupts=asked_for)
                yield RunFinishedEvent(**ids, outcome=outcome)
                return
            for call_id, inner in (("call-1", None), ("call-2", [foreign])):
                gate = current_gate()
                await gate.begin(call_id, "book", ARGS)
                ran.extend([event.type.value async for event in remote.run(asked(resume=inner))][-1:])
                await gate.done(call_id, "Booked.")
                for event in gives(call_id, "Booked."):
                    yield event
            yield RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    async with raw_server(plain) as server:
        remote = HttpAgent(server.url)
        kit = await make_kit(Local(), store=store)
        await kit.send("t", "Book")
        await kit.wait("t")
        for pending in await kit.pending("t"):
            await kit.answer(pending.id, Approve(), by="ann")
        assert await kit.wait("t") == "idle"
    assert (ran, await states(store)) == (["RUN_FINISHED"] * 2, ["done", "done"])


async def test_a_call_that_began_at_the_gate_is_in_doubt_although_another_was_handed_over(make_kit, store):
    class Both:
        """Hands one answer over, and runs the other call without a word about its end."""

        async def run(self, run_input):
            ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
            yield RunStartedEvent(**ids)
            outcome = RunFinishedSuccessOutcome()
            if run_input.resume:
                await current_gate().hand_over(["int-call-1"])
                await current_gate().begin("call-2", "book", ARGS)
            else:
                for event in (*calls("call-1", "book", ARGS), *calls("call-2", "book", ARGS)):
                    yield event
                outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1"), approval("call-2")])
            yield RunFinishedEvent(**ids, outcome=outcome)

    kit = await make_kit(Both(), store=store)
    await kit.send("t", "Book")
    await kit.wait("t")
    for pending in await kit.pending("t"):
        await kit.answer(pending.id, Approve(), by="ann")
    await kit.wait("t")
    assert await states(store) == ["done", "in_doubt"]


async def test_an_endpoint_that_cannot_be_reached_costs_no_decision_f29(paused, store, monkeypatch):
    async with raw_server(asks) as server:
        kit = await paused(server)
    assert await answered(kit, Approve()) == "error"
    fault = (await kit.conversation("t")).fault
    assert fault is not None
    assert fault.code == "unreachable"
    assert ((await call_of(kit)).status, await states(store)) == ("approved", ["sent"])
    async with raw_server(ran) as back:
        await kit.retry("t", agent=HttpAgent(back.url))
        assert await kit.wait("t") == "idle"
    assert (await call_of(kit)).status == "done"
    assert back.bodies[0]["resume"] == [
        {"interruptId": "int-call-1", "status": "resolved", "payload": {"approved": True}}
    ]


async def test_a_request_that_was_refused_unseen_costs_no_decision(paused, store):
    async with raw_server(asks, refuses, ran) as server:
        kit = await paused(server)
        assert await answered(kit, Approve()) == "error"
        assert ((await call_of(kit)).status, await states(store)) == ("approved", ["sent"])
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
    assert server.bodies[-1]["resume"][0]["payload"] == {"approved": True}
    assert (await call_of(kit)).status == "done"


async def test_a_run_that_was_stopped_while_the_agent_had_the_yes_is_in_doubt(paused, store):
    begun, closed = asyncio.Event(), asyncio.Event()

    async def works(request):
        await request.stream(request.ends()[0])
        begun.set()
        await request.gone()
        closed.set()

    async with raw_server(asks, works) as server:
        kit = await paused(server)
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Approve(), by="ann")
        await begun.wait()
        await kit.cancel("t")
        await closed.wait()
    assert await states(store) in (["in_doubt"], ["cancelled"])


async def test_a_stop_before_the_answers_leave_sends_nothing(paused, store):
    async with raw_server(asks, ran) as server:
        kit = await paused(server)
        asked_for, go_on = asyncio.Event(), asyncio.Event()

        async def headers():
            asked_for.set()
            await go_on.wait()
            return {}

        agent = HttpAgent(server.url, headers=headers)
        [pending] = await kit.pending("t")
        await kit.answer(pending.id, Approve(), by="ann", agent=agent)
        await asked_for.wait()
        await kit.cancel("t")
        go_on.set()
        assert await kit.wait("t") == "cancelled"
    assert (len(server.requests), await states(store)) == (1, ["sent"])


async def test_an_endpoint_that_replies_twice_leaves_one_result_and_a_thread_that_can_be_used(paused, store):
    async def twice(request):
        started, finished = request.ends()
        reply = [started, *gives("call-1", "Booked."), *says("m", "Done."), finished]
        await request.send(STREAM, *(frame(event) for event in reply + reply))

    async with raw_server(asks, twice, plain) as server:
        kit = await paused(server)
        status = await answered(kit, Approve())
        assert status in ("idle", "error")
        assert await states(store) == ["done"]
        call = await call_of(kit)
        assert (call.status, call.result) == ("done", "Booked.")
        await kit.send("t", "Thanks")
        assert await kit.wait("t") == "idle"
    assert len(server.requests) == 3
    assert "resume" not in server.bodies[-1]


async def test_partial_text_stays_in_the_conversation(make_kit):
    async def half(request):
        await request.stream(request.ends()[0], *says("m", "Half a sen")[:2])

    async with raw_server(half) as server:
        kit = await make_kit(HttpAgent(server.url))
        await kit.send("t", "Hello")
        assert await kit.wait("t") == "error"
    conversation = await kit.conversation("t")
    assert conversation.messages[-1].text == "Half a sen"
    assert conversation.fault is not None
    assert conversation.fault.code == "broken_off"


async def test_an_agent_cannot_say_in_our_name_that_a_call_was_sent(make_kit, caplog):
    async def says_so(request):
        started, finished = request.ends()
        outcome = RunFinishedInterruptOutcome(interrupts=[approval("call-1")])
        note = handed_event(["call-1"], sent=True)
        end = finished.model_copy(update={"outcome": outcome})
        await request.stream(started, *calls("call-1", "book", ARGS), note, end)

    async with raw_server(says_so) as server:
        kit = await make_kit(HttpAgent(server.url))
        await kit.send("t", "Book")
        await kit.wait("t")
    assert (await call_of(kit)).status == "pending_approval"


async def test_that_nobody_knows_a_result_is_no_result_although_the_agent_repeats_it(paused, store):
    async def echoes(request):
        started, finished = request.ends()
        history = RunAgentInput(**request.input).messages
        await request.stream(started, MessagesSnapshotEvent(messages=history), finished)

    async with raw_server(asks, dies, echoes) as server:
        kit = await paused(server)
        await answered(kit, Approve())
        if await kit.pending("t"):
            return  # the doubt is asked about; until then nothing goes on
        await kit.retry("t")
        assert await kit.wait("t") == "idle"
    call = await call_of(kit)
    assert (call.status, call.result) == ("sent", None)
