"""What of ag-ui-langgraph's stream is passed on, and what is put in where it says nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Set
from typing import Any

from ag_ui.core import (
    BaseEvent,
    CustomEvent,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    StateSnapshotEvent,
    ToolCallArgsEvent,
    ToolCallEndEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
)
from ag_ui.core import ToolMessage as ToolMessageOfAGUI
from langchain_core.messages import ToolMessage

from reflex_agentkit.adapters.langgraph.baseline import Baseline
from reflex_agentkit.adapters.langgraph.native import GraphRun, Proposed
from reflex_agentkit.adapters.langgraph.values import normal
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.conversation import NO_RESULT
from reflex_agentkit.protocol.legacy import LEGACY_INTERRUPT


class Filter:
    """The events of one AG-UI run, over all the graph's runs in it.

    A proposal that the conversation holds is not told again; every call gets one result; snapshots and the
    ends of the graph's runs are kept back, since only the last counts.
    """

    def __init__(self, baseline: Baseline, refused: Collection[str], late: Collection[str] = ()) -> None:
        self.baseline = baseline
        self.finished: RunFinishedEvent | None = None
        self.error: RunErrorEvent | None = None
        self.snapshot: MessagesSnapshotEvent | None = None
        self.legacy: list[CustomEvent] = []
        self.owners: dict[str, str] = {}
        self.state: Any = None
        self._refused = refused
        self._late = set(late)
        self._held: dict[str, ToolCallResultEvent] = {}
        self._muted: set[str] = set()

    def admit(self, event: BaseEvent, run: GraphRun) -> Iterator[BaseEvent]:
        """The events to pass on for one of the graph's."""
        yield from self.made_up(run)
        match event:
            case RunStartedEvent():
                return
            case RunFinishedEvent():
                self.finished = event
                self._note_owners(event)
            case RunErrorEvent():
                self.error = event
            case MessagesSnapshotEvent():
                self.snapshot = event
            case StateSnapshotEvent():
                if event.snapshot != self.state:
                    self.state = event.snapshot
                    yield event
            case CustomEvent() if event.name == LEGACY_INTERRUPT:
                self.legacy.append(event)
            case CustomEvent():
                yield event.model_copy(update={"value": normal(event.value)})
            case ToolCallStartEvent() | ToolCallArgsEvent() | ToolCallEndEvent():
                yield from self._of_call(event, run)
            case ToolCallResultEvent():
                if event.tool_call_id in self._late:
                    # The middleware puts its notice before the result only after the tool has ended.
                    self._held[event.tool_call_id] = self._marked(event, run)
                elif event.tool_call_id not in self.baseline.results:
                    yield self._pass(self._marked(event, run))
            case _:
                yield self._pass(event)

    def made_up(self, run: GraphRun) -> Iterator[BaseEvent]:
        """Calls and results that the graph told by itself and the integration did not."""
        proposed, run.proposed = run.proposed, []
        results, run.results = run.results, []
        for call in proposed:
            if call.call_id not in self.baseline.calls or call.call_id in self.baseline.results:
                yield from self._proposal(call)
        for message in results:
            result = self._result(message)
            if message.tool_call_id in self.baseline.open_calls() and result.content != NO_RESULT:
                yield self._pass(result)

    def told(self, message: ToolMessageOfAGUI) -> BaseEvent:
        """The result of a call that did not run, told in its place."""
        return self._pass(
            ToolCallResultEvent(
                message_id=message.id,
                tool_call_id=message.tool_call_id,
                content=str(message.content),
                role="tool",
                metadata={"error": message.error} if message.error else None,
                subagent_run_id=self.baseline.owners.get(message.tool_call_id),
            )
        )

    def said_anew(
        self, asked: Mapping[str, dict[str, Any]], decided: Set[str], run_id: str
    ) -> Iterator[BaseEvent]:
        """Calls that were decided and are asked about once more, with other arguments: new proposals.

        What was decided about the old ones stays with them.
        """
        again = decided & self.baseline.open_calls()
        for call_id, args in asked.items():
            if call_id in again and not self.baseline.has_args(call_id, args):
                name, place = self.baseline.names[call_id], f"asked-{call_id}-{run_id}"
                call = Proposed(call_id=call_id, name=name, args=args, message_id=place)
                yield from self._proposal(call, owner=self.baseline.owners.get(call_id))

    def stored(self, results: Mapping[str, ToolMessage]) -> Iterator[BaseEvent]:
        """Results that the graph stored in a run that died before it told them."""
        for call_id, message in results.items():
            if call_id in self.baseline.untold and message.content != NO_RESULT:
                yield self._pass(self._result(message))

    def left_over(self) -> Iterator[BaseEvent]:
        """Results that were kept back for a better text, where none came."""
        held, self._held = self._held, {}
        for call_id, event in held.items():
            if call_id not in self.baseline.results:
                yield self._pass(event)

    def _proposal(self, call: Proposed, *, owner: str | None = None) -> Iterator[BaseEvent]:
        start = ToolCallStartEvent(
            tool_call_id=call.call_id,
            tool_call_name=call.name,
            parent_message_id=call.message_id,
            subagent_run_id=owner,
        )
        text = json_text.write(normal(call.args))
        for event in (
            start,
            ToolCallArgsEvent(tool_call_id=call.call_id, delta=text, subagent_run_id=owner),
            ToolCallEndEvent(tool_call_id=call.call_id, subagent_run_id=owner),
        ):
            yield self._pass(event)

    def _result(self, message: ToolMessage) -> ToolCallResultEvent:
        content: Any = message.content
        call_id = message.tool_call_id
        return ToolCallResultEvent(
            message_id=str(message.id or f"tool-{call_id}"),
            tool_call_id=call_id,
            content=content if isinstance(content, str) else json_text.write(normal(content)),
            role="tool",
            metadata=self._error(message),
            subagent_run_id=self.baseline.owners.get(call_id),
        )

    def _error(self, message: ToolMessage) -> dict[str, Any] | None:
        """What marks a failed call; a refusal is none, though LangChain gives it that status."""
        failed = message.status == "error" and message.tool_call_id not in self._refused
        return {"error": str(message.content)} if failed else None

    def _marked(self, event: ToolCallResultEvent, run: GraphRun) -> ToolCallResultEvent:
        error = run.failures.get(event.tool_call_id)
        if error is None or event.tool_call_id in self._refused:
            return event
        return event.model_copy(update={"metadata": {**(event.metadata or {}), "error": error}})

    def _of_call(self, event: Any, run: GraphRun) -> Iterator[BaseEvent]:
        call_id: str = event.tool_call_id
        if isinstance(event, ToolCallStartEvent):
            self._muted.discard(call_id)
            if call_id in self.baseline.open_calls():
                self._muted.add(call_id)
        if call_id in self._muted:
            return
        yield self._pass(event)
        if isinstance(event, ToolCallStartEvent) and (args := run.first_args.pop(call_id, "")):
            yield self._pass(ToolCallArgsEvent(tool_call_id=call_id, delta=args))

    def _pass(self, event: BaseEvent) -> BaseEvent:
        self.baseline.admit(event)
        return event

    def _note_owners(self, event: RunFinishedEvent) -> None:
        for interrupt in getattr(event.outcome, "interrupts", ()):
            if interrupt.subagent_run_id:
                self.owners[interrupt.id] = interrupt.subagent_run_id
