"""The answers of people in the shape that the middleware wants."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import ResumeEntry
from langchain.agents.middleware.human_in_the_loop import Decision
from pydantic import TypeAdapter

from reflex_agentkit.adapters._notice import NOT_AGAIN, cancellation
from reflex_agentkit.adapters.langgraph.middleware import gather
from reflex_agentkit.errors import InvalidAnswerError
from tests.adapters.langgraph_middleware.test_requests import (
    ALL,
    OSLO,
    ROME,
    batched,
    camel,
    per_call,
    published,
)
from tests.adapters.talk import approved, cancelled, refused, resolved


def one(entry: ResumeEntry, allowed: list[str] = ALL) -> dict[str, Any]:
    answer = gather(batched(("book", ROME, allowed)), [entry])
    (decision,) = answer["decisions"]
    TypeAdapter(Decision).validate_python(decision)
    return decision


def test_a_yes_is_an_approve() -> None:
    assert one(approved()) == {"type": "approve"}


def test_an_edit_names_the_tool_and_holds_all_arguments() -> None:
    assert one(approved(editedArgs=OSLO)) == {"type": "edit", "edited_action": {"name": "book", "args": OSLO}}


def test_an_edit_that_changes_nothing_is_an_approve() -> None:
    assert one(approved(editedArgs=dict(reversed(ROME.items())))) == {"type": "approve"}


@pytest.mark.parametrize("nights", [2.0, True, "2"])
def test_an_edit_of_a_number_into_something_like_it_is_an_edit(nights: Any) -> None:
    assert one(approved(editedArgs={"city": "Rome", "nights": nights}))["type"] == "edit"


def test_a_refusal_carries_its_reason_and_says_not_to_try_again() -> None:
    assert one(refused(reason=" Too expensive ")) == {
        "type": "reject",
        "message": f"Too expensive\n{NOT_AGAIN}",
    }


@pytest.mark.parametrize("more", [{}, {"reason": None}, {"reason": ""}, {"reason": "  "}])
def test_a_refusal_without_words_leaves_the_words_to_the_middleware_f21(more: dict[str, Any]) -> None:
    assert one(refused(**more)) == {"type": "reject"}


def test_a_refusal_wins_over_edited_arguments_beside_it() -> None:
    assert one(refused(editedArgs=OSLO)) == {"type": "reject"}


def test_a_response_is_the_tools_result() -> None:
    assert one(refused(response="Blue.")) == {"type": "respond", "message": "Blue."}
    assert one(refused(response=""), ["respond"]) == {"type": "respond", "message": ""}


def test_cancelled_is_a_refusal_that_says_so_f22() -> None:
    assert one(cancelled()) == {"type": "reject", "message": cancellation()}


def test_out_of_time_is_a_refusal_that_says_so_f27() -> None:
    assert one(cancelled(metadata={"reason": "expired"}))["message"] == cancellation(expired=True)


def test_a_cancelled_question_is_a_response_that_says_so() -> None:
    assert one(cancelled(), ["respond"]) == {"type": "respond", "message": cancellation()}


def test_a_yes_inside_a_cancelled_entry_is_no_yes() -> None:
    assert one(cancelled(payload={"approved": True}))["type"] == "reject"


def test_what_else_the_answer_holds_is_left_out_of_the_decision() -> None:
    assert one(approved(chosen_time="10:00")) == {"type": "approve"}


def test_each_action_gets_its_own_decision_in_order_f15() -> None:
    value = batched(("book", ROME, ALL), ("book", OSLO, ALL), ("ask_user", {}, ["respond"]))
    answer = gather(value, [approved(), refused(reason="no"), refused(response="Blue.")])
    assert [decision["type"] for decision in answer["decisions"]] == ["approve", "reject", "respond"]


def test_a_request_about_one_call_is_answered_with_one_decision() -> None:
    assert gather(per_call(), [approved()]) == {"type": "approve"}
    edited = {"type": "edit", "edited_action": {"name": "book", "args": OSLO}}
    assert gather(per_call(), [approved(editedArgs=OSLO)]) == edited
    assert gather(per_call(), [cancelled()], response_schema=published("respond")) == {
        "type": "respond",
        "message": cancellation(),
    }


def test_an_answer_is_spelled_as_its_request() -> None:
    answer = gather(camel(("book", ROME, ALL)), [approved(editedArgs=OSLO)])
    assert answer == {"decisions": [{"type": "edit", "editedAction": {"name": "book", "args": OSLO}}]}


@pytest.mark.parametrize("count", [0, 1, 3])
def test_an_answer_to_a_part_is_no_answer(count: int) -> None:
    with pytest.raises(InvalidAnswerError, match="2 actions"):
        gather(batched(("book", ROME, ALL), ("book", OSLO, ALL)), [approved()] * count)


@pytest.mark.parametrize(
    "payload",
    [{"approved": "true"}, {"approved": 1}, {"approved": [True]}, True, "yes", None, {}, {"type": "approve"}],
)
def test_almost_a_yes_decides_nothing_s08(payload: Any) -> None:
    with pytest.raises(InvalidAnswerError):
        one(resolved("x#0", payload))


def test_a_misspelt_status_decides_nothing_s08() -> None:
    entry = ResumeEntry.model_construct(interrupt_id="x#0", status="resolve", payload={"approved": True})
    with pytest.raises(InvalidAnswerError, match="resolve"):
        one(entry)


@pytest.mark.parametrize(
    ("entry", "allowed"),
    [
        (approved(), ["edit", "reject"]),
        (approved(), ["respond"]),
        (approved(editedArgs=OSLO), ["approve", "reject"]),
        (refused(), ["approve"]),
        (refused(), ["respond"]),
        (refused(response="x"), ["approve", "reject"]),
        (cancelled(), ["approve", "edit"]),
    ],
)
def test_what_the_middleware_would_not_take_is_never_sent_to_it(
    entry: ResumeEntry, allowed: list[str]
) -> None:
    with pytest.raises(InvalidAnswerError) as caught:
        one(entry, allowed)
    assert caught.value.code == "not_allowed"
