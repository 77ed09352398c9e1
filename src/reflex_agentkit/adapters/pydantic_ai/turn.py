"""One run of a PydanticAI agent: its AG-UI events, with what PydanticAI leaves out or makes up put right."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, cast

from ag_ui.core import (
    BaseEvent,
    ReasoningEncryptedValueEvent,
    RunErrorEvent,
    RunFinishedEvent,
    ToolCallResultEvent,
)
from pydantic_ai import AgentRunResultEvent, DeferredToolRequests
from pydantic_ai.messages import FunctionToolResultEvent

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.pydantic_ai.fence import Fence
from reflex_agentkit.adapters.pydantic_ai.pause import Outcome, outcome_of
from reflex_agentkit.errors import ConfigurationError, GateError, InvalidAnswerError

CODES: tuple[tuple[type[Exception], str], ...] = (
    (GateError, "gate"),
    (InvalidAnswerError, "invalid_answer"),
    (ConfigurationError, "configuration"),
)


NO_RESULT = ("failed", "retried", "interrupted")
"""PydanticAI's outcomes of a call whose tool gave nothing: the event says so, for the card to show."""


@dataclass(kw_only=True)
class Turn:
    """One run: PydanticAI's stream, and what is put right in it."""

    fence: Fence
    client_tools: frozenset[str]
    stream: AsyncGenerator[BaseEvent] = field(init=False)
    _outcome: Outcome | None = None
    _error: Exception | None = None
    _failed: set[str] = field(default_factory=set[str])
    _dropped: set[str] = field(default_factory=set[str])

    async def watch(self, native: AsyncIterator[Any]) -> AsyncGenerator[Any]:
        """PydanticAI's own events, seen before they become AG-UI ones."""
        try:
            async with aclosing(cast("AsyncGenerator[Any]", native)) as events:
                async for event in events:
                    if isinstance(event, AgentRunResultEvent):
                        self._ended(cast("AgentRunResultEvent[Any]", event).result.output)
                    elif isinstance(event, FunctionToolResultEvent) and event.part.outcome in NO_RESULT:
                        self._failed.add(event.part.tool_call_id)
                    yield event
        except Exception as error:
            self._error = error
            raise

    def _ended(self, output: Any) -> None:
        if isinstance(output, DeferredToolRequests) and not self.fence.stopped:
            self._outcome = outcome_of(output, schemas=self.fence.schemas, client_tools=self.client_tools)
        else:
            self.fence.check()

    async def events(self) -> AsyncGenerator[BaseEvent]:
        """The AG-UI events of the run."""
        async with aclosing(self.stream) as stream:
            async for event in stream:
                if not self._is_invented(event):
                    yield self._corrected(event)

    def _is_invented(self, event: BaseEvent) -> bool:
        """Whether an event is about a result that no tool gave.

        PydanticAI closes open calls when a run breaks off. For a call that has a yes nobody knows a result
        then, and a retry must find it open.
        """
        if isinstance(event, ToolCallResultEvent):
            call_id = event.tool_call_id
            if call_id in self.fence.stopped or (self._error and call_id in self.fence.approved):
                self._dropped.add(event.message_id)
                return True
        return isinstance(event, ReasoningEncryptedValueEvent) and event.entity_id in self._dropped

    def _corrected(self, event: BaseEvent) -> BaseEvent:
        if isinstance(event, ToolCallResultEvent) and (self._error or event.tool_call_id in self._failed):
            return event.model_copy(update={"metadata": {**(event.metadata or {}), "error": event.content}})
        if isinstance(event, RunFinishedEvent) and self._outcome is not None:
            return event.model_copy(update={"outcome": self._outcome})
        if isinstance(event, RunErrorEvent) and self._error is not None:
            message = str(self._error).strip() or named(self._error)
            return event.model_copy(update={"message": message, "code": code_of(self._error)})
        return event


def code_of(error: Exception) -> str | None:
    """The stable code of a run that ended with this error."""
    return next((code for kind, code in CODES if isinstance(error, kind)), None)
