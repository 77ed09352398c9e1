"""What the middleware asks, as approvals: which call, what is allowed, which arguments."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from ag_ui.core import RunFinishedEvent, RunFinishedInterruptOutcome
from langchain.agents.middleware.human_in_the_loop import (
    DecisionType,
    _decision_schema,  # pyright: ignore[reportPrivateUsage]
)
from langchain_core.tools import tool
from pydantic import BaseModel, TypeAdapter

from reflex_agentkit.adapters.langgraph.middleware import ProposedCall, fan_out, is_request, wire_ids
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.protocol.pause import read_pause
from reflex_agentkit.protocol.payload import args_schema_of
from reflex_agentkit.protocol.schema import check_args

ROME = {"city": "Rome", "nights": 2}
OSLO = {"city": "Oslo", "nights": 1}
ALL = ["approve", "edit", "reject", "respond"]


class Guest(BaseModel):
    name: str


@tool
def book(city: str, guests: list[Guest]) -> str:
    """Book."""
    return city


def batched(*actions: tuple[str, dict[str, Any], list[str]]) -> dict[str, Any]:
    return {
        "action_requests": [
            {"name": name, "args": args, "description": f"May {name}?"} for name, args, _ in actions
        ],
        "review_configs": [
            {"action_name": name, "allowed_decisions": allowed} for name, _, allowed in actions
        ],
    }


def camel(*actions: tuple[str, dict[str, Any], list[str]]) -> dict[str, Any]:
    return {
        "actionRequests": [{"name": name, "args": args} for name, args, _ in actions],
        "reviewConfigs": [{"allowedDecisions": allowed} for _, _, allowed in actions],
    }


def per_call(call_id: str = "c1", name: str = "book", args: dict[str, Any] = ROME) -> dict[str, Any]:
    return {
        "type": "tool_approval",
        "tool_call_id": call_id,
        "name": name,
        "args": args,
        "description": "May book?",
    }


def proposed(*calls: tuple[str, str, dict[str, Any]]) -> list[ProposedCall]:
    return [ProposedCall(id=call_id, name=name, args=args) for call_id, name, args in calls]


def published(*allowed: DecisionType) -> dict[str, Any]:
    return TypeAdapter(_decision_schema(allowed, "book", book)).json_schema()


@pytest.mark.parametrize(
    "value",
    [
        batched(("book", ROME, ALL)),
        camel(("book", ROME, ALL)),
        per_call(),
        {"type": "tool_approval", "toolCallId": "c1", "name": "book", "args": {}},
    ],
)
def test_a_request_is_known_in_both_modes_and_spellings(value: Any) -> None:
    assert is_request(value)


@pytest.mark.parametrize(
    "value",
    [
        None,
        "tool_approval",
        [],
        {},
        {"reason": "question", "message": "How many?"},
        {"action_requests": [], "review_configs": []},
        {"action_requests": "book", "review_configs": []},
        {"action_requests": [{"name": "book"}], "review_configs": []},
        {"action_requests": [{"name": 1, "args": {}}], "review_configs": []},
        {"action_requests": [{"name": "book", "args": {}}]},
        {"action_requests": [{"name": "book", "args": {}}, "more"], "review_configs": []},
        {"type": "tool_approval", "name": "book", "args": {}},
        {"type": "tool_approval", "tool_call_id": "c1", "args": {}},
    ],
)
def test_anything_else_is_no_request(value: Any) -> None:
    assert not is_request(value)


def test_each_action_is_an_approval_with_its_call_its_words_and_an_id_of_its_own() -> None:
    value = batched(
        ("book", ROME, ["approve", "edit", "reject"]), ("pay", {"amount": 5}, ["approve", "reject"])
    )
    one, two = fan_out("x", value, proposed=proposed(("c1", "book", ROME), ("c2", "pay", {"amount": 5})))
    assert (one.id, one.reason, one.message, one.tool_call_id) == ("x#0", "tool_call", "May book?", "c1")
    assert (two.id, two.tool_call_id) == ("x#1", "c2")
    assert one.metadata == {
        "toolName": "book",
        "tool_input": ROME,
        "allowedDecisions": ["approve", "edit", "reject", "cancel"],
    }
    assert two.metadata is not None
    assert two.metadata["allowedDecisions"] == ["approve", "reject", "cancel"]
    assert wire_ids("x", value) == ["x#0", "x#1"]


def test_a_request_about_one_call_keeps_the_id_of_its_interrupt() -> None:
    (one,) = fan_out("x", per_call(), proposed=[])
    assert (one.id, one.tool_call_id, one.message) == ("x", "c1", "May book?")
    assert wire_ids("x", per_call()) == ["x"]


def test_the_spelling_of_javascript_is_read_too() -> None:
    value = camel(("book", ROME, ["approve", "edit"]), ("ask_user", {}, ["respond"]))
    one, two = fan_out("x", value, proposed=proposed(("c1", "book", ROME), ("c2", "ask_user", {})))
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == ["approve", "edit", "cancel"]
    assert two.metadata is not None
    assert two.metadata["allowedDecisions"] == ["respond", "cancel"]
    assert (one.message, two.tool_call_id) == (None, "c2")


def test_equal_calls_are_taken_in_order_and_a_call_that_was_not_asked_about_is_left_out() -> None:
    value = batched(("book", ROME, ALL), ("book", OSLO, ALL), ("book", ROME, ALL))
    calls = proposed(
        ("c1", "weather", ROME), ("c2", "book", ROME), ("c3", "book", OSLO), ("c4", "book", ROME)
    )
    assert [one.tool_call_id for one in fan_out("x", value, proposed=calls)] == ["c2", "c3", "c4"]


@pytest.mark.parametrize(
    "args", [{"amount": 1.0}, {"amount": True}, {"amount": "1"}, {"amount": 1, "to": "x"}]
)
def test_a_call_with_nearly_the_same_arguments_is_another_call(args: dict[str, Any]) -> None:
    calls = proposed(("c1", "pay", args), ("c2", "pay", {"amount": 1}))
    (one,) = fan_out("x", batched(("pay", {"amount": 1}, ALL)), proposed=calls)
    assert one.tool_call_id == "c2"


def test_an_action_whose_call_is_not_there_is_asked_as_a_question() -> None:
    (one,) = fan_out("x", batched(("pay", {"amount": 1}, ALL)), proposed=proposed(("c1", "book", ROME)))
    assert one.tool_call_id is None
    assert _pending(one).kind == "question"


def test_a_number_of_reviews_that_does_not_fit_allows_only_a_refusal() -> None:
    value = batched(("book", ROME, ALL), ("pay", {}, ALL))
    del value["review_configs"][1]
    _, two = fan_out("x", value, proposed=[])
    assert two.metadata is not None
    assert two.metadata["allowedDecisions"] == ["reject", "cancel"]


def test_reviews_in_another_order_are_found_by_their_name() -> None:
    value = batched(("book", ROME, ["approve"]), ("pay", {}, ["reject"]))
    value["review_configs"].reverse()
    one, two = fan_out("x", value, proposed=[])
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == ["approve", "cancel"]
    assert two.metadata is not None
    assert two.metadata["allowedDecisions"] == ["reject", "cancel"]


@pytest.mark.parametrize("allowed", [None, "approve", 7, ["Approve it"], []])
def test_what_may_be_decided_is_not_guessed(allowed: Any) -> None:
    (one,) = fan_out("x", batched(("book", ROME, allowed)), proposed=[])
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == ["reject", "cancel"]


def test_the_tools_own_argument_schema_is_published_with_its_definitions() -> None:
    schema = book.tool_call_schema.model_json_schema()  # type: ignore[union-attr]
    args = {"city": "Rome", "guests": [{"name": "Ann"}]}
    call = ProposedCall(id="c1", name="book", args=args, args_schema=schema)
    (one,) = fan_out("x", batched(("book", args, ALL)), proposed=[call])
    assert one.response_schema is not None
    assert "Guest" in one.response_schema["$defs"]
    found = args_schema_of(one.response_schema)
    assert found is not None
    assert check_args(args, found) == []
    assert [p.path for p in check_args({"city": "Rome", "guests": [{"name": 1}]}, found)] == [
        "/guests/0/name"
    ]


def test_a_request_about_one_call_says_in_its_schema_what_is_allowed_and_what_an_edit_holds() -> None:
    schema = published("approve", "edit", "reject")
    (one,) = fan_out("x", per_call(), proposed=[], response_schema=schema)
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == ["approve", "edit", "reject", "cancel"]
    assert one.response_schema is not None
    assert set(one.response_schema["$defs"]) == {"Guest"}
    found = args_schema_of(one.response_schema)
    assert found is not None
    assert [p.path for p in check_args({"city": 1, "guests": []}, found)] == ["/city"]


@pytest.mark.parametrize(
    "allowed", [("respond",), ("edit",), ("approve", "reject"), ("approve", "edit", "reject", "respond")]
)
def test_the_allowed_decisions_of_a_schema_are_all_found(allowed: tuple[DecisionType, ...]) -> None:
    (one,) = fan_out("x", per_call(), proposed=[], response_schema=published(*allowed))
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == [*allowed, "cancel"]


@pytest.mark.parametrize("schema", [None, {}, {"type": "object"}, {"oneOf": [{"$ref": "#/$defs/Gone"}]}])
def test_a_schema_that_says_nothing_leaves_the_check_to_langgraph(schema: dict[str, Any] | None) -> None:
    (one,) = fan_out("x", per_call(), proposed=[], response_schema=schema)
    assert one.metadata is not None
    assert one.metadata["allowedDecisions"] == [*ALL, "cancel"]


@pytest.mark.parametrize(
    ("allowed", "shown"),
    [
        (ALL, ("approve", "edit", "reject", "respond", "cancel")),
        (["approve", "edit", "reject"], ("approve", "edit", "reject", "cancel")),
        (["respond"], ("respond", "cancel")),
        (["approve"], ("approve", "cancel")),
    ],
)
def test_the_desk_reads_what_may_be_decided(allowed: list[str], shown: tuple[str, ...]) -> None:
    (one,) = fan_out("x", batched(("book", ROME, allowed)), proposed=proposed(("c1", "book", ROME)))
    pending = _pending(one)
    assert (pending.kind, pending.tool_name, pending.args) == ("approval", "book", ROME)
    assert pending.allowed_decisions == shown


def _pending(interrupt: Any) -> Any:
    outcome = RunFinishedInterruptOutcome(interrupts=[interrupt])
    (asked,) = read_pause(
        RunFinishedEvent(thread_id="t", run_id="r", outcome=outcome),
        conversation=Conversation(),
        thread_id="t",
        run_id="r",
        opened_at=datetime(2030, 1, 1, tzinfo=UTC),
    )
    return asked.pending
