"""Agents that run as tools of other agents: what they do as events of sub-agents, and their records."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ag_ui.core import (
    BaseEvent,
    ReasoningEncryptedValueEvent,
    SubagentErrorEvent,
    SubagentFinishedEvent,
    SubagentFinishedSuccessOutcome,
    SubagentFinishedSuspendedOutcome,
    SubagentStartedEvent,
)
from agents import RawResponsesStreamEvent, RunItemStreamEvent
from agents.agent import AgentToolStreamEvent
from agents.stream_events import StreamEvent

from reflex_agentkit.adapters.openai_agents.fence import Fence
from reflex_agentkit.adapters.openai_agents.records import Record
from reflex_agentkit.adapters.openai_agents.stream import Mapper, NewId, plain


@dataclass(slots=True)
class NestedRun:
    """One run of an agent tool. `call_id` is the call that it runs for, `held_by` those it runs inside of."""

    call_id: str
    held_by: tuple[str, ...]
    record: Record
    mapper: Mapper | None = None
    waiting: list[AgentToolStreamEvent] = field(default_factory=list[AgentToolStreamEvent])

    @property
    def id(self) -> str:
        """The sub-agent's run id: the same in whichever run it goes on."""
        return f"sub-{self.call_id}"


class NestedRuns:
    """The nested runs of one run. Their tools stand behind `fence`, and `put` is told what they do."""

    def __init__(self, new_id: NewId, fence: Fence, put: Callable[[BaseEvent], None]) -> None:
        self._new_id = new_id
        self._fence = fence
        self._failed: Mapping[str, str] = fence.failed
        self._put = put
        self._runs: dict[str, NestedRun] = {}
        self._said: set[str] = set()
        self._outside: set[str] = set()

    def restore(self, records: Mapping[str, Record], held_by: tuple[str, ...] = ()) -> None:
        """Take up the runs that go on."""
        for call_id, record in records.items():
            self._runs[call_id] = NestedRun(call_id, held_by, record)
            self._said |= {call_id, *_calls(record)}
            self.restore(record.nested, (*held_by, call_id))

    def holders(self, call_id: str) -> tuple[str, ...]:
        """The calls that wait with a call: those whose nested runs it was made in, the outermost first."""
        for run in self._runs.values():
            if any(call_id == one for one in _calls(run.record)):
                return (*run.held_by, run.call_id)
        return ()

    def named_twice(self, call_id: str) -> bool:
        """Whether two calls of this turn have an id, so that an answer could mean either."""
        inside = sum(call_id == one for run in self._runs.values() for one in _calls(run.record))
        return inside + (call_id in self._outside) > 1

    def run_of(self, call_id: str) -> NestedRun | None:
        """The nested run of a call."""
        return self._runs.get(call_id)

    async def take(self, heard: AgentToolStreamEvent) -> None:
        """An event of a nested run. It waits until the call that it runs for has been told."""
        tool_call = heard["tool_call"]
        if tool_call is None:
            return
        run = self._run(tool_call.call_id)
        if run.call_id in self._said:
            self._tell(run, heard)
        else:
            run.waiting.append(heard)

    def said_outside(self, calls: set[str]) -> None:
        """These calls of the conversation itself have been told whole."""
        self._outside |= calls
        self.said(calls)

    def said(self, calls: set[str]) -> None:
        """These calls have been told whole."""
        for call_id in calls - self._said:
            self._said.add(call_id)
            run = self._runs.get(call_id)
            while run is not None and run.waiting:
                self._tell(run, run.waiting.pop(0))

    def finished(self, call_id: str) -> Iterator[BaseEvent]:
        """The call of a nested run has its result."""
        run = self._runs.pop(call_id, None)
        for inner in [one.call_id for one in self._runs.values() if call_id in one.held_by]:
            del self._runs[inner]
        if run is None or run.mapper is None:
            return
        if (error := self._failed.get(call_id)) is not None:
            yield SubagentErrorEvent(subagent_run_id=run.id, message=error)
        else:
            yield SubagentFinishedEvent(subagent_run_id=run.id, outcome=SubagentFinishedSuccessOutcome())

    def suspended(self, waiting: Sequence[str]) -> Iterator[BaseEvent]:
        """The run ends in a pause: the nested runs in it stop, and their records go into the log."""
        for run in reversed(self._runs.values()):
            if run.mapper is not None:
                ids = [one for one in waiting if one in set(run.record.calls())]
                outcome = SubagentFinishedSuspendedOutcome(interrupt_ids=ids or None)
                yield SubagentFinishedEvent(subagent_run_id=run.id, outcome=outcome)
        for run in self._runs.values():
            if not run.held_by:
                yield ReasoningEncryptedValueEvent(
                    subtype="tool-call", entity_id=run.call_id, encrypted_value=self._whole(run).write()
                )

    def _whole(self, run: NestedRun) -> Record:
        inner = {
            one.call_id: self._whole(one)
            for one in self._runs.values()
            if one.held_by == (*run.held_by, run.call_id)
        }
        return replace(run.record, nested=inner)

    def _run(self, call_id: str) -> NestedRun:
        if call_id not in self._runs:
            record = Record(edited=self._fence.edited(call_id))
            self._runs[call_id] = NestedRun(call_id, self.holders(call_id), record)
        return self._runs[call_id]

    def _tell(self, run: NestedRun, heard: AgentToolStreamEvent) -> None:
        event = heard["event"]
        if run.mapper is None:
            run.mapper = Mapper(self._new_id, owner=run.id, failed=self._failed)
            outer = run.held_by[-1] if run.held_by else None
            self._put(
                SubagentStartedEvent(
                    subagent_run_id=run.id,
                    name=heard["agent"].name,
                    parent_tool_call_id=run.call_id,
                    parent_subagent_run_id=f"sub-{outer}" if outer else None,
                )
            )
        for made in self.told(run.mapper, event):
            self._put(made)
        _note(run.record, event)
        self.said(run.mapper.calls)

    def told(self, mapper: Mapper, event: StreamEvent) -> Iterator[BaseEvent]:
        """The AG-UI events of one event; a result ends the nested run of its call first."""
        for made in mapper.events(event):
            call_id = getattr(made, "tool_call_id", None)
            if made.type == "TOOL_CALL_RESULT" and call_id is not None:
                yield from self.finished(call_id)
            yield made


def _note(record: Record, event: StreamEvent) -> None:
    if isinstance(event, RawResponsesStreamEvent) and event.data.type == "response.completed":
        record.turns.append([plain(item) for item in event.data.response.output])
    elif isinstance(event, RunItemStreamEvent) and event.name in ("tool_output", "handoff_occured"):
        output = plain(event.item.raw_item)
        record.outputs[str(output.get("call_id"))] = output.get("output")
        record.nested.pop(str(output.get("call_id")), None)


def _calls(record: Record) -> Iterator[str]:
    for turn in record.turns:
        for item in turn:
            if item.get("type") == "function_call":
                yield str(item.get("call_id"))
