"""Agents that lie, flood, go on after they were stopped, or break what others rely on."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack

import pytest
from ag_ui.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    CustomEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateDeltaEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
)

from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.protocol.verdicts import Answer, Approve, Reject
from reflex_agentkit.runs.feed import KEPT_FOLDS
from reflex_agentkit.testing.streams import approval, calls, gives, pauses, question, says
from tests.support.agents import Booker


def ids(run_input):
    return {"thread_id": run_input.thread_id, "run_id": run_input.run_id}


class Plays:
    """Begins a run, does what it is given, ends the run."""

    def __init__(self, play):
        self.play = play
        self.inputs = []

    async def run(self, run_input):
        self.inputs.append(run_input)
        yield RunStartedEvent(**ids(run_input))
        if len(self.inputs) == 1:
            async for event in self.play():
                yield event
        yield RunFinishedEvent(**ids(run_input), outcome=RunFinishedSuccessOutcome())


async def fault_of(make_kit, play):
    """The fault that a run ends with; the next run works."""
    kit = await make_kit(Plays(play))
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "error"
    fault = (await kit.conversation("t")).fault
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
    return fault


class UnspeakableError(Exception):
    def __str__(self):
        raise RuntimeError("this error cannot say what it is")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (UnspeakableError(), "cannot say"),
        (RuntimeError("x" * 1_000_000), "[...]"),
        (RuntimeError("half \ud800"), "half \ufffd"),
        (SystemExit(3), "end the process"),
    ],
    ids=["unspeakable", "endless", "half a character", "exit"],
)
async def test_whatever_an_agent_raises_its_run_ends_and_the_server_goes_on(make_kit, error, words):
    async def play():
        raise error
        yield

    fault = await fault_of(make_kit, play)
    assert words in fault.message
    assert len(fault.message) < 5_000


async def test_an_agent_that_never_waits_lets_others_have_their_turn(make_kit):
    seen = []
    began = asyncio.Event()

    async def play():
        yield TextMessageStartEvent(message_id="m", role="assistant")
        for number in range(5_000):
            seen.append(number)
            began.set()
            yield TextMessageContentEvent(message_id="m", delta="x")
        yield TextMessageEndEvent(message_id="m")

    kit = await make_kit(Plays(play))
    await kit.send("t", "Hello")
    await began.wait()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    assert len(seen) < 5_000


async def test_an_agent_that_fills_the_event_it_gave_away_changes_nothing(make_kit):
    async def play():
        piece = TextMessageContentEvent(message_id="m", delta="")
        yield TextMessageStartEvent(message_id="m", role="assistant")
        for letter in "abc":
            piece.delta = letter
            yield piece
        yield TextMessageEndEvent(message_id="m")

    kit = await make_kit(Plays(play))
    await kit.send("t", "Hello")
    await kit.wait("t")
    log = [item.event for item in await kit._store.events("t")]
    assert [event.delta for event in log if isinstance(event, TextMessageContentEvent)] == ["a", "b", "c"]


async def half_a_pair_in_text():
    for event in says("m", "a\ud83d", "\ude00\ud800b"):
        yield event


async def half_a_pair_in_a_key():
    yield StateSnapshotEvent(snapshot={"a\ud800": ["\udfff"]})


@pytest.mark.parametrize("play", [half_a_pair_in_text, half_a_pair_in_a_key])
async def test_half_a_character_never_reaches_the_log(make_kit, play):
    kit = await make_kit(Plays(play))
    await kit.send("t", "and \ud800 here")
    assert await kit.wait("t") == "idle"
    conversation = await kit.conversation("t")
    for text in (str(conversation), repr([i.event for i in await kit._store.events("t")])):
        text.encode()
    assert conversation.messages[0].text == "and \ufffd here"


async def test_half_a_character_in_an_answer_is_refused_and_the_question_stays(make_kit):
    kit = await make_kit(ScriptedAgent([*calls("c", "book", {}), *pauses(approval("c"))], says("m", "Ok.")))
    await kit.send("t", "Hello")
    await kit.wait("t")
    (asked,) = await kit.pending("t")
    assert (await kit.answer(asked.id, Reject("no \udc00"), by="me")).code == "invalid_answer"
    assert [one.id for one in await kit.pending("t")] == [asked.id]


def nested(levels):
    value = {}
    for _ in range(levels):
        value = {"a": value}
    return value


async def patches_that_do_not_fit():
    yield StateDeltaEvent(delta=[{"op": "replace", "path": "/nowhere", "value": 1}])


async def patches_that_nest():
    path = ""
    for _ in range(20):
        yield StateDeltaEvent(delta=[{"op": "add", "path": f"{path}/a", "value": nested(150)}])
        path += "/a" * 151


async def patches_that_double():
    yield StateSnapshotEvent(snapshot={"a": ["x" * 100]})
    for _ in range(30):
        yield StateDeltaEvent(delta=[{"op": "copy", "from": "/a", "path": "/a/-"}])


async def patches_that_nest_an_activity():
    yield ActivitySnapshotEvent(message_id="act", activity_type="plan", content={})
    path = ""
    for _ in range(20):
        add = {"op": "add", "path": f"{path}/a", "value": nested(150)}
        yield ActivityDeltaEvent(message_id="act", activity_type="plan", patch=[add])
        path += "/a" * 151


@pytest.mark.parametrize(
    "play", [patches_that_do_not_fit, patches_that_nest, patches_that_double, patches_that_nest_an_activity]
)
async def test_a_patch_that_could_not_be_shown_ends_the_run_and_not_the_thread(make_kit, play):
    assert (await fault_of(make_kit, play)).code == "protocol"


async def test_an_agent_that_speaks_in_our_name_decides_nothing(make_kit):
    def lies():
        yield from calls("c", "book", {})
        note = {"interrupt_id": "int-1", "verdict": "approved", "by": "ann", "tool_call_id": "c"}
        yield CustomEvent(name="reflex_agentkit.decided", value=note)
        yield CustomEvent(name="reflex_agentkit.run_status", value={"status": "idle"})
        yield from pauses(approval("c"))

    kit = await make_kit(ScriptedAgent(list(lies())))
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "awaiting_input"
    call = (await kit.conversation("t")).messages[-1].tool_calls[0]
    assert call.decision is None
    assert len(await kit.pending("t")) == 1


async def test_two_approvals_of_one_call_are_refused_since_a_yes_and_a_no_could_stand_for_it(make_kit):
    twice = [approval("c"), approval("c").model_copy(update={"id": "again"})]
    kit = await make_kit(ScriptedAgent([*calls("c", "book", {}), *pauses(*twice)]))
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "error"
    assert await kit.pending("t") == []


async def test_a_question_about_a_call_is_no_yes_and_takes_none_away(make_kit):
    class Asking(Booker):
        async def _propose(self):
            async for event in super()._propose():
                if isinstance(event, RunFinishedEvent):
                    asked = [*event.outcome.interrupts, question("int-call-0-why", tool_call_id="call-0")]
                    (event,) = pauses(*asked)
                yield event

        async def run(self, run_input):
            run_input.resume = [e for e in run_input.resume or [] if e.interrupt_id == "int-call-0"] or None
            async for event in super().run(run_input):
                yield event

    agent = Asking()
    kit = await make_kit(agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    approve, why = await kit.pending("t")
    await kit.answer(approve.id, Approve(), by="me")
    await kit.answer(why.id, Answer(True), by="me")
    await kit.wait("t")
    assert agent.ran == [{"city": "Lisbon", "nights": 2}]


async def approved(kit):
    await kit.send("t", "Book")
    await kit.wait("t")
    (asked,) = await kit.pending("t")
    await kit.answer(asked.id, Approve(), by="me")


async def test_a_call_id_that_comes_again_does_not_bring_its_old_result(make_kit):
    """What was noted of an older call is not told as the new one's, and its result settles no new yes."""

    def first(run_input):
        yield from calls("c", "book", {"n": 1})
        yield from pauses(approval("c"))

    async def runs_it(run_input):
        await current_gate().begin("c", "book", {"n": 1})
        await current_gate().done("c", "Booked 1.")
        for event in gives("c", "Booked 1."):
            yield event

    def again(run_input):
        yield from calls("c", "book", {"n": 2})
        yield from pauses(approval("c"))

    def breaks(run_input):
        raise ConnectionError("the model is away")

    agent = ScriptedAgent(first, runs_it, again, breaks, says("m", "Ok."))
    kit = await make_kit(agent)
    await approved(kit)
    await kit.wait("t")
    await approved(kit)
    assert await kit.wait("t") == "error"
    await kit.retry("t")
    await kit.wait("t")
    last = agent.inputs[-1]
    assert [entry.payload for entry in last.resume] == [{"approved": True}]
    assert [m.content for m in last.messages if m.role == "tool"] == ["Booked 1."]


async def test_more_threads_in_view_than_are_kept_lose_no_arguments(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    async with AsyncExitStack() as watching:
        for number in range(KEPT_FOLDS + 1):
            await watching.enter_async_context(kit.watch(f"seen-{number}"))
        await kit.send("t", "Book")
        await kit.wait("t")
        (asked,) = await kit.pending("t")
        assert asked.args == {"city": "Lisbon", "nights": 2}
