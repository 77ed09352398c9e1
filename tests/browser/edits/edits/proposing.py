"""An agent that proposes the call that a person names: `hotel`, `letter`, ... Pydantic writes the schemas."""

from __future__ import annotations

import datetime as dt
import json
import os
from collections.abc import AsyncIterator
from decimal import Decimal
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal
from uuid import UUID, uuid4

from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)
from pydantic import AnyUrl, BaseModel, ConfigDict, Field

from reflex_agentkit.testing.streams import approval, calls, pauses, says


class Board(StrEnum):
    none = "none"
    half = "half"
    full = "full"


class Guest(BaseModel):
    name: str = Field(description="As in the passport.", min_length=1)
    age: int | None = Field(default=None, ge=0, le=130)


class Card(BaseModel):
    kind: Literal["card"] = "card"
    number: str = Field(pattern=r"^\d{4} \d{4}$")


class Invoice(BaseModel):
    kind: Literal["invoice"] = "invoice"
    to: str
    days: int = 30


class Hotel(BaseModel):
    """Book a room in a hotel."""

    city: str = Field(title="City", description="Where the hotel is.", min_length=2)
    nights: int = Field(title="Nights", ge=1, le=14)
    arrival: dt.date
    board: Board = Board.none
    breakfast: bool | None = None
    late_until: dt.time | None = None
    guests: list[Guest] = Field(default=[], title="Guests")
    payment: Annotated[Card | Invoice, Field(discriminator="kind")]
    price: Decimal | None = Field(default=None, title="Price")
    voucher: str | None = Field(default=None, title="Voucher")
    notes: dict[str, str] = Field(default={}, title="Notes")


HOTEL = """{
  "city": "Lisbon", "nights": 2, "arrival": "2026-12-05", "board": "half",
  "guests": [{"name": "Ada", "age": null}, {"name": "Bob", "age": 41}],
  "payment": {"kind": "card", "number": "1234 5678"},
  "price": 12345678901234567.89, "voucher": null, "notes": {"floor": "high"}
}"""


class Everything(BaseModel):
    model_config = ConfigDict(extra="forbid")

    at: dt.datetime = Field(title="At")
    mail: str = Field(title="Mail", json_schema_extra={"format": "email"})
    link: AnyUrl = Field(title="Link")
    id: UUID = Field(title="Id", json_schema_extra={"readOnly": True})
    big: int = Field(title="Big")
    ratio: float = Field(title="Ratio", multiple_of=0.1)
    size: int | str = Field(title="Size")
    anything: Any = Field(default=None, title="Anything")
    tags: set[Literal["red", "green", "blue"]] = Field(default=set(), title="Tags")
    free: dict[str, Any] = Field(default={}, title="Free")


EVERYTHING = """{
  "at": "2026-12-05T18:30:00+01:00", "mail": "ann@example.test", "link": "https://example.test/a",
  "id": "123e4567-e89b-12d3-a456-426614174000", "big": 9007199254740993, "ratio": 0.3, "size": "small",
  "anything": {"a": [1.0, null]}, "tags": ["red"], "free": {"x": 1.50}
}"""


class Node(BaseModel):
    name: str
    children: list[Node] = []
    parent: Node | None = None


class Letter(BaseModel):
    to: str
    body: str


BODY = (
    "Dear Ada,\n\nthank you for your order of 12 chairs. They leave our house on Monday.\n\nYours, the desk"
)


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {"name": "leaf"}
    for level in range(levels):
        value = {"name": f"level {level}", "children": [value]}
    return value


MANY = {"type": "object", "properties": {f"field_{n}": {"type": "integer"} for n in range(2000)}}
LOOP = {"type": "object", "properties": {"a": {"$ref": "#/properties/b"}, "b": {"$ref": "#/properties/a"}}}

SCENES: dict[str, tuple[str, str, dict[str, Any] | None]] = {
    "hotel": ("book_hotel", HOTEL, Hotel.model_json_schema()),
    "everything": ("plan__set_everything", EVERYTHING, Everything.model_json_schema()),
    "letter": ("send_letter", json.dumps({"to": "Ada", "body": BODY}), Letter.model_json_schema()),
    "tree": (
        "plant_tree",
        json.dumps({"name": "root", "children": [{"name": "a"}]}),
        Node.model_json_schema(),
    ),
    "cancel": ("cancel_booking", '{"id": 1}', {"type": "object", "properties": {"id": {"type": "integer"}}}),
    "no schema": ("run_shell", '{"command": "ls"}', None),
    "huge": ("store_text", json.dumps({"to": "x" * 1_000_000, "body": "end"}), Letter.model_json_schema()),
    "many": ("set_many", json.dumps({f"field_{n}": n for n in range(2000)}), MANY),
    "deep": ("plant_tree", json.dumps(nested(60)), Node.model_json_schema()),
    "deep free": (
        "store",
        json.dumps({"value": nested(90)}),
        {"type": "object", "properties": {"value": {}}},
    ),
    "nothing": ("ping", "{}", {"type": "object", "properties": {}}),
    "loop": ("chase_tail", '{"a": 1}', LOOP),
    "mark": (
        "store_mark",
        '{"text": "\\u0000number:5", "n": 1}',
        {"type": "object", "properties": {"text": {"type": "string"}, "n": {"type": "integer"}}},
    ),
}


class Proposing:
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
        tool, args, schema = SCENES[str(run_input.messages[-1].content)]
        call = f"call-{uuid4().hex[:8]}"
        return [*calls(call, tool, args), *pauses(approval(call, args_schema=schema))]
