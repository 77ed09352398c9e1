"""What one run has open: messages, calls, reasoning, steps, sub-agents, each with its owner."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, NoReturn, TypeAlias

from ag_ui.core import (
    ActivitySnapshotEvent,
    BaseEvent,
    EventType,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentStartedEvent,
    ToolCallStartEvent,
)

Owner: TypeAlias = str | None
"""The sub-agent's run id; `None` is the agent itself."""

Opened: TypeAlias = dict[str, Owner]


class OpenItems:
    """The open items of a run. Nothing of it crosses into the next. `fail` raises with the event's place."""

    def __init__(self, fail: Callable[[str], NoReturn]) -> None:
        self.messages: Opened = {}
        self.reasoning: Opened = {}
        self.spans: Opened = {}
        self.calls: Opened = {}
        self._fail = fail
        self._steps: dict[tuple[Owner, str], None] = {}
        self._subagents: dict[str, bool] = {}
        self._unannounced: set[str] = set()
        self._said_by: Opened = {}
        self._activities: Opened = {}

    def check(self, event: BaseEvent) -> None:
        """Hold an event against what is open, and note what it opens or closes."""
        check = _CHECKS.get(event.type)
        if check is not None:
            check(self, event)
        owner: Owner = getattr(event, "subagent_run_id", None)
        if owner is not None and owner not in self._subagents:
            self._unannounced.add(owner)

    def owner_of(self, item: str) -> Owner:
        """The sub-agent that opened an item which is open."""
        return self.messages.get(item) or self.calls.get(item) or self.reasoning.get(item)

    def left(self) -> Iterator[tuple[str, str]]:
        """What is still open: its kind and its name."""
        for what, opened in (
            ("message", self.messages),
            ("reasoning message", self.reasoning),
            ("reasoning span", self.spans),
            ("tool call", self.calls),
            ("step", [name for _, name in self._steps]),
            ("sub-agent", [name for name, active in self._subagents.items() if active]),
        ):
            for item in opened:
                yield what, item

    # The checks below are called through the table at the end of the module.

    def message_start(self, event: Any) -> None:
        owner: Owner = event.subagent_run_id
        if self._said_by.setdefault(event.message_id, owner) != owner:
            self._fail(f"the message {event.message_id!r} was opened again by another owner")
        self._open(self.messages, "message", event.message_id, event)

    def message_content(self, event: Any) -> None:
        self._go_on(self.messages, "message", event.message_id, event)

    def message_end(self, event: Any) -> None:
        self._close(self.messages, "message", event.message_id, event)

    def call_start(self, event: ToolCallStartEvent) -> None:
        parent, owner = event.parent_message_id, event.subagent_run_id
        if owner is not None and self._said_by.get(parent or "", owner) != owner:
            self._fail(f"the tool call {event.tool_call_id!r} and its message have different owners")
        self._open(self.calls, "tool call", event.tool_call_id, event)
        if owner is None:
            # A call belongs to whoever owns the message that carries it.
            self.calls[event.tool_call_id] = self._said_by.get(parent or "")

    def call_args(self, event: Any) -> None:
        self._go_on(self.calls, "tool call", event.tool_call_id, event)

    def call_end(self, event: Any) -> None:
        self._close(self.calls, "tool call", event.tool_call_id, event)

    def reasoning_start(self, event: Any) -> None:
        self._open(self.reasoning, "reasoning message", event.message_id, event)

    def reasoning_content(self, event: Any) -> None:
        self._go_on(self.reasoning, "reasoning message", event.message_id, event)

    def reasoning_end(self, event: Any) -> None:
        self._close(self.reasoning, "reasoning message", event.message_id, event)

    def span_start(self, event: Any) -> None:
        self._open(self.spans, "reasoning span", event.message_id, event)

    def span_end(self, event: Any) -> None:
        self._close(self.spans, "reasoning span", event.message_id, event)

    def activity_snapshot(self, event: ActivitySnapshotEvent) -> None:
        if event.replace is False:
            self._activities.setdefault(event.message_id, event.subagent_run_id)
        else:
            self._activities[event.message_id] = event.subagent_run_id

    def activity_delta(self, event: Any) -> None:
        if event.message_id in self._activities:
            self._go_on(self._activities, "activity", event.message_id, event)

    def step_start(self, event: StepStartedEvent) -> None:
        key = (event.subagent_run_id, event.step_name)
        if key in self._steps:
            self._fail(f"the step {event.step_name!r} was started while it was open")
        self._steps[key] = None

    def step_end(self, event: StepFinishedEvent) -> None:
        key = (event.subagent_run_id, event.step_name)
        if key not in self._steps:
            self._fail(f"the step {event.step_name!r} was finished without being open")
        del self._steps[key]

    def subagent_start(self, event: SubagentStartedEvent) -> None:
        name, parent = event.subagent_run_id, event.parent_subagent_run_id
        if name in self._subagents:
            state = "is active" if self._subagents[name] else "has finished"
            self._fail(f"the sub-agent {name!r} was started again; it {state} in this run")
        if name in self._unannounced:
            self._fail(f"the sub-agent {name!r} was announced after events of its own")
        if parent is not None and parent not in self._subagents:
            self._fail(f"the sub-agent {name!r} names the parent {parent!r}, which was not announced")
        self._subagents[name] = True

    def subagent_end(self, event: Any) -> None:
        if not self._subagents.get(event.subagent_run_id):
            self._fail(f"{event.type.value}: the sub-agent {event.subagent_run_id!r} is not active")
        self._subagents[event.subagent_run_id] = False

    def _open(self, opened: Opened, what: str, item: str, event: Any) -> None:
        if item in opened:
            self._fail(f"{event.type.value} names the {what} {item!r}, which is open already")
        opened[item] = event.subagent_run_id

    def _go_on(self, opened: Mapping[str, Owner], what: str, item: str, event: Any) -> None:
        if item not in opened:
            self._fail(f"{event.type.value} names the {what} {item!r}, which is not open")
        # An event without a tag goes on with whatever its opener owns.
        if event.subagent_run_id is not None and event.subagent_run_id != opened[item]:
            self._fail(f"{event.type.value} names another sub-agent than the one that opened {item!r}")

    def _close(self, opened: Opened, what: str, item: str, event: Any) -> None:
        self._go_on(opened, what, item, event)
        del opened[item]


