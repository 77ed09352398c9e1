"""What the end of a run leaves open."""

from __future__ import annotations

import logging
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    Interrupt,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    Tool,
)

from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol.pause import LEGACY_INTERRUPT, Asked, read_pause
from reflex_agentkit.protocol.payload import approval_schema
from tests.protocol.made import approval, begins, calls, ends, gives, leaves, pauses, shown

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ASK = Tool(name="ask", description="", metadata={"responseSchema": {"type": "string"}})
OPEN_MAP = Tool(name="open_map", description="")


def read(finished: RunFinishedEvent, *before: BaseEvent | list[BaseEvent], **more: Any) -> tuple[Asked, ...]:
    return read_pause(
        finished,
        conversation=shown(begins(), *before),
        thread_id="t",
        run_id="r",
        opened_at=NOW,
        **more,
    )


def only(*interrupts: Interrupt, args: str = '{"n": 2}', **more: Any) -> Any:
    [asked] = read(pauses(*interrupts), calls("c", args=args), **more)
    return asked.pending


class TestKinds:
    def test_a_named_call_and_a_yes_or_no_is_an_approval(self) -> None:
        for interrupt in (approval(), approval(reason="other", response_schema=approval_schema())):
            pending = only(interrupt)
            assert (pending.kind, pending.tool_name, pending.args, pending.args_text) == (
                "approval",
                "pay",
                {"n": 2},
                '{"n": 2}',
            )
            assert pending.allowed_decisions == ("approve", "edit", "reject", "cancel")
            assert pending.metadata["tool_input"] == {"n": 2}

    @pytest.mark.parametrize(
        "interrupt",
        [
            Interrupt(id="i", reason="tool_call"),
            Interrupt(id="i", reason="question", tool_call_id="c"),
            approval(response_schema={"type": "string"}),
            approval(response_schema={"type": "object", "properties": {"seat": {"type": "string"}}}),
        ],
    )
    def test_any_other_is_a_question(self, interrupt: Interrupt) -> None:
        pending = only(interrupt)
        assert (pending.kind, pending.allowed_decisions) == ("question", ("answer", "cancel"))

    def test_where_and_when_it_was_asked_is_kept(self) -> None:
        pending = only(approval(message="Pay?"))
        assert (pending.id, pending.thread_id, pending.run_id, pending.opened_at, pending.message) == (
            "i",
            "t",
            "r",
            NOW,
            "Pay?",
        )


class TestArguments:
    def test_numbers_are_exact(self) -> None:
        pending = only(approval(), args='{"a": 12345678901234567.89, "b": 9007199254740993, "c": 1.0}')
        assert [repr(value) for value in pending.args.values()] == [
            repr(Decimal("12345678901234567.89")),
            "9007199254740993",
            "1.0",
        ]

    def test_a_call_without_arguments_has_none_and_can_be_approved(self) -> None:
        """F25: the first round."""
        pending = only(approval(), args="")
        assert (pending.args, pending.args_text) == ({}, "{}")
        assert "approve" in pending.allowed_decisions

    @pytest.mark.parametrize("text", ['{"n": ', "null", "[1]", '{"n": 1, "n": 2}', '{"n": NaN}', "5"])
    def test_what_cannot_be_read_is_shown_raw_and_cannot_be_approved(self, text: str) -> None:
        """F25: arguments that are not JSON, or null, or say a thing twice."""
        pending = only(approval(), args=text)
        assert (pending.args, pending.args_text) == (None, text)
        assert pending.allowed_decisions == ("reject", "cancel")

    def test_a_call_that_nobody_knows_cannot_be_approved(self) -> None:
        """F25: a pause that names a call nobody knows."""
        [asked] = read(pauses(approval("unheard-of")))
        assert (asked.pending.kind, asked.pending.tool_name) == ("approval", None)
        assert asked.pending.allowed_decisions == ("reject", "cancel")

    def test_the_agents_own_description_helps_where_no_call_was_seen(self) -> None:
        metadata = {"toolName": "pay", "toolArgs": {"n": Decimal("12345678901234567.89")}}
        [asked] = read(pauses(approval("unheard-of", metadata=metadata)))
        assert asked.pending.args == {"n": Decimal("12345678901234567.89")}
        assert asked.pending.args_text == '{"n": 12345678901234567.89}'
        assert "approve" in asked.pending.allowed_decisions

    def test_a_description_does_not_replace_what_the_call_says(self) -> None:
        """S01: the agent describes its own call as something else."""
        metadata = {"toolName": "list_files", "toolArgs": {"n": 0}}
        pending = only(approval(metadata=metadata))
        assert (pending.tool_name, pending.args, pending.metadata["tool_input"]) == (
            "pay",
            {"n": 2},
            {"n": 2},
        )

    def test_the_latest_call_of_an_id_is_the_one_that_is_asked(self) -> None:
        before = [*calls("c", args='{"n": 1}'), gives("c", "ok"), *calls("c", args='{"n": 2}')]
        [asked] = read(pauses(approval()), before)
        assert asked.pending.args == {"n": 2}

    def test_the_argument_schema_comes_with_its_definitions(self) -> None:
        args = {
            "type": "object",
            "properties": {"to": {"$ref": "#/$defs/Who"}},
            "$defs": {"Who": {"type": "string"}},
        }
        schema = approval_schema(args)
        assert schema["$defs"] == {"Who": {"type": "string"}}
        assert only(approval(response_schema=schema)).args_schema == args

    def test_a_schema_that_says_nothing_is_none(self) -> None:
        assert only(approval(response_schema=approval_schema())).args_schema is None


