"""Form cards are read without trust, and their answers are checked with exact numbers."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from decimal import Decimal
from typing import Any

import pytest
from ag_ui.core import Interrupt, RunFinishedEvent, RunFinishedInterruptOutcome, Tool

from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.answers import check_answer
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.protocol.form_answers import form_answer, schema_of_form
from reflex_agentkit.protocol.forms import FormOption, read_card
from reflex_agentkit.protocol.pause import read_pause
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.schema import check
from reflex_agentkit.protocol.verdicts import Answer
from tests.protocol.made import begins, calls, leaves, shown

FLIGHT: dict[str, Any] = {
    "formType": "flight-booking",
    "tool": "book_flight",
    "title": "Confirm flight booking",
    "context": {"origin": "Zurich"},
    "fields": [
        {
            "name": "seatClass",
            "label": "Seat class",
            "type": "select",
            "options": ["Economy", "Premium Economy", "Business"],
            "default": "Economy",
        },
        {"name": "insurance", "label": "Add trip insurance", "type": "checkbox", "default": False},
    ],
}


def with_field(**field: Any) -> dict[str, Any]:
    return {"formType": "test", "title": "Test", "fields": [{"name": "x", **field}]}


def one(**field: Any) -> Any:
    card = read_card(with_field(**field))
    assert card is not None
    return card.fields[0]


def problems(form: dict[str, Any], answer: Any) -> list[str]:
    schema = schema_of_form(form)
    return [f"{found.path} {found.message}" for found in check(answer, schema)]


def approved(value: Any) -> dict[str, Any]:
    return {"approved": True, "values": {"x": value}}


def test_the_flight_card_of_the_seed_is_read_as_it_is():
    card = read_card(FLIGHT)
    assert card is not None
    assert (card.form_type, card.tool, card.title) == (
        "flight-booking",
        "book_flight",
        "Confirm flight booking",
    )
    assert card.context == {"origin": "Zurich"}
    seat, insurance = card.fields
    assert seat.kind == "select"
    assert seat.options[1] == FormOption(value="Premium Economy", label="Premium Economy")
    assert (seat.default_text, insurance.default_text) == ('"Economy"', "false")
    assert (card.approve, card.decline) == ("", "")


@pytest.mark.parametrize(
    "form",
    [
        None,
        {"formType": "x", "title": "No fields"},
        {"formType": "x", "fields": {"name": "x"}},
        {"fields": [{"name": "id", "type": "integer"}]},
        {"formType": "x", "fields": [{"label": "No name"}]},
        {"fields": [{"name": "total", "type": "number"}, {"name": "paid_on", "type": "date"}]},
        {"fields": []},
        {"fields": [{"name": "a", "type": "select", "options": ["b"]}, {"type": "checkbox"}]},
        {"formType": "x", "fields": ["name"]},
        {"formType": "x", "fields": [{"name": f"f{n}"} for n in range(101)]},
    ],
)
def test_what_cannot_be_shown_as_a_card_is_none(form):
    assert read_card(form) is None
    assert schema_of_form(form) is None


@pytest.mark.parametrize(
    ("field", "kind", "default"),
    [
        ({"type": "colour-wheel"}, "text", ""),
        ({"type": "slider", "default": 5}, "number", "5"),
        ({"type": "knob", "default": True}, "checkbox", "true"),
        ({"type": "tree", "default": {"a": 1}}, "json", '{"a": 1}'),
        ({"type": "tabs", "options": ["a"]}, "select", ""),
        ({"type": "select"}, "text", ""),
        ({"type": "Multi-Select", "options": ["a", "b"], "default": ["b"]}, "multiselect", '["b"]'),
        ({"type": "integer", "default": "12345678901234567890"}, "number", "12345678901234567890"),
        ({"type": "currency", "default": "0.10"}, "currency", "0.1"),
        ({"type": "currency", "default": "cheap"}, "currency", ""),
        ({"type": "select", "options": ["a"], "default": "z"}, "select", ""),
        ({"type": "text", "default": 0}, "text", ""),
        ({"type": "checkbox", "default": "yes"}, "checkbox", ""),
        ({"type": "date", "default": "2026-11-30"}, "date", '"2026-11-30"'),
        ({"type": "date", "default": "tomorrow"}, "date", ""),
        ({"type": "time", "default": "25:00"}, "time", ""),
        ({"type": "select", "options": [{"a": 1}], "default": {"a": 1}}, "select", '{"a": 1}'),
        ({"type": "select", "options": {"a": "A"}, "default": "a"}, "text", '"a"'),
        ({}, "text", ""),
        ({"type": 7}, "text", ""),
    ],
)
def test_a_kind_that_is_not_known_falls_back_and_a_default_has_to_fit(field, kind, default):
    found = one(**field)
    assert (found.kind, found.default_text) == (kind, default)


def test_options_are_texts_or_pairs_and_each_value_comes_once():
    found = one(type="radio", options=["a", {"value": 7, "label": "Seven"}, {"label": "b"}, 7, None])
    assert [(option.value, option.label) for option in found.options] == [
        ("a", "a"),
        (7, "Seven"),
        ("b", "b"),
        (None, "null"),
    ]


def test_a_choice_may_be_any_value_and_shows_what_it_is():
    found = one(type="select", options=[{"value": {"seat": 1}, "label": "Window"}, {"seat": 2}, ["a"]])
    assert [(option.value, option.label) for option in found.options] == [
        ({"seat": 1}, "Window"),
        ({"seat": 2}, '{"seat": 2}'),
        (["a"], '["a"]'),
    ]
    form = with_field(type="select", options=[{"value": {"seat": 1}, "label": "Window"}])
    assert problems(form, approved({"seat": 1})) == []
    assert problems(form, approved({"seat": 2})) != []


@pytest.mark.parametrize("options", [{"a": "A"}, "a, b", list(range(501))])
def test_choices_that_cannot_be_read_leave_a_field_that_takes_anything(options):
    form = with_field(type="select", options=options)
    assert one(type="select", options=options).free
    for value in ("a", 7, {"a": 1}):
        assert problems(form, approved(value)) == []


def test_a_card_shows_the_fields_that_it_can_and_keeps_the_rest_beside_them():
    nameless, twice = {"label": "No name"}, {"name": "a", "type": "number"}
    card = read_card({"formType": "x", "fields": [{"name": "a"}, nameless, twice, "b", {"name": "c"}]})
    assert card is not None
    assert [(field.name, field.kind) for field in card.fields] == [("a", "text"), ("c", "text")]
    assert card.left_out == (nameless, twice, "b")


@pytest.mark.parametrize(
    "field",
    [
        {"name": "seat", "label": "Seat"},
        {"name": "seat", "options": ["Aisle", "Window"]},
        {"name": "insured", "type": "checkbox"},
    ],
)
def test_fields_that_only_a_form_has_are_a_card_without_a_title_too(field):
    card = read_card({"message": "Where do you sit?", "fields": [field]})
    assert card is not None
    assert (card.form_type, card.title) == ("", "")
    assert [found.name for found in card.fields] == [field["name"]]


def test_the_cards_own_words_stand_on_its_buttons_when_they_fit():
    card = read_card({**FLIGHT, "approveLabel": "Book it", "decline_label": "Not now"})
    assert card is not None
    assert (card.approve, card.decline) == ("Book it", "Not now")
    hostile = read_card({**FLIGHT, "approveLabel": "a\u202eb", "declineLabel": "x" * 41})
    assert hostile is not None
    assert (hostile.approve, hostile.decline) == ("", "")


@pytest.mark.parametrize(
    ("field", "good", "bad"),
    [
        ({"type": "select", "options": ["a", 7, True]}, ["a", 7, True], ["b", "7", 1, None]),
        ({"type": "multiselect", "options": ["a", "b"]}, [[], ["b", "a"]], ["a", ["c"], ["a", "a"]]),
        ({"type": "multiselect", "options": ["a"], "required": True}, [["a"]], [[]]),
        ({"type": "checkbox"}, [True, False], ["on", 0, None]),
        ({"type": "checkbox", "required": True}, [True], [False, "on", 1, None]),
        ({"type": "text"}, ["", "x"], [0, None]),
        ({"type": "text", "required": True, "max": 3}, ["abc"], ["", "abcd"]),
        ({"type": "number", "min": 1, "max": 10}, [1, 10, Decimal("2.5")], [0, 11, True, "many"]),
        ({"type": "integer"}, [0, 10**30], [0.5]),
        ({"type": "date", "min": "2026-11-01"}, ["2026-11-01"], ["2026-10-31", "tomorrow", "2026-02-30"]),
        ({"type": "time", "max": "18:00"}, ["09:05", "17:59:59"], ["25:00", "9:05", "18:01"]),
        ({"type": "date", "min": "today"}, ["2026-11-01"], ["today"]),
        ({"type": "time", "min": "noon"}, ["09:05"], ["noon"]),
        ({"type": "new-kind"}, ["x", 0, {"a": [None]}], []),
    ],
)
def test_a_value_has_the_type_of_its_field(field, good, bad):
    form = with_field(**field)
    for value in good:
        assert problems(form, approved(value)) == [], value
    for value in bad:
        found = problems(form, approved(value))
        assert found, value
        assert found[0].startswith("/values/x"), found


def test_untouched_fields_may_be_absent_and_unknown_ones_are_refused():
    assert problems(FLIGHT, {"approved": True}) == []
    assert problems(FLIGHT, {"approved": True, "values": {}}) == []
    assert problems(FLIGHT, {"approved": True, "values": {"seat": 1}}) == [
        "/values/seat values.seat: is not one of the fields."
    ]
    needed = with_field(type="text", required=True)
    assert problems(needed, {"approved": True}) != []
    assert problems(needed, {"approved": True, "values": {}}) == ["/values/x values.x: is missing."]


def test_declining_needs_no_values_and_unclear_is_no_answer():
    needed = with_field(type="number", required=True)
    assert problems(needed, {"approved": False}) == []
    assert problems(needed, {"approved": False, "values": {"x": "half a"}}) == []
    for unclear in ({}, {"approved": "true"}, {"approved": 1}, "yes", None):
        assert problems(needed, unclear) != [], unclear


def test_a_bound_beyond_what_a_float_holds_is_exact():
    form = with_field(type="currency", max="12345678901234567.89")
    assert problems(form, approved(Decimal("12345678901234567.89"))) == []
    assert problems(form, approved(Decimal("12345678901234567.90"))) != []


def asked(form: dict[str, Any], **more: Any) -> PendingInterrupt:
    interrupt = Interrupt(id="i1", reason="form", metadata={"payload": form}, **more)
    finished = RunFinishedEvent(
        thread_id="t", run_id="r", outcome=RunFinishedInterruptOutcome(interrupts=[interrupt])
    )
    [found] = read_pause(
        finished,
        conversation=Conversation(),
        thread_id="t",
        run_id="r",
        opened_at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    return found.pending


def test_a_card_is_a_question_whose_answer_is_checked_by_its_fields():
    pending = asked(FLIGHT)
    assert pending.kind == "question"
    with pytest.raises(InvalidAnswerError, match="seatClass") as refused:
        check_answer(pending, Answer({"approved": True, "values": {"seatClass": "Cargo"}}))
    assert refused.value.path == "/values/seatClass"
    checked = check_answer(pending, Answer({"approved": True, "values": {"insurance": False}}))
    assert checked.payload == {"approved": True, "values": {"insurance": False}}


def test_an_agents_own_schema_wins_over_that_of_the_card():
    pending = asked(FLIGHT, response_schema={"type": "string"})
    assert check_answer(pending, Answer("Cargo")).payload == "Cargo"


def test_a_form_that_is_no_card_leaves_the_answer_open():
    pending = asked({"formType": "mine", "anything": 1})
    assert pending.response_schema is None
    assert check_answer(pending, Answer("whatever")).payload == "whatever"


def test_numbers_that_came_as_text_are_exact_numbers_on_the_server():
    pending = asked(with_field(type="currency"))
    for text, number in [
        ("12345678901234567.89", Decimal("12345678901234567.89")),
        ("9007199254740993", 9007199254740993),
        (" 0.5 ", 0.5),
    ]:
        checked = check_answer(pending, Answer(approved(text)))
        assert checked.payload == approved(number)
        assert type(checked.payload["values"]["x"]) is type(number)
    for text in ("many", "1e999", "NaN", "true", ""):
        with pytest.raises(InvalidAnswerError):
            check_answer(pending, Answer(approved(text)))


def test_texts_stay_texts_where_a_text_is_asked_for():
    form = with_field(type="text")
    assert form_answer(form, schema_of_form(form), approved("12")) == approved("12")
    numbers = with_field(type="number")
    assert form_answer(numbers, {"type": "object"}, approved("12")) == approved("12")
    for answer in ("12", None, [], {"approved": False}, {"values": "12"}):
        assert form_answer(numbers, schema_of_form(numbers), answer) == answer


def test_a_yes_without_values_is_the_form_as_it_stood():
    form = {
        "title": "Pay?",
        "fields": [
            {"name": "amount", "type": "currency", "default": "12345678901234567.89", "required": True},
            {"name": "seat", "type": "select", "options": ["a", "b"], "default": "b"},
            {"name": "note", "type": "textarea"},
        ],
    }
    pending = asked(form)
    stood = {"amount": Decimal("12345678901234567.89"), "seat": "b"}
    assert check_answer(pending, Answer({"approved": True})).payload == {"approved": True, "values": stood}
    # What was given is what counts: a default that a person took out does not come back.
    given = {"approved": True, "values": {"amount": 1}}
    assert check_answer(pending, Answer(given)).payload == given
    assert check_answer(pending, Answer({"approved": False})).payload == {"approved": False}


@pytest.mark.parametrize("default", [{}, {"default": False}])
def test_a_box_that_has_to_be_ticked_is_not_agreed_to_by_default(default):
    pending = asked(with_field(type="checkbox", required=True, **default))
    for answer in ({"approved": True}, approved(False), {"approved": True, "values": {}}):
        with pytest.raises(InvalidAnswerError) as refused:
            check_answer(pending, Answer(answer))
        assert refused.value.path == "/values/x"
    assert check_answer(pending, Answer(approved(True))).payload == approved(True)


def test_a_schema_that_lost_digits_on_its_way_is_still_that_of_the_card():
    form = with_field(type="currency", max="12345678901234567.89")
    pending = asked(form, response_schema=json.loads(json_text.write(schema_of_form(form))))
    assert check_answer(pending, Answer(approved("0.10"))).payload == approved(0.1)


def test_a_call_of_a_client_tool_can_be_a_card_too():
    tool = Tool(name="confirm", description="")
    args = json_text.write(FLIGHT)
    [found] = read_pause(
        leaves("c"),
        conversation=shown(begins(), calls("c", "confirm", args)),
        client_tools=[tool],
        asking={"confirm"},
        thread_id="t",
        run_id="r",
        opened_at=datetime(2026, 11, 30, tzinfo=UTC),
    )
    assert found.pending.response_schema == schema_of_form(FLIGHT)
    with pytest.raises(InvalidAnswerError, match="approved"):
        check_answer(found.pending, Answer({"values": {}}))
