"""What may be said to what was asked, and how it is sent."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from typing import Any

import pytest
from ag_ui.core import ResumeEntry

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.answers import check_answer, is_expired, read_entry, resume_problem
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.verdicts import (
    Answer,
    Approve,
    Cancel,
    Gave,
    Reject,
    Respond,
    RunAgain,
)

NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
ARGS = {
    "type": "object",
    "properties": {"to": {"type": "string"}, "amount": {"type": "integer", "maximum": 1000}},
    "required": ["to", "amount"],
}
APPROVAL = PendingInterrupt(
    id="i",
    kind="approval",
    tool_call_id="c",
    tool_name="send_refund",
    args={"to": "Ann", "amount": 40},
    args_text='{"to": "Ann", "amount": 40}',
    args_schema=ARGS,
    response_schema=approval_schema(ARGS),
    allowed_decisions=("approve", "edit", "reject", "respond", "cancel"),
)
QUESTION = PendingInterrupt(id="q", kind="question")
DOUBT = PendingInterrupt(id="d", kind="doubt", allowed_decisions=("run_again", "gave"))


def refused(pending: PendingInterrupt, answer: Any, **more: Any) -> InvalidAnswerError:
    with pytest.raises(InvalidAnswerError) as caught:
        check_answer(pending, answer, **more)
    return caught.value


class TestTable:
    @pytest.mark.parametrize(
        ("answer", "verdict", "status", "payload"),
        [
            (Approve(), "approved", "resolved", {"approved": True}),
            (Approve(extra={"time": "10:00"}), "approved", "resolved", {"approved": True, "time": "10:00"}),
            (
                Approve({"to": "Ann", "amount": 25}),
                "edited",
                "resolved",
                {"approved": True, "editedArgs": {"to": "Ann", "amount": 25}},
            ),
            (Reject(), "rejected", "resolved", {"approved": False}),
            (Reject("  "), "rejected", "resolved", {"approved": False}),
            (Reject("Too much"), "rejected", "resolved", {"approved": False, "reason": "Too much"}),
            (Respond("Blue"), "responded", "resolved", {"approved": False, "response": "Blue"}),
            (Cancel(), "cancelled", "cancelled", None),
        ],
    )
    def test_an_answer_to_an_approval(self, answer: Any, verdict: str, status: str, payload: Any) -> None:
        checked = check_answer(APPROVAL, answer, now=NOW)
        assert (checked.verdict, checked.status, checked.payload) == (verdict, status, payload)

    def test_edited_arguments_that_are_the_proposed_ones_are_a_plain_approval(self) -> None:
        checked = check_answer(APPROVAL, Approve({"amount": 40, "to": "Ann"}))
        assert (checked.verdict, checked.payload, checked.edited_args) == (
            "approved",
            {"approved": True},
            None,
        )

    def test_one_point_nought_is_not_one(self) -> None:
        pending = replace(APPROVAL, args={"rate": 1}, args_schema=None, response_schema=None)
        assert check_answer(pending, Approve({"rate": 1.0})).verdict == "edited"

    @pytest.mark.parametrize("value", [None, False, 0, "", [], {}, 3.5, "a text", {"deep": [1]}])
    def test_no_zero_and_nothing_are_answers(self, value: Any) -> None:
        """F19: the agent gets the same value of the same type."""
        checked = check_answer(QUESTION, Answer(value))
        assert (checked.verdict, checked.status) == ("answered", "resolved")
        assert json_text.same(checked.payload, value)
        entry = ResumeEntry(interrupt_id="q", status="resolved", payload=value)
        assert read_entry(QUESTION, entry) == Answer(value)

    def test_an_answer_is_held_against_the_schema(self) -> None:
        pending = replace(QUESTION, response_schema={"type": "integer", "minimum": 1})
        assert check_answer(pending, Answer(2)).payload == 2
        assert "1 or more" in str(refused(pending, Answer(0)))

    def test_what_goes_beside_an_approval_is_held_against_the_schema_too(self) -> None:
        schema = approval_schema()
        schema["properties"]["time"] = {"type": "string"}
        schema["required"].append("time")
        pending = replace(APPROVAL, response_schema=schema)
        assert refused(pending, Approve()).path == "/time"
        assert check_answer(pending, Approve(extra={"time": "10"})).verdict == "approved"
        # A refusal is always possible, whatever a schema asks for.
        assert check_answer(pending, Reject()).verdict == "rejected"

    def test_a_call_in_doubt_is_run_again_or_told(self) -> None:
        assert check_answer(DOUBT, RunAgain()).payload == {"approved": True}
        assert check_answer(DOUBT, Gave({"paid": 1})).payload == {
            "approved": False,
            "response": '{"paid": 1}',
        }
        assert refused(DOUBT, Cancel()).code == "not_allowed"


@pytest.mark.parametrize(
    ("pending", "answer"),
    [
        (APPROVAL, Answer(True)),
        (APPROVAL, RunAgain()),
        (QUESTION, Approve()),
        (QUESTION, Reject()),
        (QUESTION, Gave(1)),
        (DOUBT, Approve()),
        (replace(APPROVAL, allowed_decisions=("reject", "cancel")), Approve()),
        (replace(APPROVAL, allowed_decisions=("approve", "cancel")), Approve({"to": "Bob", "amount": 1})),
        (replace(APPROVAL, allowed_decisions=("approve", "cancel")), Reject()),
        (replace(APPROVAL, allowed_decisions=("approve", "cancel")), Respond("x")),
        (replace(APPROVAL, allowed_decisions=("edit", "cancel")), Approve({"to": "Ann", "amount": 40})),
        (APPROVAL, "yes"),
        (APPROVAL, True),
    ],
)
def test_what_is_not_allowed_here(pending: PendingInterrupt, answer: Any) -> None:
    assert refused(pending, answer).code == "not_allowed"


def test_unreadable_arguments_cannot_be_approved_or_edited_but_refused() -> None:
    """F25: approval is not offered for what cannot be read."""
    pending = replace(APPROVAL, args=None, args_text='{"to"', allowed_decisions=("reject", "cancel"))
    for answer in (Approve(), Approve({"to": "Ann", "amount": 1})):
        error = refused(pending, answer)
        assert error.code == "not_allowed"
        assert "cannot be read" in str(error)
    assert check_answer(pending, Reject()).verdict == "rejected"
    assert check_answer(pending, Cancel()).verdict == "cancelled"


class TestMoreThanAnEdit:
    """S09 and F20: the tool does not run, the field or the limit is named."""

    @pytest.mark.parametrize(
        ("edited", "named"),
        [
            ({"to": "Ann", "amount": 1, "is_admin": True}, "is_admin"),
            ({"to": "Ann", "amount": 1, "__proto__": {}}, "__proto__"),
            ({"to": "Ann", "amount": 1, "tool_call_id": "c2"}, "tool_call_id"),
            ({"amount": 1}, "to"),
            ({"to": "Ann", "amount": "5"}, "amount"),
            ({"to": "Ann", "amount": True}, "amount"),
            ({"to": "Ann", "amount": 5.5}, "amount"),
            ({"to": "Ann", "amount": 1001}, "1000"),
            ([], "object"),
            ("text", "object"),
            ("", "object"),
            ({}, "to"),
        ],
    )
    def test_s09_an_edit_that_does_not_fit(self, edited: Any, named: str) -> None:
        error = refused(APPROVAL, Approve(edited))
        assert error.code == "invalid_answer"
        assert named in str(error)

    def test_s09_an_edit_of_five_megabytes(self) -> None:
        assert "2,000,000" in str(refused(APPROVAL, Approve({"to": "x" * 5_000_000, "amount": 1})))

    def test_s09_an_edit_ten_thousand_levels_deep(self) -> None:
        deep: dict[str, Any] = {}
        inner = deep
        for _ in range(10_000):
            inner["a"] = {}
            inner = inner["a"]
        assert "200 levels" in str(refused(APPROVAL, Approve(deep)))

    def test_s09_an_edit_of_a_hundred_thousand_parts(self) -> None:
        assert "100,000" in str(refused(APPROVAL, Approve({"to": list(range(100_001)), "amount": 1})))

    def test_f20_every_wrong_field_is_named_with_the_first_ones_place(self) -> None:
        error = refused(APPROVAL, Approve({"to": 5, "amount": "5"}))
        assert error.path in ("/to", "/amount")
        assert len(error.problems) == 2

    def test_what_is_not_json_is_refused(self) -> None:
        for value in ({1}, float("nan"), object(), Decimal("1e99999")):
            assert (
                refused(replace(APPROVAL, args_schema=None), Approve({"to": value})).code == "invalid_answer"
            )


class TestBeside:
    @pytest.mark.parametrize("key", ["approved", "editedArgs", "reason", "response"])
    def test_what_was_decided_cannot_be_said_again_beside_it(self, key: str) -> None:
        assert refused(APPROVAL, Approve(extra={key: False})).path == f"/{key}"

    @pytest.mark.parametrize("key", ["edited_args", "EditedArgs", "Approved", "edited-args"])
    def test_a_key_that_is_nearly_one_of_ours_is_refused(self, key: str) -> None:
        assert "spelled" in str(refused(APPROVAL, Approve(extra={key: {}})))

    def test_a_list_beside_an_approval_is_refused(self) -> None:
        refused(APPROVAL, Approve(extra=[1]))  # type: ignore[arg-type]


class TestEntries:
    @pytest.mark.parametrize(
        "payload",
        [
            {"approved": "true"},
            {"approved": 1},
            {"approved": "false"},
            {"approved": [True]},
            {"approved": None},
            True,
            "yes",
            None,
            {},
            [],
            [{"approved": True}],
            {"approved": True, "edited_args": {"to": "Bob"}},
            {"approved": True, "editedArgs": [1]},
            {"approved": True, "response": "instead"},
            {"approved": False, "reason": 5},
            {"Approved": True},
        ],
    )
    def test_s08_almost_a_yes_is_no_answer(self, payload: Any) -> None:
        entry = ResumeEntry(interrupt_id="i", status="resolved", payload=payload)
        with pytest.raises(InvalidAnswerError):
            read_entry(APPROVAL, entry)

    def test_s08_a_misspelt_status_is_no_answer(self) -> None:
        entry = ResumeEntry.model_construct(interrupt_id="i", status="resolvd", payload={"approved": True})
        with pytest.raises(InvalidAnswerError, match="resolvd"):
            read_entry(APPROVAL, entry)

    @pytest.mark.parametrize(
        ("payload", "value"),
        [
            ({"approved": True}, Approve()),
            ({"approved": True, "editedArgs": None}, Approve()),
            ({"approved": True, "editedArgs": {"n": 1}, "time": 3}, Approve({"n": 1}, {"time": 3})),
            ({"approved": False}, Reject()),
            ({"approved": False, "reason": "no"}, Reject("no")),
            ({"approved": False, "response": "Blue"}, Respond("Blue")),
        ],
    )
    def test_a_clear_payload_is_read(self, payload: Any, value: Any) -> None:
        entry = ResumeEntry(interrupt_id="i", status="resolved", payload=payload)
        assert read_entry(APPROVAL, entry) == value

    def test_a_cancelled_entry_is_a_cancellation_whatever_it_carries(self) -> None:
        entry = ResumeEntry(interrupt_id="i", status="cancelled", payload={"approved": True})
        assert read_entry(APPROVAL, entry) == Cancel()

    def test_a_resolved_question_needs_an_answer(self) -> None:
        with pytest.raises(InvalidAnswerError, match="payload"):
            read_entry(QUESTION, ResumeEntry(interrupt_id="q", status="resolved"))

    def test_a_doubt_is_not_settled_by_a_resume(self) -> None:
        entry = ResumeEntry(interrupt_id="d", status="resolved", payload={"approved": True})
        with pytest.raises(InvalidAnswerError):
            read_entry(DOUBT, entry)


class TestResume:
    @staticmethod
    def entries(*ids: str) -> list[ResumeEntry]:
        return [ResumeEntry(interrupt_id=one, status="cancelled") for one in ids]

    def test_all_of_them_once_is_right(self) -> None:
        assert resume_problem(["a", "b"], self.entries("b", "a")) is None
        assert resume_problem([], []) is None

    @pytest.mark.parametrize(
        ("given", "code", "named"),
        [
            (("a",), "incomplete", "b"),
            ((), "incomplete", "a"),
            (("a", "b", "x"), "unknown_interrupt", "x"),
            (("a", "b", "a"), "contradiction", "a"),
        ],
    )
    def test_anything_else_is_refused_as_a_whole(self, given: Any, code: str, named: str) -> None:
        """S08: a resume that holds the same pause twice is refused, whatever the two say."""
        problem = resume_problem(["a", "b"], self.entries(*given))
        assert problem is not None
        assert (problem.code, problem.interrupt_id) == (code, named)
        assert repr(named) in problem.message


class TestExpiry:
    PENDING = replace(APPROVAL, expires_at=NOW)

    def test_now_or_earlier_is_expired(self) -> None:
        assert is_expired(self.PENDING, NOW)
        assert not is_expired(self.PENDING, NOW - timedelta(seconds=1))
        assert not is_expired(APPROVAL, NOW)

    def test_an_expired_one_can_only_be_cancelled(self) -> None:
        assert refused(self.PENDING, Approve(), now=NOW).code == "expired"
        assert check_answer(self.PENDING, Cancel(), now=NOW).verdict == "cancelled"
        assert check_answer(self.PENDING, Approve()).verdict == "approved"
