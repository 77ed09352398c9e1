"""A run's input as it leaves for another server: what AG-UI says may travel, and nothing of our own."""

from __future__ import annotations

from typing import Any, Final, cast

from ag_ui.core import ActivityMessage, ResumeEntry, RunAgentInput

from reflex_agentkit.agents.http.faults import RemoteFaultError
from reflex_agentkit.agents.http.legacy import is_legacy_id, nothing_new

PROTOCOL_VERSION: Final = "1.0"


def outgoing(run_input: RunAgentInput, *, legacy: bool) -> RunAgentInput | None:
    """The input to send; `None` where there is nothing to tell the remote agent.

    Activities stay here, since they never travel back to an agent. That time ran out is told as a plain
    `cancelled`. With `legacy` an answer to an older interrupt travels as `forwardedProps.command.resume`, and
    one that was cancelled resumes nothing.

    Raises:
        RemoteFaultError: several older interrupts are answered at once.
    """
    ready = run_input.model_copy(
        update={
            "messages": [one for one in run_input.messages if not isinstance(one, ActivityMessage)],
            "resume": [_plain(entry) for entry in run_input.resume or ()] or None,
            "protocol_version": run_input.protocol_version or PROTOCOL_VERSION,
        }
    )
    entries = ready.resume or []
    older = [entry for entry in entries if legacy and is_legacy_id(entry.interrupt_id)]
    if not older:
        return ready
    standard = [entry for entry in entries if entry not in older]
    told = [entry for entry in older if entry.status != "cancelled"]
    if not told:
        if not standard and all(nothing_new(entry.interrupt_id, ready) for entry in older):
            return None
        return ready.model_copy(update={"resume": standard or None})
    if len(told) + len(standard) > 1:
        raise RemoteFaultError(
            "several_legacy",
            f"{len(told) + len(standard)} answers, one of them to an interrupt of the older kind "
            "(on_interrupt): that kind takes one answer at a time, so none was sent.",
            unseen=True,
        )
    [entry] = told
    return ready.model_copy(
        update={"resume": None, "forwarded_props": _commanding(ready.forwarded_props, entry)}
    )


def _plain(entry: ResumeEntry) -> ResumeEntry:
    """A cancelled entry without why: on the wire that is the same whether a person or the clock did it."""
    if entry.status != "cancelled" or not entry.metadata:
        return entry
    kept = {name: value for name, value in entry.metadata.items() if name != "reason"}
    return ResumeEntry(interrupt_id=entry.interrupt_id, status="cancelled", metadata=kept or None)


def _commanding(forwarded: Any, entry: ResumeEntry) -> dict[str, Any]:
    given = cast("dict[str, Any]", forwarded) if isinstance(forwarded, dict) else {}
    before: Any = given.get("command")
    command = cast("dict[str, Any]", before) if isinstance(before, dict) else {}
    return {**given, "command": {**command, "resume": entry.payload}}
