"""One AG-UI run of a graph: one or more runs of the graph, told as one."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace
from typing import Any, cast

from ag_ui.core import PROTOCOL_VERSION, BaseEvent, Interrupt, RunAgentInput, RunStartedEvent, ToolMessage
from ag_ui.core import StateSnapshotEvent as StateSnapshot
from langchain_core.runnables import RunnableConfig

from reflex_agentkit.adapters._notice import left_out, named
from reflex_agentkit.adapters.langgraph.approval import released
from reflex_agentkit.adapters.langgraph.asked import asked
from reflex_agentkit.adapters.langgraph.baseline import Baseline
from reflex_agentkit.adapters.langgraph.closing import Opened
from reflex_agentkit.adapters.langgraph.filter import Filter
from reflex_agentkit.adapters.langgraph.legacy import legacy_answer, legacy_interrupts
from reflex_agentkit.adapters.langgraph.native import AnswerAll, Begin, GraphRun, Step
from reflex_agentkit.adapters.langgraph.outcome import asked_args, failed, finished, snapshots, state_of
from reflex_agentkit.adapters.langgraph.plan import Plan, Planner
from reflex_agentkit.adapters.langgraph.release import Release
from reflex_agentkit.adapters.langgraph.saver import ThreadedSaver
from reflex_agentkit.adapters.langgraph.thread import Standing, Thread
from reflex_agentkit.adapters.langgraph.tool_gate import ThreadToolGate, ToolGate
from reflex_agentkit.agents.gate import current_gate

log = logging.getLogger("reflex_agentkit.langgraph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What every run of an agent shares. Nothing of it changes: what a run needs to know is in its thread."""

    graph: Any
    name: str
    config: RunnableConfig
    schemas: Mapping[str, dict[str, Any]]
    keys: Mapping[str, Sequence[str]]
    names: Collection[str]
    mends: bool
    legacy: bool


