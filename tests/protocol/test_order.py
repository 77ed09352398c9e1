"""Which event may follow which."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import (
    ActivityDeltaEvent,
    ActivitySnapshotEvent,
    BaseEvent,
    CustomEvent,
    EventType,
    MessagesSnapshotEvent,
    RawEvent,
    ReasoningEncryptedValueEvent,
    ReasoningEndEvent,
    ReasoningMessageChunkEvent,
    ReasoningMessageContentEvent,
    ReasoningMessageEndEvent,
    ReasoningMessageStartEvent,
    ReasoningStartEvent,
    StateSnapshotEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentStartedEvent,
    TextMessageChunkEvent,
    TextMessageContentEvent,
    TextMessageEndEvent,
    TextMessageStartEvent,
    ToolCallArgsEvent,
    ToolCallChunkEvent,
    ToolCallEndEvent,
    ToolCallStartEvent,
)
from hypothesis import given, settings
from hypothesis import strategies as st

from reflex_agentkit.errors import EventOrderError
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.order import StreamOrder
from tests.protocol.made import begins, calls, ends, fails, gives, says

Stream = list[Any]


def flat(*events: Any) -> list[BaseEvent]:
    return [item for event in events for item in (event if isinstance(event, list) else [event])]


def admitted(*events: Any) -> list[BaseEvent]:
    order = StreamOrder()
    found = [item for event in flat(*events) for item in order.admit(event)]
    return found + order.finish()


def kinds(events: list[BaseEvent]) -> list[str]:
    return [event.type.value for event in events]


START, CONTENT, END = (
    TextMessageStartEvent(message_id="m", role="assistant"),
    TextMessageContentEvent(message_id="m", delta="x"),
    TextMessageEndEvent(message_id="m"),
)
THOUGHT = ReasoningMessageStartEvent(message_id="z", role="reasoning")

GOOD: dict[str, Stream] = {
    "an empty run": [begins(), ends()],
    "a run that failed before it began": [fails()],
    "a failure that shows late": [begins(), ends(), fails()],
    "several runs in a row": [begins("a"), ends("a"), begins("b"), fails(), begins("c"), ends("c")],
    "a failure ends whatever is open": [begins(), START, StepStartedEvent(step_name="s"), fails()],
    "a message inside a message": [begins(), START, *says("n", "y"), CONTENT, END, ends()],
    "a message opened again": [begins(), START, END, START, CONTENT, END, ends()],
    "a result of a call of an earlier run": [begins(), gives("old", "done"), ends()],
    "a span and its message with one id": [
        begins(),
        ReasoningStartEvent(message_id="z"),
        THOUGHT,
        ReasoningMessageContentEvent(message_id="z", delta="hm"),
        ReasoningMessageEndEvent(message_id="z"),
        ReasoningEndEvent(message_id="z"),
        ends(),
    ],
    "steps that overlap": [
        begins(),
        StepStartedEvent(step_name="a"),
        StepStartedEvent(step_name="b"),
        StepFinishedEvent(step_name="a"),
        StepFinishedEvent(step_name="b"),
        ends(),
    ],
    "one step name for two owners": [
        begins(),
        StepStartedEvent(step_name="a"),
        StepStartedEvent(step_name="a", subagent_run_id="s"),
        StepFinishedEvent(step_name="a", subagent_run_id="s"),
        StepFinishedEvent(step_name="a"),
        ends(),
    ],
    "a sub-agent that nobody announced": [
        begins(),
        TextMessageStartEvent(message_id="m", role="assistant", subagent_run_id="s"),
        CONTENT,
        END,
        ends(),
    ],
    "an untagged call in a sub-agent's message, gone on with under its tag": [
        begins(),
        TextMessageStartEvent(message_id="m", role="assistant", subagent_run_id="s"),
        END,
        ToolCallStartEvent(tool_call_id="c", tool_call_name="p", parent_message_id="m"),
        ToolCallArgsEvent(tool_call_id="c", delta="{}", subagent_run_id="s"),
        ToolCallEndEvent(tool_call_id="c"),
        ends(),
    ],
    "an activity that its owner, then another takes up": [
        begins(),
        ActivitySnapshotEvent(message_id="a", activity_type="x", content={}, subagent_run_id="s"),
        ActivityDeltaEvent(message_id="a", activity_type="x", patch=[]),
        ActivitySnapshotEvent(
            message_id="a", activity_type="x", content={}, replace=False, subagent_run_id="u"
        ),
        ActivityDeltaEvent(message_id="a", activity_type="x", patch=[], subagent_run_id="s"),
        ActivitySnapshotEvent(message_id="a", activity_type="x", content={}, subagent_run_id="u"),
        ActivityDeltaEvent(message_id="a", activity_type="x", patch=[], subagent_run_id="u"),
        ActivityDeltaEvent(message_id="of an earlier run", activity_type="x", patch=[], subagent_run_id="u"),
        ends(),
    ],
    "a sub-agent of a sub-agent": [
        begins(),
        SubagentStartedEvent(subagent_run_id="a", name="A"),
        SubagentStartedEvent(subagent_run_id="b", name="B", parent_subagent_run_id="a"),
        SubagentFinishedEvent(subagent_run_id="b"),
        SubagentErrorEvent(subagent_run_id="a", message="no"),
        ends(),
    ],
}


@pytest.mark.parametrize("name", GOOD)
def test_in_order(name: str) -> None:
    events = flat(*GOOD[name])
    assert admitted(*events) == events


BAD: dict[str, tuple[Stream, int]] = {
    "nothing at all": ([], 0),
    "a stream that stops": ([begins(), START], 2),
    "something before the run": ([CustomEvent(name="x", value=1), begins(), ends()], 0),
    "an end without a beginning": ([ends()], 0),
    "a run inside a run": ([begins("a"), begins("b")], 1),
    "an end with another run's id": ([begins("a"), ends("b")], 1),
    "two ends": ([begins(), ends(), ends()], 2),
    "two failures": ([begins(), fails(), fails()], 2),
    "something after a failure": ([begins(), fails(), CustomEvent(name="x", value=1)], 2),
    "something after the end": ([begins(), ends(), gives("c", "x")], 2),
    "a message opened twice": ([begins(), START, START], 2),
    "content for nothing": ([begins(), CONTENT], 1),
    "an end for nothing": ([begins(), END], 1),
    "an open message at the end": ([begins(), START, ends()], 2),
    "an open call at the end": (
        [begins(), ToolCallStartEvent(tool_call_id="c", tool_call_name="p"), ends()],
        2,
    ),
    "arguments for nothing": ([begins(), calls("c")[1]], 1),
    "a call closed twice": ([begins(), calls("c"), ToolCallEndEvent(tool_call_id="c")], 4),
    "an open step at the end": ([begins(), StepStartedEvent(step_name="s"), ends()], 2),
    "a step started twice": ([begins(), StepStartedEvent(step_name="s"), StepStartedEvent(step_name="s")], 2),
    "a step of another owner finished": (
        [begins(), StepStartedEvent(step_name="s"), StepFinishedEvent(step_name="s", subagent_run_id="a")],
        2,
    ),
    "thought outside a message": (
        [
            begins(),
            ReasoningStartEvent(message_id="z"),
            ReasoningMessageContentEvent(message_id="z", delta="x"),
        ],
        2,
    ),
    "an open span at the end": ([begins(), ReasoningStartEvent(message_id="z"), ends()], 2),
    "an open thought at the end": ([begins(), THOUGHT, ends()], 2),
    "a sub-agent that is still active at the end": (
        [begins(), SubagentStartedEvent(subagent_run_id="s", name="S"), ends()],
        2,
    ),
    "a sub-agent started twice": (
        [
            begins(),
            SubagentStartedEvent(subagent_run_id="s", name="S"),
            SubagentFinishedEvent(subagent_run_id="s"),
            SubagentStartedEvent(subagent_run_id="s", name="S"),
        ],
        3,
    ),
    "a sub-agent finished without a start": ([begins(), SubagentFinishedEvent(subagent_run_id="s")], 1),
    "a sub-agent of nobody": (
        [begins(), SubagentStartedEvent(subagent_run_id="s", name="S", parent_subagent_run_id="p")],
        1,
    ),
    "a sub-agent announced after it spoke": (
        [
            begins(),
            StateSnapshotEvent(snapshot=1, subagent_run_id="s"),
            SubagentStartedEvent(subagent_run_id="s", name="S"),
        ],
        2,
    ),
    "a stranger writing on": (
        [begins(), START, TextMessageContentEvent(message_id="m", delta="x", subagent_run_id="s")],
        2,
    ),
    "a stranger changing an activity": (
        [
            begins(),
            ActivitySnapshotEvent(message_id="a", activity_type="x", content={}),
            ActivityDeltaEvent(message_id="a", activity_type="x", patch=[], subagent_run_id="s"),
        ],
        2,
    ),
    "a message opened again by another": (
        [begins(), START, END, TextMessageStartEvent(message_id="m", role="assistant", subagent_run_id="s")],
        3,
    ),
    "a call in another's message": (
        [
            begins(),
            *says("m"),
            ToolCallStartEvent(
                tool_call_id="c", tool_call_name="p", parent_message_id="m", subagent_run_id="s"
            ),
        ],
        3,
    ),
}


@pytest.mark.parametrize("name", BAD)
def test_out_of_order(name: str) -> None:
    events, index = BAD[name]
    with pytest.raises(EventOrderError) as caught:
        admitted(*events)
    assert caught.value.index == index


def test_every_run_belongs_to_the_thread_asked_for() -> None:
    with pytest.raises(EventOrderError, match="other"):
        StreamOrder(thread_id="other").admit(begins("r"))


@pytest.mark.parametrize(
    "stream",
    [
        [begins("a"), ends("a")],
        [begins("old"), ends("old"), begins("a"), ends("a")],
        [begins("a"), ends("a"), begins("b"), ends("b")],
        [fails()],
    ],
)
def test_the_run_asked_for_may_follow_replayed_ones_or_fail_before_it_begins(stream: Stream) -> None:
    order = StreamOrder(thread_id="t", run_id="a")
    for event in stream:
        order.admit(event)
    assert order.finish() == []


def test_a_stream_without_the_run_asked_for_is_refused() -> None:
    order = StreamOrder(run_id="a")
    for event in (begins("old"), ends("old")):
        order.admit(event)
    with pytest.raises(EventOrderError, match="'a' was asked for"):
        order.finish()


def test_open_run_names_the_run_that_is_open() -> None:
    order = StreamOrder()
    assert order.open_run is None
    order.admit(begins("a"))
    assert order.open_run == "a"
    order.admit(ends("a"))
    assert order.open_run is None


def text(delta: str | None = None, **more: Any) -> TextMessageChunkEvent:
    return TextMessageChunkEvent(delta=delta, **more)


def call(delta: str | None = None, **more: Any) -> ToolCallChunkEvent:
    return ToolCallChunkEvent(delta=delta, **more)


class TestChunks:
    def test_a_message_is_closed_by_the_next_one_and_by_the_end(self) -> None:
        found = admitted(begins(), text("a", message_id="m"), text("b"), text("c", message_id="n"), ends())
        assert kinds(found) == [
            "RUN_STARTED",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "TEXT_MESSAGE_START",
            "TEXT_MESSAGE_CONTENT",
            "TEXT_MESSAGE_END",
            "RUN_FINISHED",
        ]

    def test_a_call_closes_the_text_before_it(self) -> None:
        found = admitted(
            begins(),
            text("a", message_id="m"),
            call("{", tool_call_id="c", tool_call_name="p"),
            call("}"),
            ends(),
        )
        assert kinds(found)[3:] == [
            "TEXT_MESSAGE_END",
            "TOOL_CALL_START",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_ARGS",
            "TOOL_CALL_END",
            "RUN_FINISHED",
        ]

    @pytest.mark.parametrize(
        "event",
        [
            StepStartedEvent(step_name="s"),
            StateSnapshotEvent(snapshot=1),
            CustomEvent(name="x", value=1),
            gives("c", "x"),
            MessagesSnapshotEvent(messages=[]),
            fails(),
        ],
        ids=lambda event: event.type.value,
    )
    def test_what_shows_that_a_message_is_over_closes_it(self, event: BaseEvent) -> None:
        order = StreamOrder()
        order.admit(begins())
        order.admit(text("a", message_id="m"))
        assert kinds(order.admit(event))[0] == "TEXT_MESSAGE_END"

    @pytest.mark.parametrize(
        "event",
        [
            RawEvent(event=1),
            ActivitySnapshotEvent(message_id="a", activity_type="x", content={}),
            ReasoningEncryptedValueEvent(subtype="message", entity_id="m", encrypted_value="x"),
            SubagentStartedEvent(subagent_run_id="s", name="S"),
            StepStartedEvent(step_name="s", subagent_run_id="other"),
        ],
        ids=lambda event: event.type.value,
    )
    def test_what_stands_aside_closes_nothing(self, event: BaseEvent) -> None:
        order = StreamOrder()
        order.admit(begins())
        order.admit(text("a", message_id="m"))
        assert order.admit(event) == [event]
        assert kinds(order.admit(text("b"))) == ["TEXT_MESSAGE_CONTENT"]

    def test_two_sub_agents_chunk_at_the_same_time(self) -> None:
        found = admitted(
            begins(),
            SubagentStartedEvent(subagent_run_id="s", name="S"),
            SubagentStartedEvent(subagent_run_id="u", name="U"),
            text("a", message_id="m", subagent_run_id="s"),
            text("b", message_id="n", subagent_run_id="u"),
            text("c", subagent_run_id="s"),
            SubagentFinishedEvent(subagent_run_id="s"),
            text("d", message_id="n"),
            SubagentFinishedEvent(subagent_run_id="u"),
            ends(),
        )
        pieces = [(e.message_id, e.delta) for e in found if isinstance(e, TextMessageContentEvent)]
        assert pieces == [("m", "a"), ("n", "b"), ("m", "c"), ("n", "d")]
        closed = [e.message_id for e in found if isinstance(e, TextMessageEndEvent)]
        assert closed == ["m", "n"]

    def test_a_chunk_of_metadata_alone_reaches_its_message(self) -> None:
        found = admitted(begins(), text("a", message_id="m"), text(metadata={"finish": "stop"}), ends())
        last = [event for event in found if isinstance(event, TextMessageContentEvent)][-1]
        assert (last.delta, last.metadata) == ("", {"finish": "stop"})

    @pytest.mark.parametrize(
        "chunks",
        [
            [text("a")],
            [call("{}", tool_call_id="c")],
            [call("{}", tool_call_name="p")],
            [ReasoningMessageChunkEvent(delta="a")],
            [text("a", message_id="m"), text("b", role="user")],
            [text("a", message_id="m", name="A"), text("b", name="B")],
            [call("{", tool_call_id="c", tool_call_name="p"), call("}", tool_call_name="q")],
            [text("a", message_id="m"), TextMessageEndEvent(message_id="m")],
            [START, text("a", message_id="m")],
            [
                text("a", message_id="m", subagent_run_id="s"),
                text("b", message_id="n", subagent_run_id="u"),
                text("whose?"),
            ],
            [text("a", message_id="m", subagent_run_id="s"), text("b", message_id="m", subagent_run_id="u")],
        ],
    )
    def test_a_malformed_chunk_is_refused_and_not_repaired(self, chunks: Stream) -> None:
        with pytest.raises(EventOrderError):
            admitted(begins(), *chunks, ends())


_ITEMS = st.lists(
    st.one_of(
        st.integers(0, 3).map(lambda n: says(f"m{n}", "a", "b")),
        st.integers(0, 3).map(lambda n: [*calls(f"c{n}"), gives(f"c{n}", "ok")]),
        st.integers(0, 3).map(lambda n: [text("x", message_id=f"k{n}"), text("y")]),
        st.just([StepStartedEvent(step_name="s"), StepFinishedEvent(step_name="s")]),
        st.just([StateSnapshotEvent(snapshot={"n": 1})]),
    ),
    max_size=12,
)


@settings(deadline=None)
@given(_ITEMS, st.integers(0, 80))
def test_any_beginning_of_a_stream_in_order_folds_and_a_failure_may_end_it(items: Stream, cut: int) -> None:
    order, fold = StreamOrder(), Fold()
    events = flat(begins(), *items, ends())[:cut] or [begins()]
    for event in events:
        for item in order.admit(event):
            fold.apply(item)
    fold.conversation()
    for item in order.admit(fails()):
        fold.apply(item)
    assert order.finish() == []
    conversation = fold.conversation()
    assert conversation.run_status == "error"
    assert not any(message.streaming for message in conversation.messages)
    assert all(c.status != "streaming" for m in conversation.messages for c in m.tool_calls)


def test_every_event_type_is_known_to_the_order_or_stands_alone() -> None:
    order = StreamOrder()
    order.admit(begins())
    for kind in (EventType.RAW, EventType.CUSTOM):
        event = RawEvent(event=1) if kind is EventType.RAW else CustomEvent(name="x", value=1)
        assert order.admit(event) == [event]
