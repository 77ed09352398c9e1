"""A form card as a page shows it, while it is open and after it was decided."""

from __future__ import annotations

from typing import Any

from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import DecisionNote
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.forms import read_card
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.state.card_views import card_view, noted_card
from reflex_agentkit.state.present import decision_view, interrupt_views
from reflex_agentkit.state.views import OptionView

CARD: dict[str, Any] = {
    "formType": "refund",
    "title": "Refund?",
    "context": {"paid": 9007199254740993},
    "fields": [
        {"name": "amount", "type": "currency", "default": "12345678901234567.89", "max": 10**20},
        {"name": "to", "type": "radio", "options": [{"value": 7, "label": "Voucher"}, "card"]},
    ],
}


def test_values_of_a_card_travel_as_text_with_every_digit():
    card = card_view(read_card(CARD))
    assert card is not None
    amount, to = card.fields
    assert amount.default_text == "12345678901234567.89"
    assert (amount.minimum, amount.maximum) == ("", "100000000000000000000")
    assert to.options == [OptionView("7", "Voucher"), OptionView('"card"', "card")]
    assert "9007199254740993" in card.context_text
    assert "100000000000000000000" in card.schema_text


def test_an_open_card_is_a_view_of_its_own_beside_the_raw_form():
    pending = PendingInterrupt(id="i", kind="question", form=CARD, response_schema=schema_of_form(CARD))
    [view] = interrupt_views([pending])
    assert view.card == card_view(read_card(CARD))
    assert view.form["formType"] == "refund"


def test_an_approval_or_a_broken_card_keeps_its_own_look():
    for pending in (
        PendingInterrupt(id="i", kind="approval", form=CARD, args={}),
        PendingInterrupt(id="i", kind="question", form={"formType": "x"}),
        PendingInterrupt(id="i", kind="question"),
        PendingInterrupt(id="i", kind="question", form=CARD, response_schema={"type": "string"}),
    ):
        [view] = interrupt_views([pending])
        assert view.card is None


def test_what_of_a_card_is_no_field_is_shown_as_data():
    nameless = {"label": "No name", "max": 9007199254740993}
    card = card_view(read_card({"title": "x", "fields": [{"name": "a"}, nameless]}))
    assert card is not None
    assert [field.name for field in card.fields] == ["a"]
    assert json_text.read(card.left_out_text) == [nameless]
    whole = card_view(read_card(CARD))
    assert whole is not None
    assert whole.left_out_text == ""


def test_a_decided_card_is_read_from_its_note():
    note = DecisionNote(interrupt_id="i", verdict="answered", card_text=json_text.write(CARD))
    assert decision_view(note).card == card_view(read_card(CARD))
    assert decision_view(None).card is None
    for text in ("", "{", "[]", '{"formType": "x"}'):
        assert noted_card(text) is None
