"""Notes of our own in a thread's log, as CUSTOM events: decisions, and where the thread stands after one.

Only the server writes them. `is_note` tells an event that speaks in our name, and `StreamOrder` drops such an
event from an agent, which must not be able to say that somebody decided.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any, cast, get_args

from ag_ui.core import BaseEvent, CustomEvent

from reflex_agentkit.protocol.conversation import DecisionNote, RunStatus, Verdict

PREFIX = "reflex_agentkit."
DECIDED = PREFIX + "decided"
RUN_STATUS = PREFIX + "run_status"
HANDED = PREFIX + "handed_over"

_FIELDS = tuple(field.name for field in fields(DecisionNote))
_VERDICTS = get_args(Verdict)
_STATUSES = get_args(RunStatus)

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandedNote:
    """Approved calls that were handed to an agent without a gate (`sent`), or that came back unseen."""

    call_ids: tuple[str, ...]
    sent: bool


def decided_event(note: DecisionNote) -> CustomEvent:
    """The event that keeps a decision in the log; empty fields are left out."""
    value = {name: text for name in _FIELDS if (text := getattr(note, name))}
    return CustomEvent(name=DECIDED, value=value)


def status_event(status: RunStatus) -> CustomEvent:
    """The event that says where the thread stands when no run says it (a pause that was cancelled)."""
    return CustomEvent(name=RUN_STATUS, value={"status": status})


def handed_event(call_ids: Sequence[str], *, sent: bool) -> CustomEvent:
    """The event that says that the yes to these calls has left for an agent without a gate, or came back."""
    return CustomEvent(name=HANDED, value={"toolCallIds": list(call_ids), "sent": sent})


def is_note(event: BaseEvent) -> bool:
    """Whether an event bears a name that is ours alone."""
    return isinstance(event, CustomEvent) and event.name.startswith(PREFIX)


def read_note(event: BaseEvent) -> DecisionNote | HandedNote | RunStatus | None:
    """The note that an event holds; `None` for any other event, and with a warning for a broken note."""
    if not isinstance(event, CustomEvent) or not event.name.startswith(PREFIX):
        return None
    held: Any = event.value
    if isinstance(held, dict):
        value = cast("dict[str, Any]", held)
        if event.name == DECIDED:
            found = {name: text for name in _FIELDS if isinstance(text := value.get(name), str)}
            if found.get("interrupt_id") and found.get("verdict") in _VERDICTS:
                return DecisionNote(**cast("Any", found))
        elif event.name == RUN_STATUS and value.get("status") in _STATUSES:
            return cast("RunStatus", value["status"])
        elif event.name == HANDED and isinstance(value.get("toolCallIds"), list):
            named = tuple(str(one) for one in cast("list[Any]", value["toolCallIds"]))
            return HandedNote(call_ids=named, sent=value.get("sent") is True)
    _log.warning("a note %r that cannot be read was skipped", event.name)
    return None
