"""One run of the flow inside a run of the agent: what it is given, what it tells, how it ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any

from ag_ui.core import BaseEvent, Message, RunAgentInput, TokenUsage, ToolCallResultEvent
from crewai.flow.async_feedback import PendingFeedbackContext
from crewai.flow.persistence import FlowPersistence

from reflex_agentkit.adapters.crewai.asked import feedback_of
from reflex_agentkit.adapters.crewai.chat_state import chat_messages, dumped, fitting, inputs_for, snapshot
from reflex_agentkit.adapters.crewai.decisions import payload_of
from reflex_agentkit.adapters.crewai.heard import Heard
from reflex_agentkit.adapters.crewai.held import HeldPersistence
from reflex_agentkit.adapters.crewai.journal import Journal, Shelf, Step, encoded
from reflex_agentkit.adapters.crewai.native import FlowRun, paused_flow, said_at_last
from reflex_agentkit.adapters.crewai.outcome_model import OutcomeModel, chosen_outcome
from reflex_agentkit.adapters.crewai.plan import Answer, Begin, BeginAgain
from reflex_agentkit.adapters.crewai.release import hand_out
from reflex_agentkit.adapters.crewai.scene import Scene
from reflex_agentkit.adapters.crewai.setup import Maker
from reflex_agentkit.adapters.crewai.wire_events import WireEvents
from reflex_agentkit.agents.gate import Gate
from reflex_agentkit.errors import MalformedEventError

Act = Callable[[Any], Awaitable[Any]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What every run of an agent shares. `methods` are those of the flow that can ask a person."""

    make: Maker
    persistence: FlowPersistence
    shelf: Shelf
    methods: frozenset[str]


class Attempt:
    """Runs the flow once. `journal` is the thread's record, which it keeps up to date while the flow runs."""

    def __init__(
        self,
        setup: Setup,
        run_input: RunAgentInput,
        journal: Journal,
        gate: Gate | None,
        new_id: Callable[[str], str],
    ) -> None:
        self.journal = journal
        self.scene: Scene
        self.usage: list[TokenUsage] = []
        self._setup = setup
        self._input = run_input
        self._gate = gate
        self._new_id = new_id
        self._keeping = asyncio.Lock()
        self._run: FlowRun

    @property
    def error(self) -> Exception | None:
        """What the flow raised."""
        return self._run.error

    @property
    def pauses(self) -> list[PendingFeedbackContext]:
        """What the flow waits for."""
        return self._run.pauses

    @property
    def flow(self) -> Any:
        """The flow that ran."""
        return self._run.flow

    async def events(
        self, plan: Begin | Answer | BeginAgain, heard: Heard, news: list[Message]
    ) -> AsyncGenerator[BaseEvent]:
        """What the flow tells, to its end or its pause."""
        again = isinstance(plan, BeginAgain) or (isinstance(plan, Answer) and plan.again)
        steps = list(self.journal.steps) if again else []
        self.scene = Scene(new_id=self._new_id, tell=lambda _: None)
        held = HeldPersistence(self._setup.persistence, self.journal.state if again else None)
        flow, inputs = await asyncio.to_thread(self._made, plan, held, heard, news)
        act: Act = lambda flow: flow.kickoff_async(inputs=inputs)  # noqa: E731
        if isinstance(plan, Answer):
            # Only once the flow is there to take them: what was handed out and came to nothing is in doubt.
            await hand_out(plan, self.scene, self.journal, self._gate, self._input.thread_id)
            act = self._answering(plan, flow)
        self._run = FlowRun(flow, act, steps=steps, keep=self._keep)
        self.scene.tell = self._run.tell
        await self.save()
        wire = WireEvents(flow, self._new_id)
        async with aclosing(self._run.events(self.scene)) as items:
            async for item in items:
                told = wire.pass_on(item) if isinstance(item, BaseEvent) else wire.admit(*item)
                for event in told:
                    await self._gated(event)
                    yield event
        if not (wire.said or self.error or self.pauses):
            text = said_at_last(flow, self._run.output, self._run.last_method)
            for event in wire.say(text) if text else ():
                yield event
        for event in wire.close(steps=True):
            yield event
        self.usage = wire.usage

    async def release_rest(self) -> None:
        """The flow's step is stored: what it was given is done, whatever it told."""
        for call_id in self.scene.handed if self._gate is not None else ():
            if call_id not in self.scene.results and self._gate is not None:
                await self._gate.done(call_id, "")

    async def save(self) -> None:
        """Keep the record."""
        # A copy: threads of the flow put results in.
        self.journal.note_results(dict(self.scene.results))
        await asyncio.to_thread(self._setup.shelf.save, self._input.thread_id, self.journal)

    def shared_state(self) -> dict[str, Any] | None:
        """The flow's state, as far as it is shared."""
        return snapshot(self.flow)

    def _made(
        self, plan: Begin | Answer | BeginAgain, held: HeldPersistence, heard: Heard, news: list[Message]
    ) -> tuple[Any, dict[str, Any]]:
        """A copy of the flow, and what it starts with."""
        thread_id = self._input.thread_id
        if isinstance(plan, Answer):
            return paused_flow(self._setup.make, held, thread_id), {}
        flow: Any = self._setup.make(held)
        if isinstance(plan, Begin):
            stored = held.load_state(thread_id) or {}
            messages = chat_messages(heard.among(self._input.messages, news), heard.results)
            self.journal.inputs = {**fitting(flow, stored), **inputs_for(flow, self._input, messages)}
            inputs = self.journal.inputs
        else:
            inputs = {**self.journal.inputs, **(self.journal.state or {})}
        return flow, {**inputs, "id": thread_id}

    def _answering(self, plan: Answer, flow: Any) -> Act:
        """How a paused flow is gone on with."""
        context = plan.context
        stopped = [self.scene.stopped.get(one.request.tool_call_id or "") for one in plan.given]
        payloads = [payload_of(*pair) for pair in zip(plan.given, stopped, strict=True)]
        feedback = feedback_of(context, plan.given, payloads)
        if context.emit:
            chosen = self.journal.outcome or chosen_outcome(context.emit, payloads[0])
            flow.pending_feedback.llm = OutcomeModel.choosing(chosen, context.llm)
        return lambda flow: flow.resume_async(feedback)

    async def _keep(self, method: str, at: int, result: Any) -> None:
        """Note that a step finished, before anything follows it."""
        async with self._keeping:
            text = encoded(result)
            if text is None:
                self.journal.unkept = self.journal.unkept or method
            else:
                self.journal.steps.append(Step(method=method, at=at, result=text))
            try:
                self.journal.state = dumped(self.flow)
            except (MalformedEventError, ValueError, TypeError):
                self.journal.unkept = self.journal.unkept or method
            answered = self.flow.last_human_feedback
            if answered is not None and answered.method_name == self.scene.method:
                self.journal.outcome = self.journal.outcome or answered.outcome
            await self.save()

    async def _gated(self, event: BaseEvent) -> None:
        """Note what a released call gave, before anybody is told."""
        if not isinstance(event, ToolCallResultEvent):
            return
        result = self.scene.results.get(event.tool_call_id)
        if event.tool_call_id not in self.scene.handed or result is None:
            return
        async with self._keeping:
            await self.save()
        if self._gate is None:
            return
        if result.error is not None:
            await self._gate.failed(event.tool_call_id, result.error)
        else:
            await self._gate.done(event.tool_call_id, result.text)
