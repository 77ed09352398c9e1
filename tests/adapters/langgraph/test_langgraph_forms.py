"""Form cards of a graph: published with the schema of their answer, and held to it on every way in."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.verdicts import Answer, Approve, Refused
from tests.adapters.langgraph.scripted import Question
from tests.adapters.langgraph.test_langgraph_seeds import CARD
from tests.adapters.talk import cancelled, resolved

UNTITLED = {"message": "Which seat?", "fields": CARD["fields"]}

ALMOST: list[Any] = [
    {"approved": True, "values": {"seatClass": "Cargo"}},
    {"approved": True, "values": {"seatClass": "Business", "price": 0}},
    {"approved": True, "values": {"insurance": "on"}},
    {"approved": True, "values": None},
    {"approved": "true"},
    {"approved": 1},
    {"values": {}},
    True,
    None,
    {},
]


@pytest.mark.parametrize("card", [CARD, UNTITLED])
async def test_a_card_leaves_the_agent_with_the_schema_of_its_answer(card: Any) -> None:
    (asked,) = (await Question(card).talk.send("Book")).interrupts
    assert asked.response_schema == schema_of_form(card)
    assert asked.tool_call_id is None


@pytest.mark.parametrize("answer", ALMOST)
async def test_over_the_wire_an_answer_that_does_not_fit_the_card_is_refused_s08(answer: Any) -> None:
    question = Question(CARD)
    (asked,) = (await question.talk.send("Book")).interrupts
    assert (await question.talk.go(resolved(asked.id, answer))).error.code == "invalid_answer"
    assert question.got == {}
    given = {"approved": True, "values": {"seatClass": "Business", "insurance": True}}
    assert (await question.talk.go(resolved(asked.id, given))).outcome.type == "success"
    assert question.got == {"ask0": given}


@pytest.mark.parametrize("answer", ALMOST)
async def test_through_the_kit_an_answer_that_does_not_fit_the_card_is_refused_s08(
    make_kit: Any, answer: Any
) -> None:
    question = Question(CARD)
    kit = await make_kit(question.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    outcome = await kit.answer(pending.id, Answer(answer), by="r")
    assert isinstance(outcome, Refused)
    assert (outcome.code, question.got) == ("invalid_answer", {})
    assert await kit.pending("t") == [pending]


UNTOUCHED = {"approved": True, "values": {"seatClass": "Economy", "insurance": False}}


async def test_a_yes_alone_gives_the_node_the_values_of_the_untouched_form(make_kit: Any) -> None:
    by_wire = Question(CARD)
    (asked,) = (await by_wire.talk.send("Book")).interrupts
    await by_wire.talk.go(resolved(asked.id, {"approved": True}))
    by_kit = Question(CARD)
    kit = await make_kit(by_kit.agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    await kit.answer(pending.id, Answer({"approved": True}), by="r")
    await kit.wait("t")
    assert by_wire.got == by_kit.got == {"ask0": UNTOUCHED}


@pytest.mark.parametrize("decline", [{"approved": False}, {"approved": False, "values": {"seatClass": 7}}])
async def test_declining_needs_no_values(decline: Any) -> None:
    question = Question(CARD)
    (asked,) = (await question.talk.send("Book")).interrupts
    await question.talk.go(resolved(asked.id, decline))
    assert question.got == {"ask0": decline}


async def test_a_cancelled_card_gives_the_sentinel() -> None:
    question = Question(CARD)
    (asked,) = (await question.talk.send("Book")).interrupts
    await question.talk.go(cancelled(asked.id))
    assert question.got["ask0"]["__agui_cancelled__"] is True


async def test_the_agents_own_schema_stands_in_place_of_that_of_the_card() -> None:
    question = Question({**CARD, "response_schema": {"type": "string"}})
    (asked,) = (await question.talk.send("Book")).interrupts
    assert asked.response_schema == {"type": "string"}
    assert (await question.talk.go(resolved(asked.id, {"approved": True}))).error.code == "invalid_answer"
    await question.talk.go(resolved(asked.id, "Business"))
    assert question.got == {"ask0": "Business"}


async def test_the_wrong_kind_of_answer_is_told_what_is_allowed(make_kit: Any) -> None:
    kit = await make_kit(Question(CARD).agent)
    await kit.send("t", "Book")
    await kit.wait("t")
    (pending,) = await kit.pending("t")
    outcome = await kit.answer(pending.id, Approve(), by="r")
    assert isinstance(outcome, Refused)
    assert outcome.message == "This is a question; Approve does not answer it. Allowed: answer, cancel."
