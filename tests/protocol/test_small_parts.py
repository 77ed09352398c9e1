"""The digest of what is asked, the notes in the log, the published payload, and JSON Patch."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from ag_ui.core import CustomEvent, RawEvent

from reflex_agentkit.errors import InvalidAnswerError, ProtocolError
from reflex_agentkit.protocol import patch, wire
from reflex_agentkit.protocol.conversation import DecisionNote
from reflex_agentkit.protocol.digest import digest_of, seal
from reflex_agentkit.protocol.notes import DECIDED, decided_event, is_note, read_note, status_event
from reflex_agentkit.protocol.payload import approval_schema, args_schema_of, read_payload
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.schema import check, check_args

PENDING = PendingInterrupt(
    id="i",
    kind="approval",
    message="Pay?",
    tool_call_id="c",
    tool_name="pay",
    args={"n": 1},
    args_text='{"n": 1}',
    thread_id="t",
    run_id="r",
)


class TestSeal:
    def test_it_is_the_same_for_the_same_and_does_not_know_the_id_or_the_time(self) -> None:
        assert len(seal(PENDING)) == 64
        later = replace(PENDING, id="other", opened_at=datetime(2026, 1, 1, tzinfo=UTC))
        assert seal(PENDING) == seal(replace(later, args={"n": 1}))

    @pytest.mark.parametrize(
        "change",
        [
            {"kind": "question"},
            {"reason": "x"},
            {"message": "Pay!"},
            {"tool_name": "play"},
            {"tool_call_id": "d"},
            {"args": {"n": 1.0}},
            {"args": {"n": Decimal("1.00000000000000000001")}},
            {"args": None},
            {"thread_id": "u"},
            {"run_id": "s"},
            {"args_schema": {}},
            {"response_schema": {}},
            {"allowed_decisions": ("approve",)},
            {"payload": 0},
            {"form": {}},
        ],
    )
    def test_it_differs_with_whatever_is_asked(self, change: Any) -> None:
        assert seal(replace(PENDING, **change)) != seal(PENDING)

    def test_two_texts_that_cannot_be_read_are_two_questions(self) -> None:
        broken = replace(PENDING, args=None, args_text="{")
        assert seal(broken) != seal(replace(broken, args_text="{{"))
        assert seal(broken) != seal(replace(PENDING, args_text="{", args={}))

    def test_any_text_has_a_digest(self) -> None:
        assert digest_of({"lone": "\ud800"}) != digest_of({"lone": "\ud801"})

    def test_the_order_of_keys_is_not_asked(self) -> None:
        assert digest_of({"a": 1, "b": 2}) == digest_of({"b": 2, "a": 1})


class TestNotes:
    NOTE = DecisionNote(interrupt_id="i", verdict="edited", by="Ann", at="2026-01-01T00:00:00Z", reason="why")

    def test_a_decision_survives_the_log(self) -> None:
        event = wire.read_event(wire.write_event(decided_event(self.NOTE)))
        assert event is not None
        assert is_note(event)
        assert read_note(event) == self.NOTE

    def test_a_status_survives_the_log(self) -> None:
        event = wire.read_event(wire.write_event(status_event("cancelled")))
        assert event is not None
        assert read_note(event) == "cancelled"

    @pytest.mark.parametrize(
        ("name", "value"),
        [
            (DECIDED, None),
            (DECIDED, {"interrupt_id": "i", "verdict": "blessed"}),
            (DECIDED, {"verdict": "approved"}),
            ("reflex_agentkit.run_status", {"status": "asleep"}),
            ("reflex_agentkit.unknown", {}),
        ],
    )
    def test_a_note_that_cannot_be_read_is_none(self, name: str, value: Any) -> None:
        assert read_note(CustomEvent(name=name, value=value)) is None

    def test_other_events_are_no_notes(self) -> None:
        for event in (CustomEvent(name="theirs", value={}), RawEvent(event=1)):
            assert not is_note(event)
            assert read_note(event) is None


class TestPayload:
    @pytest.mark.parametrize("payload", [{"approved": True}, {"approved": False, "reason": "no"}])
    def test_what_is_read_fits_what_is_published(self, payload: Any) -> None:
        assert check(payload, approval_schema()) == []
        read_payload(payload)

    @pytest.mark.parametrize("payload", [{"approved": "true"}, {"approved": 1}, {}, True, {"approved": None}])
    def test_what_is_not_read_does_not_fit_either(self, payload: Any) -> None:
        assert check(payload, approval_schema()) != []
        with pytest.raises(InvalidAnswerError):
            read_payload(payload)

    def test_it_has_the_shape_that_every_ag_ui_client_knows(self) -> None:
        assert approval_schema() == {
            "type": "object",
            "properties": {
                "approved": {"type": "boolean"},
                "editedArgs": {"type": "object"},
                "reason": {"type": "string"},
            },
            "required": ["approved"],
        }

    def test_a_published_argument_schema_is_found_again(self) -> None:
        args = {
            "type": "object",
            "properties": {"a": {"$ref": "#/$defs/A"}},
            "$defs": {"A": {"type": "null"}},
        }
        assert args_schema_of(approval_schema(args)) == args
        assert args_schema_of(approval_schema(args, edit=False)) is None
        assert args_schema_of(None) is None

    def test_references_into_the_argument_schema_follow_it_there_and_back(self) -> None:
        args: dict[str, Any] = {
            "type": "object",
            "properties": {
                "child": {"$ref": "#"},
                "name": {"$ref": "#/definitions/Name"},
                "again": {"anyOf": [{"$ref": "#/properties/name"}, {"type": "null"}]},
            },
            "definitions": {"Name": {"type": "string"}},
            "additionalProperties": False,
        }
        published = approval_schema(args)
        assert args_schema_of(published) == args
        for value, fits in (({"child": {"name": "a"}, "again": "b"}, True), ({"again": 1}, False)):
            assert (check({"approved": True, "editedArgs": value}, published) == []) is fits
            assert (check_args(value, args) == []) is fits
        assert args["properties"]["child"] == {"$ref": "#"}

    def test_keys_beside_ours_are_kept(self) -> None:
        assert read_payload({"approved": True, "time": "10:00"}).extra == {"time": "10:00"}


class TestPatch:
    def test_the_document_stays_as_it_was(self) -> None:
        document = {"a": [1]}
        assert patch.apply(document, [{"op": "add", "path": "/a/-", "value": 2}]) == {"a": [1, 2]}
        assert document == {"a": [1]}

    @pytest.mark.parametrize(
        "operations",
        [
            [{"op": "remove", "path": "/x"}],
            [{"op": "test", "path": "/a", "value": 2}],
            [{"op": "add", "path": "/b", "value": 1}, {"op": "replace", "path": "/a/b/c", "value": 1}],
            [{"op": "move", "from": "/x", "path": "/y"}],
            [{"op": "add", "path": "no slash", "value": 1}],
            [{"op": "dance", "path": "/a"}],
            [{"path": "/a"}],
        ],
    )
    def test_what_does_not_apply_is_an_error_that_names_the_operation(self, operations: Any) -> None:
        with pytest.raises(ProtocolError, match="operation"):
            patch.apply({"a": 1}, operations)

    def test_exact_numbers_pass(self) -> None:
        amount = Decimal("12345678901234567.89")
        assert patch.apply({}, [{"op": "add", "path": "/n", "value": amount}]) == {"n": amount}
