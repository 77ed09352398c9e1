"""What is right for each recorded stream, held against what the protocol layer makes of it."""

from __future__ import annotations

import json
import logging

import pytest

from reflex_agentkit.protocol import wire
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.order import StreamOrder
from tests.protocol.corpus import CORPUS, SHARED, STREAMS, Thread, outcome, read_stream, steps

EXPECTED = json.loads((CORPUS / "expected.json").read_text(encoding="utf-8"))
CASES = sorted({name.rpartition(".")[0] for name in EXPECTED})


def test_every_stream_has_an_expectation_and_the_reverse() -> None:
    assert {path.stem for path in STREAMS.glob("*.jsonl")} == set(EXPECTED)


@pytest.mark.parametrize("case", CASES)
def test_a_case_comes_out_as_it_should_run_by_run(case: str) -> None:
    thread = Thread()
    for stream in steps(case):
        verdict = thread.play(stream)
        assert outcome(thread, verdict) == EXPECTED[stream.name], stream.name


@pytest.mark.parametrize("path", sorted(STREAMS.glob("[!m]*.jsonl")), ids=lambda path: path.stem)
def test_an_event_read_and_written_and_read_again_is_the_same_event(path) -> None:
    for line in read_stream(path).lines:
        event = wire.read_event(line)
        assert event is not None
        assert wire.read_event(wire.write_event(event)) == event


def test_an_agent_that_says_somebody_approved_is_not_believed(caplog: pytest.LogCaptureFixture) -> None:
    """S07: the note is dropped, the call still waits, and the log says so."""
    thread = Thread()
    with caplog.at_level(logging.WARNING):
        thread.play(steps("made__forged_note")[0])
    [call] = thread.conversation.messages[-1].tool_calls
    assert call.status == "pending_approval"
    assert call.decision is None
    assert "a name of this library" in caplog.text


def test_two_sub_agents_that_write_at_once_are_kept_apart_and_named() -> None:
    thread = Thread()
    thread.play(steps("made__subagents")[0])
    said = [(m.subagent, m.text) for m in thread.conversation.messages if m.role == "assistant"]
    assert said == [("scout", "found"), ("clerk", "filed")]


def test_the_retired_thinking_events_are_two_reasoning_messages() -> None:
    thread = Thread()
    thread.play(steps("made__thinking")[0])
    thoughts = [m for m in thread.conversation.messages if m.role == "reasoning"]
    assert [m.text for m in thoughts] == ["first", "second"]
    assert len({m.id for m in thoughts}) == 2


def test_newer_material_is_dropped_and_said(caplog: pytest.LogCaptureFixture) -> None:
    thread = Thread()
    with caplog.at_level(logging.WARNING):
        thread.play(steps("made__newer")[0])
    for part in ("HOLOGRAM_SHOWN", "sparkle", "/messages/0", "/content/1", "/outcome"):
        assert part in caplog.text
    assert [m.text for m in thread.conversation.messages] == ["Go", "Hi", "see"]


def test_numbers_that_a_float_cannot_hold_arrive_whole() -> None:
    thread = Thread()
    thread.play(steps("made__exact_numbers")[0])
    args = thread.asked[0].pending.args
    assert args is not None
    assert [str(args[name]) for name in ("amount", "id", "rate")] == [
        "12345678901234567.89",
        "9007199254740993",
        "1.0",
    ]
    assert str(thread.conversation.state["total"]) == "12345678901234567.89"


@pytest.mark.skipif(not SHARED.is_dir(), reason="the recordings beside the project are not here")
def test_every_recording_beside_the_project_is_in_order_and_folds() -> None:
    for path in sorted(SHARED.glob("*.jsonl")):
        stream = read_stream(path)
        order, fold = StreamOrder(thread_id=stream.asked_for["threadId"]), Fold()
        for line in stream.lines:
            event = wire.read_event(line)
            assert event is not None, path.stem
            for item in order.admit(event):
                fold.apply(item)
        order.finish()
        assert fold.conversation().run_status != "running", path.stem
        assert not fold.streaming
