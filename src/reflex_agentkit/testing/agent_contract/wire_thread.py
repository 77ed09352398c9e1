"""One thread over a raw AG-UI stream: a client that keeps the history by itself, from the agent's events."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Interrupt,
    Message,
    MessagesSnapshotEvent,
    ReasoningEncryptedValueEvent,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    StateSnapshotEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)

from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.protocol.order import StreamOrder
from reflex_agentkit.protocol.wire import admit_event

_Kind = TypeVar("_Kind", bound=BaseEvent)


@dataclass(slots=True)
class WireRun:
    """The events of one run, in an order that AG-UI allows."""

    events: list[BaseEvent] = field(default_factory=list[BaseEvent])

    def of(self, kind: type[_Kind]) -> list[_Kind]:
        """The events of one kind."""
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def interrupts(self) -> list[Interrupt]:
        """What the run leaves open."""
        last = self.events[-1]
        outcome = last.outcome if isinstance(last, RunFinishedEvent) else None
        return outcome.interrupts if isinstance(outcome, RunFinishedInterruptOutcome) else []

    @property
    def ended(self) -> str:
        """`success`, `interrupt`, or `error`."""
        last = self.events[-1]
        if isinstance(last, RunErrorEvent):
            return "error"
        assert isinstance(last, RunFinishedEvent), f"the run ends with {last.type}"
        return last.outcome.type if last.outcome else "success"

    @property
    def results(self) -> dict[str, str]:
        """The results that the run tells, by call id; two for one call are an error."""
        events = self.of(ToolCallResultEvent)
        found = {event.tool_call_id: str(event.content) for event in events}
        assert len(found) == len(events), "a call got two results"
        return found

    @property
    def started(self) -> list[str]:
        """The calls that the run proposes."""
        return [event.tool_call_id for event in self.of(ToolCallStartEvent)]


@dataclass(slots=True)
class WireThread:
    """A thread with an agent that knows nothing but AG-UI."""

    agent: AGUIAgent
    thread_id: str = "thread-1"
    messages: list[Message] = field(default_factory=list[Message])
    state: Any = field(default_factory=dict[str, Any])
    _runs: int = 0

    async def send(self, text: str = "Book a hotel", *resume: ResumeEntry) -> WireRun:
        """Say something, with answers to what is open beside it."""
        self.messages.append(UserMessage(id=f"user-{self._runs + 1}", content=text))
        return await self.go(*resume)

    async def go(self, *resume: ResumeEntry) -> WireRun:
        """One run with the history as it is, and what it adds to the history."""
        run_input = self.input(*resume)
        run, order = WireRun(), StreamOrder(thread_id=self.thread_id, run_id=run_input.run_id)
        async for given in self.agent.run(run_input):
            event = admit_event(given)
            run.events += order.admit(event) if event is not None else ()
        run.events += order.finish()
        for event in run.events:
            self._take(event)
        return run

    def input(self, *resume: ResumeEntry) -> RunAgentInput:
        """The input of the next run."""
        self._runs += 1
        return RunAgentInput(
            thread_id=self.thread_id,
            run_id=f"{self.thread_id}-run-{self._runs}",
            state=self.state,
            messages=[message.model_copy(deep=True) for message in self.messages],
            tools=[],
            context=[],
            forwarded_props={},
            resume=list(resume) or None,
        )

    def _take(self, event: BaseEvent) -> None:
        match event:
            case TextMessageStartEvent():
                self.messages.append(AssistantMessage(id=event.message_id, content=""))
            case TextMessageContentEvent():
                message = self._assistant(event.message_id)
                message.content = (message.content or "") + event.delta
            case ToolCallStartEvent():
                function = FunctionCall(name=event.tool_call_name, arguments="")
                message = self._assistant(event.parent_message_id or f"of-{event.tool_call_id}")
                call = ToolCall(id=event.tool_call_id, function=function)
                message.tool_calls = [*(message.tool_calls or ()), call]
            case ToolCallArgsEvent():
                self._call(event.tool_call_id).function.arguments += event.delta
            case ToolCallResultEvent(message_id=message_id, tool_call_id=call_id, content=content):
                self.messages.append(ToolMessage(id=message_id, tool_call_id=call_id, content=content))
            case ReasoningEncryptedValueEvent(subtype="message"):
                self._set_encrypted(event.entity_id, event.encrypted_value)
            case MessagesSnapshotEvent():
                self.messages = list(event.messages)
            case StateSnapshotEvent():
                self.state = event.snapshot
            case _:
                pass

    def _assistant(self, message_id: str) -> AssistantMessage:
        for message in self.messages:
            if message.id == message_id and isinstance(message, AssistantMessage):
                return message
        made = AssistantMessage(id=message_id)
        self.messages.append(made)
        return made

    def _call(self, call_id: str) -> ToolCall:
        calls: Sequence[ToolCall] = [
            call
            for message in self.messages
            if isinstance(message, AssistantMessage)
            for call in message.tool_calls or ()
            if call.id == call_id
        ]
        return calls[-1]

    def _set_encrypted(self, message_id: str, value: str) -> None:
        for message in self.messages:
            if message.id == message_id and not hasattr(message, "activity_type"):
                message.encrypted_value = value  # pyright: ignore[reportAttributeAccessIssue]