class Turn:
    """One run."""

    def __init__(self, setup: Setup, run_input: RunAgentInput) -> None:
        self._setup = setup
        self._input = run_input
        self._opened = Opened()
        self._usage: list[Any] = []
        self._fault: Exception | None = None
        self._turn_is_over = False
        self._began_again = False
        self._thread: Thread
        self._planner: Planner
        self._plan: Plan
        self._release: Release
        self._filter: Filter

    async def events(self) -> AsyncGenerator[BaseEvent]:
        """The events of the run. What cannot be taken ends in RUN_ERROR before the graph runs."""
        thread_id, run_id = self._input.thread_id, self._input.run_id
        yield RunStartedEvent(thread_id=thread_id, run_id=run_id, protocol_version=PROTOCOL_VERSION)
        try:
            step = await self._prepare()
        except Exception as error:
            log.info("run %s could not start: %s", run_id, error)
            yield failed(error)
            return
        for event in self._filter.stored(self._plan.stored):
            yield event
        async for event in self._steps(step):
            self._opened.admit(event)
            yield event

    async def _prepare(self) -> Step | None:
        setup, thread_id = self._setup, self._input.thread_id
        graph = await ThreadedSaver.where_needed(setup.graph)
        self._thread = Thread(graph, setup.config, thread_id, setup.names)
        self._planner = Planner(
            self._input,
            self._thread,
            setup.schemas,
            has_messages="messages" in graph.channels,
            legacy=setup.legacy,
            gated=current_gate() is not None,
        )
        plan = self._plan = await self._planner.plan()
        if plan.legacy:
            answer = legacy_answer(plan.legacy)
            plan.step = AnswerAll(*answer) if answer else await self._planner.next()
        answers = plan.answers
        self._release = Release(answers, current_gate(), thread_id, spent=plan.spent, asking=plan.asking)
        if plan.step is not None:
            await self._release.hand_out()
        for stopped in self._release.stopped:
            plan.answers.values.pop(stopped, None)
        released.set(self._release.handed)
        late = {one.call_id for one in answers.approved if one.edited and not one.handed_out}
        self._filter = Filter(Baseline(self._input, plan.dangling), answers.refused, late)
        return None if self._release.stopped and not plan.answers.values else plan.step

    async def _steps(self, step: Step | None) -> AsyncGenerator[BaseEvent]:
        while step is not None:
            async for event in self._graph_run(step):
                yield event
            again: Collection[str] = ()
            if self._filter.error is not None:
                again = await self._asked_again()
                step = None if again else await self._instead()
                if step is None and not again:
                    async for event in self._fail():
                        yield event
                    return
            else:
                await self._release.settle((), self._filter.baseline.result_texts, "")
                step = await self._instead() if self._release.kept_back else await self._next()
            if again or self._began_again:
                for event in self._opened.close():
                    yield event
            if again:
                async for event in self._end(dict.fromkeys(again, self._said())):
                    yield event
                return
            self._filter.error = None
        async for event in self._end(self._plan.broke_off if self._plan.step is None else {}):
            yield event

    async def _graph_run(self, step: Step) -> AsyncGenerator[BaseEvent]:
        if isinstance(step, Begin):
            if step.cut:
                await self._thread.end_turn()
            if not self._setup.mends:
                step = replace(step, put_in=())
            for event in self._results_before(step):
                yield event
        gate = ToolGate(self._release)
        run = GraphRun(
            name=self._setup.name,
            graph=self._thread.graph,
            config=self._setup.config,
            keys=self._setup.keys,
            step=step,
            callbacks=[gate, ThreadToolGate(gate)],
        )
        # The base class writes into the state of its input.
        given = self._input.model_copy(update={"state": {}, "resume": None})
        async with aclosing(cast("AsyncGenerator[BaseEvent]", run.run(given))) as events:
            async for event in events:
                for passed in self._filter.admit(event, run):
                    yield passed
        for passed in (*self._filter.made_up(run), *self._filter.left_over()):
            yield passed
        self._fault = run.fault
        if self._filter.finished is not None:
            self._usage.extend(self._filter.finished.usage or ())

    def _results_before(self, step: Begin) -> Iterator[BaseEvent]:
        """The results that the graph is given for its calls, as far as the receiver does not have them."""
        for message in (*step.put_in, *step.messages):
            if isinstance(message, ToolMessage) and self._filter.baseline.lacks(message):
                yield self._filter.told(message)

    async def _next(self) -> Step | None:
        """What is left to do after the graph came to its end, or to a pause."""
        return None if (await self._thread.standing()).open else await self._planner.next()

    async def _asked_again(self) -> Collection[str]:
        """The interrupts to ask once more, since their step failed after they were answered.

        None where all of them had been cancelled: asking again would never end.
        """
        standing = await self._thread.standing()
        again = set(standing.open) & set(self._plan.answers.values)
        await self._thread.forget(await self._thread.places(standing), again)
        await self._release.settle(again, self._filter.baseline.result_texts, self._said())
        if again and again <= self._plan.answers.cancelled:
            log.warning("a node raised when its question was cancelled; its turn is over: %s", self._said())
            self._turn_is_over = True
            return ()
        return again

    async def _instead(self) -> Step | None:
        """What to go on with where a call was kept back, or where a node raised on a cancellation."""
        if self._began_again or not (self._release.kept_back or self._turn_is_over):
            return None
        self._began_again = True  # once: what fails after it is another matter
        step = await self._planner.instead(
            {**self._filter.baseline.result_texts, **self._plan.answers.refused}
        )
        if step is None:
            await self._thread.end_turn()
        return step

    async def _fail(self) -> AsyncGenerator[BaseEvent]:
        standing = await self._thread.standing()
        for call_id, (text, said) in self._release.broken.items():
            if call_id in self._filter.baseline.open_calls():
                message = ToolMessage(id=f"tool-{call_id}", tool_call_id=call_id, content=text, error=said)
                yield self._filter.told(message)
        yield StateSnapshot(snapshot=state_of(standing.values, self._setup.keys["output"]))
        error = self._filter.error
        assert error is not None, "only a run that failed comes here"
        yield failed(self._fault).model_copy(update={"usage": error.usage}) if self._fault else error

    async def _end(self, errors: Mapping[str, str]) -> AsyncGenerator[BaseEvent]:
        """The end of a run that did not fail: what is open, or nothing."""
        standing = await self._thread.standing()
        for event in self._opened.close():
            yield event
        interrupts = await self._interrupts(standing, errors)
        if not interrupts:
            for call_id in await self._planner.left_out(standing):
                message = ToolMessage(id=f"told-{call_id}", tool_call_id=call_id, content=left_out())
                if call_id not in self._release.started and self._filter.baseline.lacks(message):
                    yield self._filter.told(message)
        for event in self._filter.said_anew(
            asked_args(interrupts), self._plan.answers.calls(), self._input.run_id
        ):
            yield event
        again = bool(errors or self._release.stopped)
        for event in self._told(standing, interrupts, afresh=again):
            yield event
        yield finished(self._input.thread_id, self._input.run_id, interrupts, self._usage)

    async def _interrupts(self, standing: Standing, errors: Mapping[str, str]) -> list[Interrupt]:
        if not standing.open:
            if not self._setup.legacy:
                return []
            return legacy_interrupts(self._filter.legacy, self._input.run_id)
        places = await self._thread.places(standing)
        scene = self._planner.scene(
            standing, places, owners=self._filter.owners, errors=errors, stopped=self._release.stopped
        )
        return [found for one in standing.open.values() for found in asked(one, scene)]

    def _told(
        self, standing: Standing, interrupts: Sequence[Interrupt], *, afresh: bool
    ) -> Iterator[BaseEvent]:
        undelivered = self._planner.undelivered(standing)
        return snapshots(
            standing,
            self._filter.baseline,
            keys=self._setup.keys["output"],
            told=None if afresh else self._filter.snapshot,
            undelivered=undelivered,
            interrupts=interrupts,
        )

    def _said(self) -> str:
        if self._fault is not None:
            return named(self._fault)
        return self._filter.error.message if self._filter.error else ""
