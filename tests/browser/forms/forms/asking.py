"""An agent that asks what a person names: `flight`, `refund`, `schema`, ... It says what it was answered."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

from reflex_agentkit.testing.streams import pauses, question, says

FLIGHT = {
    "formType": "flight-booking",
    "tool": "book_flight",
    "title": "Confirm flight booking",
    "context": {"origin": "Zürich", "destination": "Lisbon", "date": "2026-12-05", "passengers": 2},
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

REFUND = {
    "formType": "refund-approval",
    "tool": "refund_order",
    "title": "Refund order 4711?",
    "context": {"order": "4711", "customer": "Ada Lovelace", "paid": 249.9},
    "approveLabel": "Refund it",
    "declineLabel": "Keep the money",
    "fields": [
        {
            "name": "amount",
            "label": "Amount",
            "type": "currency",
            "currency": "EUR",
            "min": 0,
            "max": "12345678901234567.89",
            "required": True,
            "placeholder": "0.00",
        },
        {
            "name": "method",
            "label": "Back to",
            "type": "radio",
            "options": [{"value": "card", "label": "The card"}, {"value": 7, "label": "A voucher"}],
            "required": True,
        },
        {
            "name": "note",
            "label": "Note to the customer",
            "type": "textarea",
            "help": "Sent with the refund.",
            "max": 200,
        },
    ],
}

EVERYTHING = {
    "formType": "everything",
    "title": "All kinds of fields",
    "fields": [
        {"name": "code", "label": "Code", "type": "text", "default": "A-1"},
        {"name": "count", "label": "Count", "type": "number", "default": 0},
        {"name": "day", "label": "Day", "type": "date", "min": "2026-11-01", "max": "2026-12-31"},
        {"name": "at", "label": "At", "type": "time"},
        {
            "name": "days",
            "label": "Days",
            "type": "multiselect",
            "options": [{"value": "mo", "label": "Monday"}, {"value": "tu", "label": "Tuesday"}],
        },
        {"name": "agree", "label": "Agree", "type": "checkbox"},
        {"name": "colour", "label": "Colour", "type": "colour-wheel"},
        {"name": "constructor", "label": "Builder", "type": "text"},
    ],
}

BROKEN = {"formType": "broken", "title": "Broken", "fields": [{"label": "No name"}]}

F17 = {
    "type": "object",
    "title": "Booking",
    "required": ["room", "nights"],
    "$defs": {
        "Guest": {
            "type": "object",
            "title": "Guest",
            "properties": {"name": {"type": "string"}, "age": {"type": "integer", "minimum": 0}},
            "required": ["name"],
        }
    },
    "properties": {
        "breakfast": {"type": "boolean", "title": "Breakfast"},
        "room": {
            "title": "Room",
            "oneOf": [
                {"const": "s", "title": "Single room"},
                {"const": "d", "title": "Double room"},
                {"const": "x", "title": "Suite with a view"},
            ],
        },
        "floor": {"title": "Floor", "enum": [1, 2, 3]},
        "nights": {"type": "integer", "title": "Nights", "minimum": 1, "maximum": 10, "default": 3},
        "arrival": {"type": "string", "format": "date", "title": "Arrival"},
        "wishes": {"type": "string", "title": "Wishes", "description": "Anything we should know."},
        "guest": {"$ref": "#/$defs/Guest"},
        "voucher": {"anyOf": [{"type": "string"}, {"type": "null"}], "title": "Voucher", "default": None},
    },
}

RICH = {
    "type": "object",
    "properties": {
        "tags": {"type": "array", "items": {"type": "string"}, "title": "Tags"},
        "price": {"type": "number", "title": "Price", "default": "PRICE"},
        "extra": {"title": "Extra"},
        "pay": {
            "title": "Payment",
            "anyOf": [
                {"type": "object", "title": "Card", "properties": {"number": {"type": "string"}}},
                {"type": "object", "title": "Cash", "properties": {"drawer": {"type": "integer"}}},
            ],
        },
    },
}

EVIL = "<img src=x onerror=\"document.title='pwned'\"><b>bold</b> a\u202eb"

HOSTILE_CARD = {
    "formType": EVIL,
    "tool": EVIL,
    "title": EVIL,
    "context": {EVIL: EVIL},
    "approveLabel": "a\u202eb",
    "fields": [
        {"name": "__proto__", "label": EVIL, "help": EVIL, "placeholder": EVIL, "type": "text"},
        {"name": "toString", "label": "To string", "type": "select", "options": [EVIL, "safe"]},
    ],
}

HOSTILE_SCHEMA = {
    "type": "object",
    "title": EVIL,
    "description": EVIL,
    "properties": {
        "ok": {"type": "string", "title": "Ok", "description": EVIL, "pattern": "^(a+)+$"},
        "strange": {"type": EVIL, "title": "Strange"},
        "file": {"type": "string", "format": "data-url", "title": EVIL},
        "far": {"$ref": "https://attacker.invalid/schema.json"},
        "round": {"$ref": "#/properties/round"},
        "__proto__": {"type": "string", "title": "Proto"},
    },
}

# Letter for letter, since Python would round it.
RICH_TEXT = json.dumps(RICH).replace('"PRICE"', "12345678901234567.89")


def rich() -> dict[str, Any]:
    from reflex_agentkit.protocol import json_text

    return json_text.read(RICH_TEXT)


def ask(message: str = "", **more: Any) -> list[BaseEvent]:
    return pauses(question(f"q-{uuid4().hex[:8]}", message, **more))


def card(form: dict[str, Any], message: str = "") -> list[BaseEvent]:
    return ask(message, reason="form", metadata={"payload": form})


SCENES = {
    "flight": lambda: card(FLIGHT),
    "refund": lambda: card(REFUND, "The parcel never came."),
    "everything": lambda: card(EVERYTHING),
    "broken": lambda: card(BROKEN),
    "schema": lambda: ask("Which room?", response_schema=F17),
    "rich": lambda: ask("And the rest?", response_schema=rich()),
    "hostile card": lambda: card(HOSTILE_CARD, EVIL),
    "hostile schema": lambda: ask(EVIL, response_schema=HOSTILE_SCHEMA),
    "nothing": lambda: ask("Go on?", response_schema={"type": "object", "properties": {}}),
    "anything": lambda: ask("What then?"),
    "date": lambda: ask("When?", response_schema={"type": "string", "format": "date"}),
}


class Asking:
    """Plays a scene; writes down what a resume brought, with every number as it came."""

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
        yield RunStartedEvent(**ids)
        for event in self._events(run_input):
            yield event.model_copy(update=ids) if isinstance(event, RunFinishedEvent) else event
            if isinstance(event, RunFinishedEvent):
                return
        yield RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    def _events(self, run_input: RunAgentInput) -> list[BaseEvent]:
        if run_input.resume:
            [entry] = run_input.resume
            with Path(os.environ["AGENTKIT_TEST_LOG"]).open("a") as file:
                note = {"kind": "resume", "status": entry.status, "payload": repr(entry.payload)}
                file.write(json.dumps(note) + "\n")
            return says(f"m-{uuid4().hex[:8]}", f"Got {entry.status}.")
        said = str(run_input.messages[-1].content)
        return SCENES[said]() if said in SCENES else says(f"m-{uuid4().hex[:8]}", f"You said: {said}")
