"""What the contract of agents lets its subjects propose, and what people answer."""

from __future__ import annotations

import re
from typing import Any, Final

from ag_ui.core import ResumeEntry

from reflex_agentkit.testing.agent_contract.subject import Proposal

ROME: Final[Proposal] = ("book", {"city": "Rome", "nights": 2})
OSLO: Final[Proposal] = ("book", {"city": "Oslo", "nights": 1})
BONN: Final[Proposal] = ("book", {"city": "Bonn", "nights": 3})
LOOK: Final[Proposal] = ("look", {})
ASK: Final[Proposal] = ("ask", {"message": "How many nights?"})
PAY: Final[Proposal] = ("pay", {"amount": 9007199254740993, "rate": 1.0})

BOOKED: Final = "Booked 2 nights in Rome."
LONGER: Final = {"city": "Rome", "nights": 5}
NOT_AGAIN: Final = re.compile(r"do not (retry|repeat|call)", re.IGNORECASE)

ALMOST_A_YES: Final[list[Any]] = [
    {"approved": "true"}, {"approved": 1}, {"approved": [True]}, {"approved": None}, True, "yes", None, {},
]  # fmt: skip

ANSWERS: Final[list[Any]] = [0, False, None, "", {}, [], [1, 2], 3.5, "two", {"nights": 2}]


def resolved(interrupt_id: str, payload: Any) -> ResumeEntry:
    """A resume entry with an answer."""
    return ResumeEntry(interrupt_id=interrupt_id, status="resolved", payload=payload)


def yes(interrupt_id: str, **more: Any) -> ResumeEntry:
    """A resume entry that approves."""
    return resolved(interrupt_id, {"approved": True, **more})


def no(interrupt_id: str, **more: Any) -> ResumeEntry:
    """A resume entry that rejects."""
    return resolved(interrupt_id, {"approved": False, **more})


def cancelled(interrupt_id: str) -> ResumeEntry:
    """A resume entry that cancels."""
    return ResumeEntry(interrupt_id=interrupt_id, status="cancelled")
