"""Events and run inputs on the wire: what is read, what is dropped, what is an error."""

from __future__ import annotations

import dataclasses
import json
import logging
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from ag_ui.core import (
    CustomEvent,
    EventType,
    ResumeEntry,
    RunAgentInput,
    RunStartedEvent,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
)
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import BaseModel

from reflex_agentkit.errors import InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text, wire

BIG = Decimal("12345678901234567.89")
CONTENT = {"type": "TEXT_MESSAGE_CONTENT", "messageId": "m", "delta": "Hi"}


@pytest.mark.parametrize("data", [json.dumps(CONTENT), json.dumps(CONTENT).encode(), CONTENT])
def test_an_event_is_read_from_text_bytes_or_an_object(data: Any) -> None:
    event = wire.read_event(data)
    assert isinstance(event, TextMessageContentEvent)
    assert (event.message_id, event.delta, event.type) == ("m", "Hi", EventType.TEXT_MESSAGE_CONTENT)


def test_an_unknown_type_is_dropped_with_a_warning(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING):
        assert wire.read_event({"type": "SOMETHING_NEW", "x": 1}) is None
    assert "SOMETHING_NEW" in caplog.text


def test_unknown_fields_are_dropped_at_every_depth_and_the_open_ones_are_kept() -> None:
    event = wire.read_event(
        {
            "type": "RUN_FINISHED",
            "threadId": "t",
            "runId": "r",
            "color": "red",
            "metadata": {"any": {"thing": None}},
            "outcome": {"type": "interrupt", "interrupts": [{"id": "i", "reason": "q", "mood": "good"}]},
        }
    )
    assert event is not None
    written = json.loads(wire.write_event(event))
    assert "color" not in written
    assert "mood" not in written["outcome"]["interrupts"][0]
    assert written["metadata"] == {"any": {"thing": None}}


def test_members_that_json_patch_does_not_define_stay() -> None:
    operation = {"op": "remove", "path": "/a", "value": "left over"}
    event = wire.read_event({"type": "STATE_DELTA", "delta": [operation]})
    assert event is not None
    assert json.loads(wire.write_event(event))["delta"] == [operation]


@pytest.mark.parametrize(
    ("change", "path"),
    [
        ({"messageId": 5}, "/messageId"),
        ({"delta": None}, "/delta"),
        ({"timestamp": "12"}, "/timestamp"),
        ({"timestamp": 12.5}, "/timestamp"),
        ({"metadata": []}, "/metadata"),
        ({"type": 7}, "/type"),
    ],
)
def test_a_known_field_with_a_wrong_value_is_an_error_with_its_place(change: Any, path: str) -> None:
    with pytest.raises(MalformedEventError) as caught:
        wire.read_event({**CONTENT, **change})
    assert caught.value.path == path


def test_a_missing_field_is_an_error_with_its_place() -> None:
    with pytest.raises(MalformedEventError) as caught:
        wire.read_event({"type": "TOOL_CALL_START", "toolCallId": "c"})
    assert caught.value.path == "/toolCallName"


def test_the_place_of_a_deep_error_names_no_union_branch() -> None:
    outcome = {"type": "interrupt", "interrupts": [{"id": "i", "reason": 3}]}
    with pytest.raises(MalformedEventError) as caught:
        wire.read_event({"type": "RUN_FINISHED", "threadId": "t", "runId": "r", "outcome": outcome})
    assert caught.value.path == "/outcome/interrupts/0/reason"


def test_a_part_without_a_source_that_is_known_goes_and_the_message_stays() -> None:
    part = {"type": "image", "source": {"type": "telepathy", "value": "?"}}
    content = [{"type": "text", "text": "look"}, part]
    event: Any = wire.read_event(
        {"type": "MESSAGES_SNAPSHOT", "messages": [{"id": "u", "role": "user", "content": content}]}
    )
    assert [item.type for item in event.messages[0].content] == ["text"]


def test_an_unknown_subtype_takes_the_event_with_it() -> None:
    event = {"type": "REASONING_ENCRYPTED_VALUE", "entityId": "m", "encryptedValue": "x", "subtype": "aura"}
    assert wire.read_event(event) is None


@pytest.mark.parametrize(
    "data", ["", "[1]", "null", '{"type": "RAW", "event": NaN}', b"\xff", '{"a": 1, "a": 2}']
)
def test_what_is_not_an_object_of_json_is_an_error(data: Any) -> None:
    with pytest.raises((InvalidJSONError, MalformedEventError)):
        wire.read_event(data)


def test_a_written_event_is_one_line_with_camel_case_names() -> None:
    event = TextMessageStartEvent(message_id="m", role="assistant", metadata={"note": "two\nlines"})
    text = wire.write_event(event)
    assert "\n" not in text
    assert json.loads(text) == {
        "type": "TEXT_MESSAGE_START",
        "messageId": "m",
        "role": "assistant",
        "metadata": {"note": "two\nlines"},
    }


def test_ids_and_versions_of_a_run_survive_a_round_trip() -> None:
    event = RunStartedEvent(
        thread_id="t",
        run_id="r",
        parent_run_id="p",
        protocol_version="1.0",
        metadata={"a": 1},
        input=RunAgentInput(thread_id="t", run_id="r", messages=[]),
    )
    assert wire.read_event(wire.write_event(event)) == event