class TestDecisions:
    @pytest.mark.parametrize(
        ("allowed", "expected"),
        [
            (["approve", "reject"], ("approve", "reject", "cancel")),
            (["respond"], ("respond", "cancel")),
            (["approve", "edit", "reject", "dance"], ("approve", "edit", "reject", "cancel")),
            ([], ("cancel",)),
            ("approve", ("reject", "cancel")),
        ],
    )
    def test_the_agent_may_narrow_what_can_be_decided(self, allowed: Any, expected: Any) -> None:
        assert only(approval(metadata={"allowedDecisions": allowed})).allowed_decisions == expected

    def test_a_schema_without_edited_arguments_takes_no_edit(self) -> None:
        pending = only(approval(response_schema=approval_schema(edit=False)))
        assert pending.allowed_decisions == ("approve", "reject", "cancel")

    def test_a_schema_with_a_response_lets_a_person_respond(self) -> None:
        pending = only(approval(response_schema=approval_schema(respond=True)))
        assert pending.allowed_decisions == ("approve", "edit", "reject", "respond", "cancel")


class TestDeadline:
    @pytest.mark.parametrize("text", ["2026-03-01T13:00:00Z", "2026-03-01T14:00:00+01:00"])
    def test_a_time_with_a_zone_is_a_deadline(self, text: str) -> None:
        assert only(approval(expires_at=text)).expires_at == datetime(2026, 3, 1, 13, tzinfo=UTC)

    @pytest.mark.parametrize("text", ["soon", "2026-03-01T13:00:00", ""])
    def test_any_other_time_is_none_and_is_said(self, text: str, caplog: pytest.LogCaptureFixture) -> None:
        with caplog.at_level(logging.WARNING):
            assert only(approval(expires_at=text)).expires_at is None
        assert "expiresAt" in caplog.text


class TestQuestions:
    def test_all_that_was_asked_is_the_payload(self) -> None:
        raw = {"question": "How many?", "hint": [1, 2]}
        [asked] = read(
            pauses(Interrupt(id="i", reason="q", metadata={"langgraph": {"raw": raw}})),
        )
        assert asked.pending.payload == raw
        [asked] = read(pauses(Interrupt(id="i", reason="q", metadata={"payload": 0})))
        assert asked.pending.payload == 0

    def test_a_form_card_is_found_in_metadata_and_payload(self) -> None:
        card = {"formType": "seat", "fields": [{"name": "row"}]}
        for metadata in (card, {"payload": card}, {"form": card}):
            [asked] = read(pauses(Interrupt(id="i", reason="q", metadata=metadata)))
            assert asked.pending.form is not None
            assert asked.pending.form["formType"] == "seat"

    def test_a_question_of_a_sub_agent_says_so(self) -> None:
        [asked] = read(pauses(Interrupt(id="i", reason="q", subagent_run_id="s")))
        assert asked.pending.metadata["subagentRunId"] == "s"


