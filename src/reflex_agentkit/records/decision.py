"""An interrupt as it is stored: what was asked, where it stands, what was decided."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from reflex_agentkit.protocol.conversation import Verdict
from reflex_agentkit.protocol.pending import PendingInterrupt

InterruptState = Literal[
    "open",  # nobody answered yet
    "decided",  # answered; the resume was not sent yet
    "sent",  # the resume that carries the answer was handed to the agent
    "begun",  # the approved tool may have begun
    "done",  # the tool gave a result, or the agent took the answer
    "in_doubt",  # it may have begun, and nobody knows how it ended
    "cancelled",  # cancelled by a person; told to the agent with the next run
    "expired",  # cancelled by the clock
]

WireStatus = Literal["resolved", "cancelled"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """An answer, recorded with who and when.

    `status` and `payload` are what the agent is sent; `payload_text` is the payload as canonical JSON, by
    which two answers are the same or not.
    """

    verdict: Verdict
    status: WireStatus
    payload: Any
    payload_text: str
    by: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class InterruptRecord:
    """One interrupt of a thread.

    `pending.id` is ours and unique over all threads; `wire_id` is the id that the agent gave, by which the
    answer goes back. `client_call` marks a pending client tool call: its answer goes back as a tool message.
    `digest` seals what was asked. `carried_by` is the run that was last sent the answer, `settled` says that
    the agent has taken it: a decision that is not settled goes with the next run.
    """

    pending: PendingInterrupt
    wire_id: str
    digest: str
    client_call: bool = False
    state: InterruptState = "open"
    decision: Decision | None = None
    carried_by: str | None = None
    settled: bool = False
    result_text: str | None = None
    error: str | None = None

    @property
    def id(self) -> str:
        return self.pending.id

    @property
    def thread_id(self) -> str:
        return self.pending.thread_id