_CHECKS: Final[dict[EventType, Callable[[OpenItems, Any], None]]] = {
    EventType.STEP_STARTED: OpenItems.step_start,
    EventType.STEP_FINISHED: OpenItems.step_end,
    EventType.TEXT_MESSAGE_START: OpenItems.message_start,
    EventType.TEXT_MESSAGE_CONTENT: OpenItems.message_content,
    EventType.TEXT_MESSAGE_END: OpenItems.message_end,
    EventType.TOOL_CALL_START: OpenItems.call_start,
    EventType.TOOL_CALL_ARGS: OpenItems.call_args,
    EventType.TOOL_CALL_END: OpenItems.call_end,
    EventType.REASONING_START: OpenItems.span_start,
    EventType.REASONING_END: OpenItems.span_end,
    EventType.REASONING_MESSAGE_START: OpenItems.reasoning_start,
    EventType.REASONING_MESSAGE_CONTENT: OpenItems.reasoning_content,
    EventType.REASONING_MESSAGE_END: OpenItems.reasoning_end,
    EventType.ACTIVITY_SNAPSHOT: OpenItems.activity_snapshot,
    EventType.ACTIVITY_DELTA: OpenItems.activity_delta,
    EventType.SUBAGENT_STARTED: OpenItems.subagent_start,
    EventType.SUBAGENT_FINISHED: OpenItems.subagent_end,
    EventType.SUBAGENT_ERROR: OpenItems.subagent_end,
}