class TestClientTools:
    def test_a_call_left_for_the_application_is_a_question(self) -> None:
        [asked] = read(
            leaves("c"), calls("c", "ask", '{"message": "Seat?"}'), client_tools=[ASK], asking={"ask"}
        )
        pending = asked.pending
        assert (asked.client_call, asked.wire_id, pending.kind, pending.reason) == (
            True,
            "c",
            "question",
            "client_tool",
        )
        assert (pending.message, pending.response_schema) == ("Seat?", {"type": "string"})
        assert pending.metadata == {"client_tool": True, "ask": True}

    def test_a_call_for_the_apps_own_code_asks_nobody(self) -> None:
        [asked] = read(leaves("c"), calls("c", "open_map"), client_tools=[OPEN_MAP])
        assert asked.pending.metadata["ask"] is False

    def test_an_end_that_names_no_calls_does_not_mean_that_none_are_left(self) -> None:
        [asked] = read(ends(), calls("c", "open_map"), calls("d", "pay"), client_tools=[OPEN_MAP])
        assert (asked.wire_id, asked.client_call) == ("c", True)

    def test_an_approval_and_a_client_tool_in_one_pause_are_both_open(self) -> None:
        found = read(pauses(approval("c")), calls("c"), calls("d", "ask"), client_tools=[ASK], asking={"ask"})
        assert [(one.wire_id, one.client_call) for one in found] == [("i", False), ("d", True)]

    def test_an_answered_call_is_not_asked(self) -> None:
        assert read(leaves("c"), calls("c", "ask"), gives("c", "here"), client_tools=[ASK]) == ()


class TestLegacy:
    @staticmethod
    def event(value: Any) -> CustomEvent:
        return CustomEvent(name=LEGACY_INTERRUPT, value=value)

    def test_a_text_of_json_and_an_object_are_read_alike(self) -> None:
        value = {"reason": "tool_call", "message": "Pay?", "toolCallId": "c", "id": "own"}
        text = '{"reason": "tool_call", "message": "Pay?", "toolCallId": "c", "id": "own"}'
        for given in (value, text):
            [asked] = read(ends(), calls("c"), legacy=[self.event(given)])
            assert (asked.wire_id, asked.pending.kind, asked.pending.message) == ("own", "approval", "Pay?")

    @pytest.mark.parametrize("value", ["How many?", ["a", 1], 7, {"message": {"deep": True}, "id": 5}, None])
    def test_anything_can_be_asked_and_gets_an_id(self, value: Any) -> None:
        """F10: a bare text, a list, an object of unknown shape."""
        [asked] = read(ends(), legacy=[self.event(value)])
        assert asked.pending.kind == "question"
        assert asked.wire_id == "legacy-r-0"
        assert asked.pending.payload == value

    def test_where_a_standard_interrupt_is_there_it_wins(self) -> None:
        [asked] = read(pauses(approval()), calls("c"), legacy=[self.event({"message": "old way"})])
        assert asked.wire_id == "i"

    def test_arguments_beside_the_question_help_where_no_call_was_seen(self) -> None:
        value = {"reason": "tool_call", "toolCallId": "x", "tool": "pay", "args": {"n": 2}}
        [asked] = read(ends(), legacy=[self.event(value)])
        assert (asked.pending.tool_name, asked.pending.args) == ("pay", {"n": 2})


def test_nothing_is_open_after_a_success_or_a_stop() -> None:
    assert read(ends()) == ()
    assert read(ends(outcome=RunFinishedCancelledOutcome()), calls("c", "ask"), client_tools=[ASK]) == ()


@pytest.mark.parametrize(
    ("interrupts", "words"),
    [
        ([], "names no interrupt"),
        ([approval(), approval()], "given twice"),
        ([approval(name="")], "empty id"),
    ],
)
def test_a_pause_that_nobody_could_answer_is_an_error(interrupts: Any, words: str) -> None:
    outcome = RunFinishedInterruptOutcome.model_construct(type="interrupt", interrupts=interrupts)
    with pytest.raises(ProtocolError, match=words):
        read(ends(outcome=outcome), calls("c"))
