"""One event into one conversation: the table from an event's type to what it changes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from ag_ui.core import BaseEvent, EventType

from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol.conversation import Conversation, Role
from reflex_agentkit.protocol.fold import messages, reasoning, runs, snapshots, state, tools
from reflex_agentkit.protocol.fold.draft import Draft

_Apply: TypeAlias = Callable[[Draft, Any], bool]
"""Changes the draft; whether it changed more than streamed text."""

_TABLE: Final[dict[EventType, _Apply]] = {
    EventType.RUN_STARTED: runs.started,
    EventType.RUN_FINISHED: runs.finished,
    EventType.RUN_ERROR: runs.failed,
    EventType.STEP_STARTED: runs.step_started,
    EventType.STEP_FINISHED: runs.step_finished,
    EventType.SUBAGENT_STARTED: runs.subagent_started,
    EventType.TEXT_MESSAGE_START: messages.started,
    EventType.TEXT_MESSAGE_CONTENT: messages.content,
    EventType.TEXT_MESSAGE_END: messages.ended,
    EventType.MESSAGES_SNAPSHOT: snapshots.messages_snapshot,
    EventType.TOOL_CALL_START: tools.started,
    EventType.TOOL_CALL_ARGS: tools.args,
    EventType.TOOL_CALL_END: tools.ended,
    EventType.TOOL_CALL_RESULT: tools.result,
    EventType.REASONING_MESSAGE_START: reasoning.started,
    EventType.REASONING_MESSAGE_CONTENT: reasoning.content,
    EventType.REASONING_MESSAGE_END: reasoning.ended,
    EventType.REASONING_END: reasoning.span_ended,
    EventType.REASONING_ENCRYPTED_VALUE: reasoning.encrypted_value,
    EventType.STATE_SNAPSHOT: state.snapshot,
    EventType.STATE_DELTA: state.delta,
    EventType.ACTIVITY_SNAPSHOT: state.activity_snapshot,
    EventType.ACTIVITY_DELTA: state.activity_delta,
    EventType.CUSTOM: tools.noted,
}

_UNEXPANDED: Final = frozenset(
    {EventType.TEXT_MESSAGE_CHUNK, EventType.TOOL_CALL_CHUNK, EventType.REASONING_MESSAGE_CHUNK}
)


class Fold:
    """Reads the log of a thread, event by event, and says what the thread shows.

    It takes what `StreamOrder` lets through and what the server wrote itself. `revision` grows with every
    change that is not a piece of streamed text.
    """

    revision: int

    def __init__(self) -> None:
        self.revision = 0
        self._draft = Draft()
        self._cached: Conversation | None = None

    def apply(self, event: BaseEvent) -> None:
        """Take one event in.

        Raises:
            ProtocolError: a patch does not apply, or a chunk was not spelled out. Nothing has changed then.
        """
        change = _TABLE.get(event.type)
        if change is None:
            if event.type in _UNEXPANDED:
                raise ProtocolError(f"{event.type.value} must go through StreamOrder, which spells it out")
            return
        if change(self._draft, event):
            self.revision += 1
        self._cached = None

    def conversation(self) -> Conversation:
        """What the thread shows now, frozen. Messages that did not change are the same objects as before."""
        if self._cached is None:
            self._cached = self._draft.conversation(self.revision)
        return self._cached

    @property
    def streaming(self) -> Mapping[str, Role]:
        """The ids of the text and reasoning messages that are being written, in order of their start."""
        return MappingProxyType(self._draft.streaming)

    def text_since(self, message_id: str, offset: int) -> str:
        """The text of a message after its first `offset` code points; empty for an unknown message."""
        entry = self._draft.shown(message_id)
        return entry.text.since(offset) if entry else ""
