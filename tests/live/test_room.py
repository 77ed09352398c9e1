"""Frames: what is sent of a thread, gathered, by offsets in code points."""

from __future__ import annotations

from itertools import count

import pytest
from ag_ui.core import (
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallStartEvent,
)

from reflex_agentkit.live.room import POKE_FRAMES, Frame, Frames, live_id
from reflex_agentkit.protocol.fold.dispatch import Fold

NAME = live_id("chan", "t1", "m1")


@pytest.fixture
def fold():
    made = Fold()
    made.apply(RunStartedEvent(thread_id="t1", run_id="r1"))
    made.apply(TextMessageStartEvent(message_id="m1", role="assistant"))
    return made


@pytest.fixture
def frames():
    return Frames("chan", "t1", count(1))


def write(fold: Fold, text: str, message_id: str = "m1") -> None:
    fold.apply(TextMessageContentEvent(message_id=message_id, delta=text))


def pieces(found: list[Frame]) -> list[tuple]:
    return [frame.data for frame in found if frame.event == "c"]


def test_a_message_is_named_once_and_then_sent_by_its_number(fold, frames):
    write(fold, "Once ")
    assert frames.take(fold)[:2] == [Frame("m", (1, NAME)), Frame("c", (1, 0, "Once "))]
    write(fold, "upon ")
    write(fold, "a time")
    assert frames.take(fold) == [Frame("c", (1, 5, "upon a time"))]
    assert frames.take(fold) == []


def test_offsets_count_code_points(fold, frames):
    write(fold, "é🙂漢")
    frames.take(fold)
    write(fold, "!")
    assert pieces(frames.take(fold)) == [(1, 3, "!")]


def test_a_message_that_ended_between_two_frames_gets_its_last_piece_before_the_poke(fold, frames):
    write(fold, "Once ")
    for _ in range(POKE_FRAMES):
        frames.take(fold)
    write(fold, "upon.")
    fold.apply(TextMessageEndEvent(message_id="m1"))
    assert frames.take(fold) == [Frame("c", (1, 5, "upon.")), Frame("r", ("chan", "t1", fold.revision))]
    assert frames.take(fold) == []


def test_two_messages_at_once_keep_apart(fold, frames):
    fold.apply(TextMessageStartEvent(message_id="m2", role="assistant"))
    write(fold, "left")
    write(fold, "right", "m2")
    assert pieces(frames.take(fold)) == [(1, 0, "left"), (2, 0, "right")]


def test_text_alone_pokes_nobody(fold, frames):
    frames.take(fold)
    for _ in range(10):
        write(fold, "x")
        assert [frame.event for frame in frames.take(fold)] == ["c"]


def test_pokes_are_gathered_and_none_is_lost(fold, frames):
    frames.take(fold)
    pokes = []
    for place in range(7):
        fold.apply(ToolCallStartEvent(tool_call_id=f"c{place}", tool_call_name="f"))
        pokes += frames.take(fold)
    while frames.owes_poke:
        pokes += frames.take(fold)
    assert len(pokes) < 4
    assert pokes[-1] == Frame("r", ("chan", "t1", fold.revision))
    assert not frames.owes_poke


@pytest.mark.parametrize(
    ("have", "sent"),
    [
        ({}, [(1, 0, "Once upon")]),
        ({NAME: 5}, [(1, 5, "upon")]),
        ({NAME: 9}, []),
        ({NAME: 99}, [(1, 0, "Once upon")]),
    ],
    ids=["nothing", "a part", "all", "more than there is"],
)
def test_f05_who_comes_late_gets_what_is_missing(fold, frames, have, sent):
    write(fold, "Once upon")
    frames.take(fold)
    caught_up = frames.catch_up(fold, have)
    assert caught_up[0] == Frame("m", (1, NAME))
    assert pieces(caught_up) == sent
    assert caught_up[-1].event == "r"


def test_who_comes_before_the_first_frame_gets_the_same_number_as_the_others(fold, frames):
    write(fold, "Once ")
    assert frames.catch_up(fold, {})[0] == Frame("m", (1, NAME))
    assert pieces(frames.take(fold)) == [(1, 0, "Once ")]
