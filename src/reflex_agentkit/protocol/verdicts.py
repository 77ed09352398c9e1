"""The answers a person can give, as values.

`Refused`, `Waiting` and `Ready` are what the desk says to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias


@dataclass(frozen=True, slots=True)
class Approve:
    """Yes; with `edited_args`, "yes, but so".

    `edited_args` are all the arguments, not a patch. `extra` goes to the tool beside the approval.
    """

    edited_args: dict[str, Any] | None = None
    extra: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Reject:
    """No, with an optional reason that the model is told."""

    reason: str | None = None


@dataclass(frozen=True, slots=True)
class Respond:
    """The tool does not run; this text is its result, as a success."""

    text: str


@dataclass(frozen=True, slots=True)
class Answer:
    """The answer to a question, any JSON value, given on as it is."""

    value: Any


@dataclass(frozen=True, slots=True)
class Cancel:
    """No answer: the agent is told that the question was cancelled."""


@dataclass(frozen=True, slots=True)
class RunAgain:
    """For a call in doubt: run it again, with the same idempotency key."""


@dataclass(frozen=True, slots=True)
class Gave:
    """For a call in doubt: it did run, and this is what it gave."""

    result: Any


AnswerValue: TypeAlias = Approve | Reject | Respond | Answer | Cancel | RunAgain | Gave

RefusalCode = Literal[
    "unknown_interrupt",
    "unknown_thread",
    "already_decided",
    "expired",
    "invalid_answer",
    "not_allowed",
    "changed",
    "incomplete",
    "contradiction",
    "awaiting_input",
    "already_running",
    "nothing_to_retry",
    "empty",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Waiting:
    """The decision is recorded; `remaining` interrupts of the pause are still open."""

    interrupt_id: str
    remaining: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """The decision is recorded and was the last one: the run goes on."""

    interrupt_id: str
    thread_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Nothing was recorded. `code` is stable, `message` is for a person, the rest are the facts behind it."""

    code: RefusalCode
    message: str
    interrupt_id: str = ""
    path: str = ""
    problems: tuple[str, ...] = ()
    decided_by: str = ""
    decided_at: datetime | None = None
    decision: str = ""


Outcome: TypeAlias = Waiting | Ready | Refused
