"""The shared state and the activities: replaced by a snapshot, changed by a patch."""

from __future__ import annotations

import logging
from typing import Any, cast

from ag_ui.core import ActivityDeltaEvent, ActivitySnapshotEvent, StateDeltaEvent, StateSnapshotEvent

from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol import patch
from reflex_agentkit.protocol.fold.draft import Draft

_log = logging.getLogger(__name__)


def snapshot(draft: Draft, event: StateSnapshotEvent) -> bool:
    draft.state = event.snapshot
    return True


def delta(draft: Draft, event: StateDeltaEvent) -> bool:
    draft.state = patch.apply({} if draft.state is None else draft.state, event.delta)
    return True


def activity_snapshot(draft: Draft, event: ActivitySnapshotEvent) -> bool:
    entry = draft.find("activity", event.message_id)
    if entry is None:
        entry = draft.add("activity", event.message_id, "activity", event.subagent_run_id)
    elif event.replace is False:
        return False
    else:
        entry.owner = event.subagent_run_id
        entry.subagent = draft.subagents.get(entry.owner, entry.owner) if entry.owner else ""
    entry.activity_type = event.activity_type
    entry.content = event.content
    entry.metadata.update(event.metadata or {})
    draft.touch(entry)
    return True


def activity_delta(draft: Draft, event: ActivityDeltaEvent) -> bool:
    entry = draft.find("activity", event.message_id)
    if entry is None:
        _log.warning("a change of the unknown activity %r was skipped", event.message_id)
        return False
    changed: Any = patch.apply(entry.content, event.patch)
    if not isinstance(changed, dict):
        raise ProtocolError(
            f"the patch makes the activity {event.message_id!r} something else than an object"
        )
    entry.content = cast("dict[str, Any]", changed)
    entry.activity_type = event.activity_type
    entry.metadata.update(event.metadata or {})
    draft.touch(entry)
    return True
