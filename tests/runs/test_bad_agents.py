"""Agents that do wrong: each ends in a clear error, and the next run works."""

from __future__ import annotations

import asyncio

import pytest
from ag_ui.core import (
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
)

from reflex_agentkit.testing.streams import pauses, question, says


def ids(run_input):
    return {"thread_id": run_input.thread_id, "run_id": run_input.run_id}


def finished(run_input):
    return RunFinishedEvent(**ids(run_input), outcome=RunFinishedSuccessOutcome())


async def raises_at_once(run_input):
    raise RuntimeError("no key")
    yield


async def raises_in_the_middle(run_input):
    yield RunStartedEvent(**ids(run_input))
    for event in says("m", "Half a ")[:2]:
        yield event
    raise RuntimeError("gone")


async def yields_nothing(run_input):
    return
    yield


async def yields_after_the_end(run_input):
    yield RunStartedEvent(**ids(run_input))
    yield finished(run_input)
    yield TextMessageStartEvent(message_id="late", role="assistant")


async def asks_and_goes_on(run_input):
    yield RunStartedEvent(**ids(run_input))
    for event in pauses(question("q")):
        yield event.model_copy(update=ids(run_input))
    yield TextMessageStartEvent(message_id="late", role="assistant")


async def yields_no_event(run_input):
    yield RunStartedEvent(**ids(run_input))
    yield {"type": "SOMETHING"}


async def yields_broken_event(run_input):
    yield RunStartedEvent(**ids(run_input))
    yield TextMessageContentEvent.model_construct(type="TEXT_MESSAGE_CONTENT", message_id=7, delta=None)


async def content_without_start(run_input):
    yield RunStartedEvent(**ids(run_input))
    yield TextMessageContentEvent(message_id="m", delta="x")


async def starts_with_the_end(run_input):
    yield finished(run_input)


async def another_threads_run(run_input):
    yield RunStartedEvent(thread_id="of-somebody-else", run_id=run_input.run_id)


async def never_finishes(run_input):
    yield RunStartedEvent(**ids(run_input))


async def says_error(run_input):
    yield RunStartedEvent(**ids(run_input))
    yield RunErrorEvent(message="quota used up", code="quota")


def gives_no_stream(run_input):
    return None


async def is_a_plain_coroutine(run_input):
    return []


BAD = [
    (raises_at_once, "agent_error", "no key"),
    (raises_in_the_middle, "agent_error", "gone"),
    (yields_nothing, "incomplete", ""),
    (yields_after_the_end, "protocol", ""),
    (asks_and_goes_on, "protocol", ""),
    (yields_no_event, "protocol", ""),
    (yields_broken_event, "protocol", ""),
    (content_without_start, "protocol", ""),
    (starts_with_the_end, "protocol", ""),
    (another_threads_run, "protocol", ""),
    (never_finishes, "protocol", ""),
    (says_error, "quota", "quota used up"),
    (gives_no_stream, "protocol", "async generator"),
]


class Changing:
    """Plays a bad run first and a good one after."""

    def __init__(self, bad):
        self.bad = bad
        self.inputs = []

    def run(self, run_input):
        self.inputs.append(run_input)
        return self.bad(run_input) if len(self.inputs) == 1 else self.good(run_input)

    async def good(self, run_input):
        yield RunStartedEvent(**ids(run_input))
        for event in says("good", "Here I am."):
            yield event
        yield finished(run_input)


@pytest.mark.parametrize(("bad", "code", "words"), BAD, ids=[bad.__name__ for bad, _, _ in BAD])
async def test_a_bad_agent_ends_in_a_clear_error_and_the_next_run_works(make_kit, bad, code, words):
    kit = await make_kit(Changing(bad))
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "error"
    conversation = await kit.conversation("t")
    assert conversation.fault is not None
    assert conversation.fault.code == code
    assert words in conversation.fault.message
    assert not any(m.streaming for m in conversation.messages)
    assert await kit.pending("t") == []
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
    conversation = await kit.conversation("t")
    assert conversation.fault is None
    assert conversation.messages[-1].text == "Here I am."


async def test_a_plain_coroutine_is_named_and_leaves_no_warning(make_kit):
    kit = await make_kit(Changing(is_a_plain_coroutine))
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "error"


async def test_half_a_text_stays_for_the_person_and_is_not_said_again_to_the_model(make_kit):
    agent = Changing(raises_in_the_middle)
    kit = await make_kit(agent)
    await kit.send("t", "Hello")
    await kit.wait("t")
    assert "Half a " in [m.text for m in (await kit.conversation("t")).messages]
    await kit.retry("t")
    await kit.wait("t")
    assert [m.role for m in agent.inputs[1].messages] == ["user"]


class Endless:
    """Says one word and then nothing, for ever; `deaf` also when it is told to stop."""

    def __init__(self, *, deaf=False):
        self.deaf = deaf
        self.release = asyncio.Event()

    async def run(self, run_input):
        yield RunStartedEvent(**ids(run_input))
        for event in says("m", "Well, ")[:2]:
            yield event
        while not self.release.is_set():
            try:
                await self.release.wait()
            except asyncio.CancelledError:
                if not self.deaf:
                    raise
        for event in says("late", "Too late."):
            yield event


@pytest.mark.parametrize("deaf", [False, True])
async def test_an_agent_that_never_ends_can_be_stopped_and_is_not_heard_again(make_kit, deaf, monkeypatch):
    monkeypatch.setattr("reflex_agentkit.runs.drive.GRACE", 0.05)
    agent = Endless(deaf=deaf)
    kit = await make_kit(agent)
    await kit.send("t", "Hello")
    async with kit.watch("t") as watched:
        while not watched.fold.streaming:
            await watched.changed()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    agent.release.set()
    for _ in range(20):
        await asyncio.sleep(0)
    texts = [m.text for m in (await kit.conversation("t")).messages]
    assert "Well, " in texts
    assert "Too late." not in texts


async def test_a_stream_that_stays_open_after_its_end_is_not_waited_for(make_kit, monkeypatch):
    monkeypatch.setattr("reflex_agentkit.runs.drive.GRACE", 0.05)

    class Lingering:
        async def run(self, run_input):
            yield RunStartedEvent(**ids(run_input))
            yield finished(run_input)
            await asyncio.Event().wait()

    kit = await make_kit(Lingering())
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"


async def test_two_messages_at_the_same_moment_are_one_run_and_one_refusal(make_kit):
    agent = Endless()
    kit = await make_kit(agent)
    outcomes = await asyncio.gather(kit.send("t", "a"), kit.send("t", "b"), return_exceptions=True)
    assert [getattr(o, "code", "started") for o in outcomes] == ["started", "already_running"]
    await kit.cancel("t")


async def test_two_runs_on_one_stream_are_both_shown(make_kit):
    class Twice:
        async def run(self, run_input):
            for number in (1, 2):
                run_id = run_input.run_id if number == 1 else f"{run_input.run_id}-again"
                yield RunStartedEvent(thread_id=run_input.thread_id, run_id=run_id)
                for event in says(f"m{number}", f"Part {number}."):
                    yield event
                yield RunFinishedEvent(
                    thread_id=run_input.thread_id, run_id=run_id, outcome=RunFinishedSuccessOutcome()
                )

    kit = await make_kit(Twice())
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"
    texts = [m.text for m in (await kit.conversation("t")).messages]
    assert texts == ["Hello", "Part 1.", "Part 2."]
