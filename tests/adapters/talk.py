"""A thread for tests: it keeps the history as AG-UI messages. With a scripted model and a counting gate."""

from __future__ import annotations

import string
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from ag_ui.core import (
    AssistantMessage,
    BaseEvent,
    FunctionCall,
    Interrupt,
    Message,
    ReasoningEncryptedValueEvent,
    ResumeEntry,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunStartedEvent,
    TextMessageContentEvent,
    TextMessageStartEvent,
    Tool,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallResultEvent,
    ToolCallStartEvent,
    ToolMessage,
    UserMessage,
)
from pydantic_ai.messages import ModelMessage, ModelResponse, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text

Calls: TypeAlias = list[tuple[str, str | dict[str, Any]]]


class Script:
    """A model that says its lines: a text, calls, or an error. The history tells which line is next."""

    def __init__(self, *lines: str | Calls | Exception) -> None:
        self.lines = list(lines)
        self.call_id = "call-{number}{letter}"
        self.asked: list[list[ModelMessage]] = []
        self.infos: list[AgentInfo] = []

    def model(self) -> FunctionModel:
        return FunctionModel(stream_function=self._stream)

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        self.asked.append(messages)
        self.infos.append(info)
        said = sum(isinstance(message, ModelResponse) for message in messages)
        line = self.lines[said] if said < len(self.lines) else "Done."
        if isinstance(line, Exception):
            self.lines[said] = "Done."
            raise line
        if isinstance(line, str):
            yield line
            return
        for at, (name, args) in enumerate(line):
            written = args if isinstance(args, str) else json_text.write(args)
            call_id = self.call_id.format(number=said + 1, letter=string.ascii_lowercase[at])
            yield {at: DeltaToolCall(name=name, json_args=written, tool_call_id=call_id)}

    def told(self) -> dict[str, tuple[Any, str]]:
        """The tool results that the model saw last: content and outcome by call id."""
        return {
            part.tool_call_id: (part.content, part.outcome)
            for message in self.asked[-1]
            for part in message.parts
            if isinstance(part, ToolReturnPart)
        }


@dataclass
class Run:
    """The events of one run."""

    events: list[BaseEvent] = field(default_factory=list[BaseEvent])

    def of(self, kind: type[Any]) -> list[Any]:
        return [event for event in self.events if isinstance(event, kind)]

    @property
    def results(self) -> dict[str, str]:
        return {event.tool_call_id: event.content for event in self.of(ToolCallResultEvent)}

    @property
    def error(self) -> RunErrorEvent:
        (error,) = self.of(RunErrorEvent)
        assert self.events[-1] is error
        return error

    @property
    def outcome(self) -> Any:
        (finished,) = self.of(RunFinishedEvent)
        assert self.events[-1] is finished
        return finished.outcome

    @property
    def interrupts(self) -> list[Interrupt]:
        assert self.outcome.type == "interrupt", self.events[-1]
        return self.outcome.interrupts


class Talk:
    """One thread with an agent."""

    def __init__(self, agent: AGUIAgent, *, thread_id: str = "thread-1", tools: Sequence[Tool] = ()) -> None:
        self.agent = agent
        self.thread_id = thread_id
        self.tools = list(tools)
        self.messages: list[Message] = []
        self.state: Any = {}
        self.count = 0

    def input(self, resume: Sequence[ResumeEntry] = ()) -> RunAgentInput:
        self.count += 1
        return RunAgentInput(
            thread_id=self.thread_id,
            run_id=f"run-{self.count}",
            state=self.state,
            messages=list(self.messages),
            tools=self.tools,
            context=[],
            forwarded_props={},
            resume=list(resume) or None,
        )

    def say(self, text: str) -> None:
        self.messages.append(UserMessage(id=f"user-{len(self.messages)}", content=text))

    async def send(self, text: str) -> Run:
        self.say(text)
        return await self.go()

    async def go(self, *resume: ResumeEntry, keep: bool = True) -> Run:
        return await self.give(self.input(resume), keep=keep)

    async def give(self, run_input: RunAgentInput, *, keep: bool = True) -> Run:
        run = Run()
        async for event in self.agent.run(run_input):
            run.events.append(event)
        assert isinstance(run.events[0], RunStartedEvent)
        assert run.events[0].run_id == run_input.run_id
        if keep:
            for event in run.events:
                self.take(event)
        return run

    def take(self, event: BaseEvent) -> None:
        match event:
            case TextMessageStartEvent():
                self.messages.append(AssistantMessage(id=event.message_id, content=""))
            case TextMessageContentEvent():
                message = self._assistant(event.message_id)
                message.content = (message.content or "") + event.delta
            case ToolCallStartEvent():
                call = ToolCall(
                    id=event.tool_call_id, function=FunctionCall(name=event.tool_call_name, arguments="")
                )
                message = self._assistant(event.parent_message_id)
                message.tool_calls = [*(message.tool_calls or ()), call]
            case ToolCallArgsEvent():
                self._call(event.tool_call_id).function.arguments += event.delta
            case ToolCallResultEvent():
                self.messages.append(
                    ToolMessage(id=event.message_id, tool_call_id=event.tool_call_id, content=event.content)
                )
            case ReasoningEncryptedValueEvent(subtype="message"):
                (message,) = [one for one in self.messages if one.id == event.entity_id]
                message.encrypted_value = event.encrypted_value
            case _:
                pass

    def _assistant(self, message_id: str | None) -> AssistantMessage:
        (message,) = [one for one in self.messages if one.id == message_id]
        assert isinstance(message, AssistantMessage)
        return message

    def _call(self, call_id: str) -> ToolCall:
        return [
            call
            for message in self.messages
            for call in getattr(message, "tool_calls", None) or ()
            if call.id == call_id
        ][-1]


def resolved(wire_id: str, payload: Any) -> ResumeEntry:
    return ResumeEntry(interrupt_id=wire_id, status="resolved", payload=payload)


def approved(wire_id: str = "int-call-1a", **more: Any) -> ResumeEntry:
    return resolved(wire_id, {"approved": True, **more})


def refused(wire_id: str = "int-call-1a", **more: Any) -> ResumeEntry:
    return resolved(wire_id, {"approved": False, **more})


def cancelled(wire_id: str = "int-call-1a", **more: Any) -> ResumeEntry:
    return ResumeEntry(interrupt_id=wire_id, status="cancelled", **more)


class CountingGate:
    """Lets every call begin once, unless told to stop it, and keeps what it was told."""

    def __init__(self, *, stop: Sequence[str] = (), lost: Sequence[str] = ()) -> None:
        self.stop = set(stop)
        self.lost = set(lost)
        self.begun: list[tuple[str, str, dict[str, Any]]] = []
        self.finished: dict[str, str] = {}
        self.broken: dict[str, str] = {}

    async def begin(self, tool_call_id: str, tool_name: str, args: dict[str, Any]) -> CurrentAnswer:
        if tool_call_id in self.stop or tool_call_id in {begun for begun, _, _ in self.begun}:
            raise GateError(f"The tool was not run: {tool_call_id} is not covered.")
        self.begun.append((tool_call_id, tool_name, args))
        return CurrentAnswer(
            payload={"approved": True, "from": "gate"}, idempotency_key=f"key-{tool_call_id}"
        )

    async def done(self, tool_call_id: str, result_text: str) -> None:
        if "done" in self.lost:
            raise ConnectionError("the database is gone")
        self.finished[tool_call_id] = result_text

    async def failed(self, tool_call_id: str, error: str) -> None:
        self.broken[tool_call_id] = error
