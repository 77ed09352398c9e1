"""`PendingInterrupt`: one open question of a run, the type that every surface talks about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import Any, Literal

InterruptKind = Literal["approval", "question", "doubt"]

AllowedDecision = Literal["approve", "edit", "reject", "respond", "answer", "cancel", "run_again", "gave"]

APPROVAL_DECISIONS: tuple[AllowedDecision, ...] = ("approve", "edit", "reject", "cancel")
QUESTION_DECISIONS: tuple[AllowedDecision, ...] = ("answer", "cancel")


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class PendingInterrupt:
    """One open question of a run.

    An approval names a tool call and asks yes or no; any other is a question; a call that may have run when
    the server died is a doubt.

    `args` are the proposed arguments with exact numbers (see `protocol.json_text`), `args_text` the same as
    text, which is what travels to a browser. `args` is `None` and `args_text` holds the raw text where the
    model wrote something that cannot be read: such a call cannot be approved. `metadata["tool_input"]` holds
    an approval's arguments too. It is number `position` of the `total` that its pause opened, counted from 1,
    approvals first.
    """

    id: str
    kind: InterruptKind
    reason: str = ""
    message: str = ""
    payload: Any = None
    tool_call_id: str | None = None
    tool_name: str | None = None
    args: dict[str, Any] | None = None
    args_text: str = ""
    args_schema: dict[str, Any] | None = None
    response_schema: dict[str, Any] | None = None
    allowed_decisions: tuple[AllowedDecision, ...] = QUESTION_DECISIONS
    form: dict[str, Any] | None = None
    opened_at: datetime | None = None
    expires_at: datetime | None = None
    thread_id: str = ""
    run_id: str = ""
    metadata: Mapping[str, Any] = field(default_factory=_nothing)
    position: int = 1
    total: int = 1
