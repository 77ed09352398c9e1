"""What a page sends as an answer, read or refused."""

from __future__ import annotations

from decimal import Decimal

import pytest

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Gave, Reject, Respond, RunAgain
from reflex_agentkit.state.answers import (
    MAX_ANSWER,
    check_value,
    read_approval,
    read_decision,
    read_edited,
    read_extra,
)

EXACT = Decimal("12345678901234567.89")


@pytest.mark.parametrize(
    ("word", "text", "value"),
    [
        ("approve", "", Approve()),
        ("approve", {"a": "mouse position"}, Approve()),
        ("edit", '{"a": 12345678901234567.89}', Approve(edited_args={"a": EXACT})),
        ("edit", "{}", Approve(edited_args={})),
        ("reject", "", Reject(None)),
        ("reject", None, Reject(None)),
        ("reject", "no", Reject("no")),
        ("respond", "It rains.", Respond("It rains.")),
        ("answer", "false", Answer(False)),
        ("answer", "12345678901234567.89", Answer(EXACT)),
        ("answer", '""', Answer("")),
        ("cancel", "", Cancel()),
        ("run_again", "", RunAgain()),
        ("gave", '"done"', Gave("done")),
    ],
    ids=repr,
)
def test_each_word_means_one_answer(word, text, value):
    assert read_decision(word, text) == value


@pytest.mark.parametrize(
    ("word", "text"),
    [("answer", ""), ("answer", "three"), ("answer", "NaN"), ("answer", '{"a":1,"a":2}'),
     ("edit", "null"), ("edit", "[" * 10_000), ("reject", 5), ("respond", []), ("gave", None),
     ("answer", " " * (MAX_ANSWER + 1))],
    ids=lambda value: repr(value)[:20],
)  # fmt: skip
def test_what_the_word_cannot_use_is_refused(word, text):
    with pytest.raises(InvalidAnswerError) as refused:
        read_decision(word, text)
    assert refused.value.code == "invalid_answer"
    assert len(str(refused.value)) < 300


@pytest.mark.parametrize(
    ("payload", "value"),
    [
        ({"approved": True}, Approve()),
        ({"approved": True, "editedArgs": {"a": 1}}, Approve({"a": 1})),
        ({"approved": True, "when": "10:00"}, Approve(None, {"when": "10:00"})),
        ({"approved": False}, Reject(None)),
        ({"approved": False, "reason": "no"}, Reject("no")),
        ({"approved": False, "response": "It rains."}, Respond("It rains.")),
    ],
    ids=repr,
)
def test_each_row_of_the_answer_table(payload, value):
    assert read_approval(payload) == value


@pytest.mark.parametrize(
    "payload",
    [{"approved": "true"}, {"approved": 1}, {}, None, True, "yes", [], {"Approved": True},
     {"approved": True, "editedArgs": []}, {"approved": True, "editedArgs": "{}"},
     {"approved": False, "reason": 5}, {"approved": True, "x": "y" * MAX_ANSWER}],
    ids=lambda value: repr(value)[:30],
)  # fmt: skip
def test_s08_unclear_is_no_answer(payload):
    with pytest.raises(InvalidAnswerError):
        read_approval(payload)


def test_edited_arguments_come_as_object_or_text():
    assert read_edited(None) is None
    assert read_edited({"a": 1}) == {"a": 1} == read_edited('{"a": 1}')
    for wrong in ([], 5, True, "[]", "", {"a": {1, 2}}, {1: 2}):
        with pytest.raises(InvalidAnswerError):
            read_edited(wrong)


def test_what_goes_beside_a_yes_is_an_object():
    assert read_extra(None) is None
    assert read_extra({"when": "10:00"}) == {"when": "10:00"}
    with pytest.raises(InvalidAnswerError):
        read_extra("10:00")


@pytest.mark.parametrize(
    "value", [float("nan"), {1}, object(), "x" * (MAX_ANSWER + 1)], ids=lambda v: repr(v)[:20]
)
def test_what_is_no_json_is_no_answer(value):
    with pytest.raises(InvalidAnswerError):
        check_value(value)
