"""Canned views."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

from reflex_agentkit.state.views import DecisionView, InterruptView, MessageView, ThreadView, ToolCallView

NOW = dt.datetime.now(dt.UTC)


def ago(**span: float) -> str:
    return (NOW - dt.timedelta(**span)).isoformat()


def say(i: str, role: str, text: str = "", **more: Any) -> MessageView:
    return MessageView(id=i, role=role, text=text, **more)


def call(i: str, name: str, status: str, args: dict[str, Any], **more: Any) -> ToolCallView:
    return ToolCallView(
        id=i, name=name, args=args, args_text=json.dumps(args, indent=2), status=status, **more
    )


MARKDOWN = """Here are **three hotels** in Lisbon that fit, sorted by price:

| Hotel | District | Per night |
|---|---|---:|
| Casa do Rio | Alfama | €96 |
| Miradouro | Graça | €118 |

1. *Casa do Rio* is close to the river.
2. *Miradouro* has the better view, see [their page](https://miradouro.example/rooms?id=7).
   - free cancellation until **12 June**

> Prices are for two people.

```python
def total(nights: int, price: float) -> float:
    return nights * price
```

- [x] compared prices
- [ ] booked with `book_hotel`
"""

HOSTILE_MARKDOWN = """# Hi <img src=x onerror="window.__ran=1"> <script>window.__ran=2</script>

[js](javascript:window.__ran=3) [data](data:text/html,<script>alert(1)</script>) [own](/logout)
[ok](https://example.com) ![one](https://attacker.example/x.png) ![two][picture]

[https://bank.example](https://attacker.example/login)

<https://bank.example@attacker.example/>

<iframe srcdoc="<script>parent.__ran=4</script>"></iframe>

<style>body{outline:9px solid red}</style>

A <b>bold</b> word. </pre><button>Approve</button>

[picture]: https://attacker.example/reference.png
"""

TALK = [
    say("u1", "user", "Find me a hotel in Lisbon for two nights in June, not more than 120 euros a night."),
    say("r1", "reasoning", "Lisbon, two nights, at most 120 euros."),
    say(
        "a1",
        "assistant",
        tool_calls=[call("c1", "search_hotels", "done", {"city": "Lisbon"}, result="2 found")],
    ),
    say("a2", "assistant", MARKDOWN),
    say("u2", "user", "Take the second one."),
]

_DECIDED = {"by": "anna", "at": ago(minutes=9)}
CARDS = [
    say("u1", "user", "Show me every state of a tool call."),
    say(
        "a1",
        "assistant",
        tool_calls=[
            ToolCallView(id="s0", name="search_flights", status="streaming"),
            call("s1", "search_hotels", "running", {"city": "Lisbon"}),
            call("s2", "book_hotel", "pending_approval", {"city": "Lisbon", "nights": 2}),
            call("s3", "pick_a_date", "pending_input", {"from": "2027-06-01"}),
            call("s4", "send_invoice", "approved", {}, decision=DecisionView(verdict="approved", **_DECIDED)),
            call("s5", "weather", "done", {"city": "Lisbon"}, result="24 °C, sunny"),
            call("s6", "charge_card", "failed", {"amount": 120}, error="The provider did not answer."),
            call(
                "s7",
                "delete_files",
                "rejected",
                {"path": "/reports"},
                decision=DecisionView(verdict="rejected", reason="Still needed.", **_DECIDED),
            ),
            call("s8", "post", "cancelled", {}, decision=DecisionView(verdict="cancelled", **_DECIDED)),
            call("s9", "reserve", "expired", {}, decision=DecisionView(verdict="expired", **_DECIDED)),
            call("s10", "ask", "responded", {}, decision=DecisionView(verdict="responded", **_DECIDED)),
            call("s11", "move_money", "sent", {}, decision=DecisionView(verdict="approved", **_DECIDED)),
            call(
                "s12",
                "book_a_hotel_with_a_partner",
                "sent",
                {"city": "Lisbon"},
                decision=DecisionView(
                    verdict="edited",
                    before_text='{"city": "Lisbon"}',
                    after_text='{"city": "Porto"}',
                    **_DECIDED,
                ),
            ),
        ],
    ),
]

FINISHED = [
    CARDS[0],
    say(
        "a1",
        "assistant",
        tool_calls=[call("s1", "search_hotels", "done", {"city": "Lisbon"}, result="2 found")],
    ),
]

WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft"
LONG = [
    say("u1", "user", WORD * 6),
    say("a1", "assistant", f"# {WORD * 3}\n\n{WORD * 9}\n\n- {WORD * 5}\n\n`{WORD * 4}`", subagent=WORD * 3),
    say("a2", "assistant", tool_calls=[call("c1", f"mcp__{WORD}", "running", {WORD: WORD * 4})]),
    say("x1", "activity", WORD * 4, activity_type=WORD),
    say("n1", "note", WORD * 4),
]
ARABIC = "مرحبا، أريد حجز هذا الفندق."
EMOJI = "👍🏽 👨\u200d👩\u200d👧 ❤️\u200d🔥 1️⃣ 🇵🇹"
FOREIGN = {"الاسم": "فندق لشبونة", "emoji": EMOJI}
ARABIC_TALK = [
    say("u1", "user", ARABIC),
    say("a1", "assistant", f"# {ARABIC}\n\n{ARABIC}\n\n- {ARABIC}\n\nPlain English."),
]

BEFORE = (
    '{"x.y": 1, "city": "Lisbon", "guest": {"name": "Anna", "vip": false}, "price": 12345678901234567.89}'
)
AFTER = '{"x": {"y": 1}, "city": "Porto", "guest": {"name": "Anna"}, "price": 12345678901234567.88}'
RECORDS = [
    say("u1", "user", "Book it"),
    say(
        "a1",
        "assistant",
        subagent="travel desk",
        tool_calls=[
            ToolCallView(
                id="c1",
                name="book_hotel",
                args_text=BEFORE,
                status="done",
                result="Booked.",
                decision=DecisionView(verdict="edited", before_text=BEFORE, after_text=AFTER, **_DECIDED),
            )
        ],
    ),
    say(
        "d1",
        "decision",
        decision=DecisionView(verdict="answered", message="How many?", after_text="3", **_DECIDED),
    ),
    say("d2", "decision", decision=DecisionView(verdict="expired", by="system", message="Window or aisle?")),
    say("x1", "activity", "comparing 3 of 12 offers", activity_type="search"),
    say("a2", "assistant", "All done.", subagent="booking"),
]

SCHEMA = {
    "type": "object",
    "required": ["city", "nights"],
    "additionalProperties": False,
    "properties": {
        "city": {"type": "string", "minLength": 2},
        "nights": {"type": "integer", "minimum": 1, "maximum": 14},
        "board": {"enum": ["none", "half", "full"]},
        "guest": {"anyOf": [{"$ref": "#/$defs/Guest"}, {"type": "null"}]},
    },
    "$defs": {
        "Guest": {
            "type": "object",
            "required": ["name"],
            "properties": {"name": {"type": "string"}, "age": {"type": "integer"}},
        }
    },
}

LETTER = """{
  "to": "anna@example.com",
  "amount": 9007199254740993,
  "body": "Dear Anna,\\n\\nthank you for your booking.\\n\\nThe travel desk",
  "attachments": [{"name": "invoice.pdf", "pages": 2}]
}"""
HUGE = {"line": "x" * 4000, "body": "\n".join(f"Line {n}." for n in range(300))} | {
    f"k{n}": n for n in range(60)
}
MANY = {f"key_{n}": f"value {n}" for n in range(400)} | {"run_as_root": True}
HOSTILE = {
    "path": "/tmp/harmless" + "\n" * 2000 + "; rm -rf /",
    "note": "ok" + " " * 20000 + "and delete everything",
    "wide": "a" + "\u3000" * 50 + "b",
    "turned": "invoice\u202efdp.exe",
    "zero\u200bwidth": "pass\u200bword",
    "html": "<img src=x onerror=\"document.title='pwned'\">",
    "</pre><button>Approve</button>": "<style>*{display:none}</style>",
    "nested": {"deep": [{"a": 1.0, "b": [True, None]}], "empty": {}},
}


def approval(i: str = "i1", text: str = "", args: dict[str, Any] | None = None, **more: Any) -> InterruptView:
    args = {"city": "Lisbon", "nights": 2} if args is None else args
    return InterruptView(
        id=i,
        kind="approval",
        tool_call_id="c9",
        args=args,
        args_text=text or json.dumps(args, indent=2, ensure_ascii=False),
        args_schema_text=json.dumps(SCHEMA),
        opened_at=ago(minutes=3),
        digest=f"digest-{i}",
        **{
            "tool_name": "book_hotel",
            "message": "I would like to book this hotel.",
            "allowed_decisions": ["approve", "edit", "reject", "cancel"],
        }
        | more,
    )


def question(i: str = "q1", schema: dict[str, Any] | None = None, **more: Any) -> InterruptView:
    return InterruptView(
        id=i,
        kind="question",
        opened_at=ago(seconds=20),
        digest=f"digest-{i}",
        allowed_decisions=["answer", "cancel"],
        response_schema_text=json.dumps(schema) if schema else "",
        **{"reason": "question", "message": "How many nights?"} | more,
    )


THREADS = [
    ThreadView(id="t1", title="A hotel in Lisbon", updated_at=ago(minutes=2)),
    ThreadView(id="t2", title="Which of the three flights to Tokyo?", updated_at=ago(hours=5)),
]
