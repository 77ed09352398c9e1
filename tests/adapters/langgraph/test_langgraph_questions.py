"""`interrupt(value)` of any value, answered with any value; a bad answer never wedges a thread."""

from __future__ import annotations

import math
from datetime import timedelta
from typing import Any

import pytest
from ag_ui.core import MessagesSnapshotEvent, RunFinishedEvent, StateSnapshotEvent
from pydantic import BaseModel, field_validator

from reflex_agentkit.protocol.proposal import payload_of
from reflex_agentkit.protocol.verdicts import Answer
from tests.adapters.langgraph.scripted import Question
from tests.adapters.talk import cancelled, resolved

NIGHTS = {"reason": "question", "message": "How many nights?", "more": [1]}


async def test_a_dict_is_a_question_with_its_reason_message_and_all_of_it() -> None:
    (interrupt,) = (await Question(NIGHTS).talk.send("Book")).interrupts
    assert (interrupt.reason, interrupt.message) == ("question", "How many nights?")
    assert payload_of(interrupt) == NIGHTS
    assert interrupt.metadata is not None
    assert interrupt.metadata["path"] == ["ask0"]


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("Anything?", "Anything?"), (7, "7"), (2.5, "2.5"), ([1, "two"], None), ({"unknown": {"a": 1}}, None),
        (None, None), (True, None), (False, None), ({"message": True, "reason": 7}, None), ("", ""),
    ],
)  # fmt: skip
async def test_f10_any_value_can_be_answered_and_the_step_before_ran_once(value: Any, message: Any) -> None:
    question = Question(value)
    (interrupt,) = (await question.talk.send("Hi")).interrupts
    assert interrupt.message == message
    assert payload_of(interrupt) == value
    run = await question.talk.go(resolved(interrupt.id, "fine"))
    assert run.outcome.type == "success"
    assert question.got == {"ask0": "fine"}
    assert question.before == 1


@pytest.mark.parametrize(
    ("value", "told"),
    [
        (math.nan, "nan"),
        ({"rate": math.inf, "nights": 2}, {"rate": "inf", "nights": 2}),
        ({1: "one", "config": {2}}, {"1": "one", "config": [2]}),
        ([{"a": timedelta(days=1)}], [{"a": "datetime.timedelta(days=1)"}]),
    ],
)
async def test_a_value_without_a_json_form_is_shown_as_text_and_can_be_answered(
    make_kit: Any, value: Any, told: Any
) -> None:
    question = Question(value)
    kit = await make_kit(question.agent)
    await kit.send("t", "Hi")
    assert await kit.wait("t") == "awaiting_input"
    (pending,) = await kit.pending("t")
    assert pending.payload == told
    await kit.answer(pending.id, Answer("fine"), by="r")
    assert await kit.wait("t") == "idle"
    assert question.got == {"ask0": "fine"}


async def test_a_value_that_is_nested_too_deep_is_cut_and_can_be_answered(make_kit: Any) -> None:
    value: Any = "the end"
    for _ in range(199):
        value = [value]
    question = Question({"message": "Deep?", "value": value})
    kit = await make_kit(question.agent)
    await kit.send("t", "Hi")
    assert await kit.wait("t") == "awaiting_input"
    (pending,) = await kit.pending("t")
    assert pending.message == "Deep?"
    await kit.answer(pending.id, Answer("fine"), by="r")
    assert await kit.wait("t") == "idle"


@pytest.mark.parametrize("answer", [None, 0, False, "", {}, [], [{}], "many words", 3.5, {"a" * 32: 1}])
async def test_f19_no_zero_and_nothing_are_answers(answer: Any) -> None:
    question = Question("Anything?")
    (interrupt,) = (await question.talk.send("Hi")).interrupts
    run = await question.talk.go(resolved(interrupt.id, answer))
    assert run.outcome.type == "success"
    assert question.got == {"ask0": answer}
    assert type(question.got["ask0"]) is type(answer)


@pytest.mark.parametrize(("metadata", "reason"), [(None, "cancelled"), ({"reason": "expired"}, "expired")])
async def test_a_cancelled_question_returns_the_sentinel(metadata: Any, reason: str) -> None:
    question = Question("Anything?")
    (interrupt,) = (await question.talk.send("Hi")).interrupts
    await question.talk.go(cancelled(interrupt.id, metadata=metadata))
    assert question.got == {
        "ask0": {"__agui_cancelled__": True, "interrupt_id": interrupt.id, "reason": reason}
    }


async def test_f13_each_of_several_questions_gets_its_own_answer() -> None:
    question = Question("One?", "Two?", "Three?")
    one, two, three = (await question.talk.send("Hi")).interrupts
    run = await question.talk.go(resolved(two.id, 2), cancelled(three.id), resolved(one.id, 1))
    assert run.outcome.type == "success"
    assert question.got["ask0"] == 1
    assert question.got["ask1"] == 2
    assert question.got["ask2"]["__agui_cancelled__"] is True


async def test_a_bad_answer_shows_its_error_and_the_next_one_is_used() -> None:
    question = Question(NIGHTS, take=int)
    (first,) = (await question.talk.send("Book")).interrupts
    (again,) = (await question.talk.go(resolved(first.id, "many"))).interrupts
    assert again.reason == "question"
    assert payload_of(again) == NIGHTS
    assert again.metadata is not None
    assert again.metadata["error"].startswith("ValueError: invalid literal")
    assert "How many nights?" in (again.message or "")
    assert "invalid literal" in (again.message or "")
    (still,) = (await question.talk.go(resolved(again.id, "lots"))).interrupts
    run = await question.talk.go(resolved(still.id, "3"))
    assert run.outcome.type == "success"
    assert (await question.values())["answers"] == [3]