_NUMBERS = st.one_of(
    st.integers(),
    st.floats(allow_nan=False, allow_infinity=False),
    st.decimals(allow_nan=False, allow_infinity=False, places=4),
)
_VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.text(), _NUMBERS),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=12,
)


@settings(deadline=None)
@given(_VALUES)
def test_any_value_in_a_state_keeps_every_number(value: Any) -> None:
    admitted = wire.admit_event(StateSnapshotEvent(snapshot=value))
    assert isinstance(admitted, StateSnapshotEvent)
    written = wire.write_event(admitted)
    event = wire.read_event(written)
    assert isinstance(event, StateSnapshotEvent)
    assert json_text.same(event.snapshot, admitted.snapshot)
    assert wire.write_event(event) == written
    assert json_text.same(event.snapshot, json_text.read(json_text.write(value)))


def test_half_of_a_surrogate_pair_is_written_so_that_it_can_be_sent() -> None:
    event = wire.read_event('{"type": "CUSTOM", "name": "é", "value": {"cut": "\\ud83d"}}')
    assert event is not None
    written = wire.write_event(event)
    assert wire.read_event(written.encode()) == event
    whole = wire.read_event(written.replace("\\ud83d", "\\ud83d\\ude00"))
    assert whole is not None
    assert "😀" in wire.write_event(whole)


def test_a_null_answer_is_written_and_an_absent_one_is_not() -> None:
    """F19: null is an answer."""
    run_input = RunAgentInput(
        thread_id="t",
        run_id="r",
        messages=[],
        resume=[
            ResumeEntry(interrupt_id="a", status="resolved", payload=None),
            ResumeEntry(interrupt_id="b", status="cancelled"),
        ],
    )
    text = wire.write_input(run_input)
    assert json.loads(text)["resume"] == [
        {"interruptId": "a", "status": "resolved", "payload": None},
        {"interruptId": "b", "status": "cancelled"},
    ]
    read = wire.read_input(text)
    assert read.resume is not None
    assert ["payload" in entry.model_fields_set for entry in read.resume] == [True, False]


def test_a_misspelt_status_of_a_resume_entry_is_an_error() -> None:
    """S08: nothing is guessed from a status that is not one."""
    resume = [{"interruptId": "i", "status": "resolvd", "payload": {"approved": True}}]
    with pytest.raises(MalformedEventError) as caught:
        wire.read_input({"threadId": "t", "runId": "r", "messages": [], "resume": resume})
    assert caught.value.path == "/resume/0/status"


class TestAdmit:
    def test_a_piece_of_text_passes_as_the_object_it_is(self) -> None:
        piece = TextMessageContentEvent(message_id="m", delta="Hi")
        assert wire.admit_event(piece) is piece

    @pytest.mark.parametrize("value", [None, {"type": "RAW"}, "text", object(), RunAgentInput])
    def test_what_is_no_event_is_an_error(self, value: object) -> None:
        with pytest.raises(MalformedEventError, match="must yield events of ag_ui"):
            wire.admit_event(value)

    def test_live_objects_in_a_state_become_plain_json(self) -> None:
        class Hotel(BaseModel):
            name: str

        @dataclasses.dataclass
        class Guest:
            age: int

        seen = datetime(2026, 1, 2, tzinfo=UTC)
        snapshot = {
            "hotel": Hotel(name="Lux"),
            "guests": (Guest(7),),
            "at": seen,
            "price": Decimal("1.10"),
            "sum": BIG,
        }
        event = wire.admit_event(StateSnapshotEvent(snapshot=snapshot))
        assert isinstance(event, StateSnapshotEvent)
        assert event.snapshot == {
            "hotel": {"name": "Lux"},
            "guests": [{"age": 7}],
            "at": "2026-01-02T00:00:00+00:00",
            "price": 1.1,
            "sum": BIG,
        }

    def test_an_agent_that_changes_its_state_later_changes_nothing_that_it_gave(self) -> None:
        state = {"items": ["one"]}
        event = wire.admit_event(StateSnapshotEvent(snapshot=state))
        state["items"].append("two")
        assert isinstance(event, StateSnapshotEvent)
        assert event.snapshot == {"items": ["one"]}

    @pytest.mark.parametrize(
        ("value", "path"),
        [
            ({"a": [1, object()]}, "/value/a/1"),
            ({"b": float("nan")}, "/value/b"),
            ({1: 2}, "/value"),
            (Decimal("1e999"), "/value"),
        ],
    )
    def test_what_cannot_be_json_is_named_with_its_place(self, value: Any, path: str) -> None:
        with pytest.raises(MalformedEventError) as caught:
            wire.admit_event(CustomEvent(name="x", value=value))
        assert caught.value.path == path

    def test_a_value_that_holds_itself_is_an_error(self) -> None:
        value: dict[str, Any] = {}
        value["self"] = value
        with pytest.raises((MalformedEventError, ValueError)):
            wire.admit_event(CustomEvent(name="x", value=value))

    def test_a_raw_event_that_is_not_json_is_dropped_and_ends_nothing(self) -> None:
        event = wire.admit_event(CustomEvent(name="x", value=1, raw_event={"live": object()}))
        assert event is not None
        assert event.raw_event is None

    def test_a_piece_of_text_that_is_no_text_is_an_error(self) -> None:
        broken = TextMessageContentEvent.model_construct(
            type=EventType.TEXT_MESSAGE_CONTENT, message_id="m", delta=5
        )
        with pytest.raises(MalformedEventError):
            wire.admit_event(broken)
