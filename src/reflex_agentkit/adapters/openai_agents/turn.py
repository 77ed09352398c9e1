"""One run: from its input to the SDK and back as AG-UI events."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, cast

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    TokenUsage,
    ToolCallResultEvent,
)
from agents import Runner, RunResultStreaming, Usage

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.openai_agents.binding import Binding
from reflex_agentkit.adapters.openai_agents.fence import Fence
from reflex_agentkit.adapters.openai_agents.internals import forget_nested_runs
from reflex_agentkit.adapters.openai_agents.nested import NestedRuns
from reflex_agentkit.adapters.openai_agents.pause import Outcome, asked_of, outcome_of
from reflex_agentkit.adapters.openai_agents.setup import Setup, code_of
from reflex_agentkit.adapters.openai_agents.start import Start, start_of
from reflex_agentkit.adapters.openai_agents.stream import Mapper
from reflex_agentkit.agents.gate import current_gate


class Turn:
    """One run. What it needs for going on stands in its input; nothing of it stays behind."""

    def __init__(self, setup: Setup, run_input: RunAgentInput) -> None:
        self._setup = setup
        self._input = run_input
        self._fence = Fence(current_gate(), setup.once, notify_edited_args=setup.notify_edited_args)
        self._events: asyncio.Queue[BaseEvent | None] = asyncio.Queue()
        numbers = itertools.count(1)
        self._new_id = lambda: f"{run_input.run_id}-{next(numbers)}"
        self._nested = NestedRuns(self._new_id, self._fence, self._put)
        self._binding = Binding(self._fence, self._nested.take, run_input.tools or ())
        self._mapper = Mapper(self._new_id, owner=None, failed=self._fence.failed)
        self._usage: Usage | None = None

    async def events(self) -> AsyncGenerator[BaseEvent]:
        """The AG-UI events of the run. What cannot start ends in RUN_ERROR, before any tool runs."""
        thread_id, run_id = self._input.thread_id, self._input.run_id
        yield RunStartedEvent(thread_id=thread_id, run_id=run_id, protocol_version=PROTOCOL_VERSION)
        try:
            start = await start_of(self._setup, self._input, self._binding, self._nested)
            for call_id, content in start.told.items():
                yield self._mapper.result(call_id, content)
            outcome: Outcome = RunFinishedSuccessOutcome()
            while True:
                result = self._run(start)
                async for event in self._drive(result):
                    yield event
                self._fence.check()
                if result.interruptions:
                    asked = asked_of(result.interruptions, self._binding)
                    outcome = outcome_of(asked, self._nested)
                    for event in self._nested.suspended([call.id for call in asked]):
                        yield event
                    break
                if not start.then:
                    break
                start = start.after(result)
            for event in self._mapper.end():
                yield event
        except Exception as error:
            yield self._failed(error)
            return
        yield RunFinishedEvent(
            thread_id=thread_id, run_id=run_id, outcome=outcome, usage=_tokens(self._usage)
        )

    def _run(self, start: Start) -> RunResultStreaming:
        result = Runner.run_streamed(
            start.agent, cast("Any", start.input), context=start.context, **self._setup.options
        )
        self._usage = result.context_wrapper.usage
        return result

    async def _drive(self, result: RunResultStreaming) -> AsyncGenerator[BaseEvent]:
        """The events of the SDK's run and of those nested in it, as they come. Leaving it stops the run."""
        reading = asyncio.create_task(self._read(result))
        try:
            while (event := await self._events.get()) is not None:
                yield event
            await reading
        finally:
            if not reading.done():
                result.cancel()
                reading.cancel()
                tasks = [task for task in (reading, result.run_loop_task) if task is not None]
                with suppress(asyncio.CancelledError):
                    await asyncio.gather(*tasks, return_exceptions=True)
            elif not reading.cancelled():
                reading.exception()  # looked at, also where nobody reads to the end
            forget_nested_runs(result.context_wrapper)

    async def _read(self, result: RunResultStreaming) -> None:
        try:
            async for event in result.stream_events():
                for made in self._nested.told(self._mapper, event):
                    self._put(made)
                self._nested.said_outside(self._mapper.calls)
        finally:
            self._events.put_nowait(None)

    def _put(self, event: BaseEvent) -> None:
        if isinstance(event, ToolCallResultEvent) and event.tool_call_id in self._fence.stopped:
            return  # a stopped call did not run: it has no result, and a retry must find it open
        self._events.put_nowait(event)

    def _failed(self, error: Exception) -> RunErrorEvent:
        # The SDK fails too when a tool was stopped; what stopped it is what happened.
        if self._fence.faults and error not in self._fence.faults:
            try:
                self._fence.check()
            except Exception as fault:
                error = fault
        return RunErrorEvent(
            message=str(error).strip() or named(error), code=code_of(error), usage=_tokens(self._usage)
        )


def _tokens(usage: Usage | None) -> list[TokenUsage] | None:
    if usage is None or not usage.requests:
        return None
    return [
        TokenUsage(
            input_tokens=usage.input_tokens,
            output_tokens=usage.output_tokens,
            total_tokens=usage.total_tokens,
            reasoning_tokens=usage.output_tokens_details.reasoning_tokens,
            cached_input_tokens=usage.input_tokens_details.cached_tokens,
        )
    ]