async def test_a_bad_answer_beside_a_good_one_is_asked_again_alone() -> None:
    question = Question("Number?", "Word?", take=lambda answer: 1 // (answer != "bad") and answer)
    one, two = (await question.talk.send("Hi")).interrupts
    run = await question.talk.go(resolved(one.id, "bad"), resolved(two.id, "good"))
    assert len(run.interrupts) >= 1
    run = await question.talk.go(*(resolved(again.id, "good") for again in run.interrupts))
    assert run.outcome.type == "success"
    assert (await question.values())["answers"] == ["good", "good"]


async def test_a_node_that_raises_on_a_cancelled_question_ends_its_turn() -> None:
    question = Question(NIGHTS, take=int)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    run = await question.talk.go(cancelled(interrupt.id))
    assert "int()" in run.error.message
    run = await question.talk.send("Again")
    (again,) = run.interrupts
    await question.talk.go(resolved(again.id, 4))
    assert (await question.values())["answers"] == [4]


async def test_a_message_with_a_cancelled_question_whose_node_raises_is_heard() -> None:
    question = Question(NIGHTS, take=int)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    question.talk.say("Something else")
    run = await question.talk.go(cancelled(interrupt.id))
    assert len(run.interrupts) == 1
    assert [one.content for one in (await question.values())["messages"]] == ["Book", "Something else"]


class Nights(BaseModel):
    nights: int


class Even(BaseModel):
    nights: int

    @field_validator("nights")
    @classmethod
    def even(cls, nights: int) -> int:
        if nights % 2:
            raise ValueError("an odd number")
        return nights


async def test_a_schema_of_the_question_is_shown_and_held() -> None:
    question = Question({"message": "How many?"}, schema=Nights, take=lambda answer: answer.nights)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    assert interrupt.response_schema is not None
    assert interrupt.response_schema["properties"]["nights"]["type"] == "integer"
    refused = await question.talk.go(resolved(interrupt.id, {"nights": "many"}))
    assert (refused.error.code, question.got) == ("invalid_answer", {})
    await question.talk.go(resolved(interrupt.id, {"nights": 3}))
    assert question.got == {"ask0": Nights(nights=3)}
    assert (await question.values())["answers"] == [3]


async def test_what_only_the_type_of_a_schema_knows_is_asked_again() -> None:
    question = Question({"message": "How many?"}, schema=Even, take=lambda answer: answer.nights)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    (again,) = (await question.talk.go(resolved(interrupt.id, {"nights": 3}))).interrupts
    assert "an odd number" in (again.message or "")
    await question.talk.go(resolved(again.id, {"nights": 4}))
    assert (await question.values())["answers"] == [4]


@pytest.mark.parametrize("inside", [False, True])
async def test_a_schema_as_a_dict_is_shown_and_held(inside: bool) -> None:
    schema = {"type": "object", "properties": {"nights": {"type": "integer"}}, "required": ["nights"]}
    asked: Any = {"message": "How many?", "response_schema": schema} if inside else "How many?"
    question = Question(asked, schema=None if inside else schema)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    assert interrupt.response_schema == schema
    for answer in ({"nights": "many"}, {}, "many", None):
        assert (await question.talk.go(resolved(interrupt.id, answer))).error.code == "invalid_answer"
    assert question.got == {}
    assert (await question.talk.go(resolved(interrupt.id, {"nights": 3}))).outcome.type == "success"
    assert question.got == {"ask0": {"nights": 3}}


async def test_a_cancelled_question_with_a_type_as_its_schema_ends_its_turn() -> None:
    question = Question({"message": "How many?"}, schema=Nights, take=lambda answer: answer.nights)
    (interrupt,) = (await question.talk.send("Book")).interrupts
    await question.talk.go(cancelled(interrupt.id))
    (again,) = (await question.talk.send("Again")).interrupts
    await question.talk.go(resolved(again.id, {"nights": 2}))
    assert (await question.values())["answers"] == [2]


async def test_snapshots_stand_before_a_pause_and_leave_out_what_ag_ui_carries() -> None:
    question = Question("Anything?")
    events = (await question.talk.send("Hi")).events
    assert [type(event) for event in events[-3:]] == [
        StateSnapshotEvent,
        MessagesSnapshotEvent,
        RunFinishedEvent,
    ]
    assert events[-3].snapshot == {"answers": []}


async def test_an_input_is_not_written_into_and_its_state_is_not_added_twice() -> None:
    question = Question("Anything?")
    given = question.talk.input()
    question.talk.say("Hi")
    given = question.talk.input().model_copy(update={"state": {"answers": ["before"]}})
    text = given.model_dump_json()
    (interrupt,) = (await question.talk.give(given)).interrupts
    assert given.model_dump_json() == text
    question.talk.state = {"answers": ["before"]}
    await question.talk.go(resolved(interrupt.id, "now"))
    assert (await question.values())["answers"] == ["before", "now"]


async def test_what_a_person_changed_in_the_state_while_it_waits_reaches_the_graph() -> None:
    question = Question("Anything?")
    (interrupt,) = (await question.talk.send("Hi")).interrupts
    question.talk.state = {"nights": 9, "answers": []}
    await question.talk.go(resolved(interrupt.id, "now"))
    assert (await question.values())["nights"] == 9
