"""One AG-UI run of a graph: one or more runs of the graph, told as one."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Collection, Iterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from typing import Any, cast

from ag_ui.core import PROTOCOL_VERSION, BaseEvent, Interrupt, RunAgentInput, RunStartedEvent, ToolMessage
from ag_ui.core import StateSnapshotEvent as StateSnapshot
from langchain_core.runnables import RunnableConfig

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.langgraph.approval import released
from reflex_agentkit.adapters.langgraph.asked import asked
from reflex_agentkit.adapters.langgraph.baseline import Baseline
from reflex_agentkit.adapters.langgraph.closing import Opened
from reflex_agentkit.adapters.langgraph.filter import Filter
from reflex_agentkit.adapters.langgraph.legacy import legacy_answer, legacy_interrupts
from reflex_agentkit.adapters.langgraph.native import AnswerAll, Begin, GraphRun, Step
from reflex_agentkit.adapters.langgraph.outcome import failed, finished, snapshots, state_of
from reflex_agentkit.adapters.langgraph.plan import Plan, Planner
from reflex_agentkit.adapters.langgraph.release import Release, ThreadToolGate, ToolGate
from reflex_agentkit.adapters.langgraph.thread import Standing, Thread
from reflex_agentkit.agents.gate import current_gate

log = logging.getLogger("reflex_agentkit.langgraph")


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What every run of an agent shares. `names` are the names of nodes, as they become known."""

    graph: Any
    name: str
    config: RunnableConfig
    schemas: Mapping[str, dict[str, Any]]
    keys: Mapping[str, Sequence[str]]
    names: set[str]
    legacy: bool


class Turn:
    """One run."""

    def __init__(self, setup: Setup, run_input: RunAgentInput) -> None:
        self._setup = setup
        self._input = run_input
        self._thread = Thread(setup.graph, setup.config, run_input.thread_id, setup.names)
        self._planner = Planner(
            run_input,
            self._thread,
            setup.schemas,
            has_messages="messages" in setup.graph.channels,
            legacy=setup.legacy,
        )
        self._opened = Opened()
        self._usage: list[Any] = []
        self._fault: Exception | None = None
        self._began_again = False
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
        async for event in self._steps(step):
            self._opened.admit(event)
            yield event

    async def _prepare(self) -> Step | None:
        plan = self._plan = await self._planner.plan()
        if plan.legacy:
            answer = legacy_answer(plan.legacy)
            plan.step = AnswerAll(*answer) if answer else await self._planner.next()
        answers = plan.answers
        self._release = Release(answers.approved, current_gate(), self._input.thread_id, answers.refused)
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
            instead: Begin | None = None
            if self._filter.error is not None:
                again = await self._asked_again()
                instead = await self._instead(again)
                if again is None and instead is None:
                    async for event in self._fail():
                        yield event
                    return
                for event in self._opened.close():
                    yield event
                if again:
                    async for event in self._end(dict.fromkeys(again, self._said())):
                        yield event
                    return
            else:
                await self._release.settle((), self._filter.baseline.result_texts, "")
                if (await self._thread.standing()).open:
                    break
            self._filter.error = None
            for message in instead.messages if instead else ():
                if isinstance(message, ToolMessage):
                    yield self._filter.told(message)
            step = instead or await self._planner.next()
        async for event in self._end(self._release.stopped):
            yield event

    async def _graph_run(self, step: Step) -> AsyncGenerator[BaseEvent]:
        gate = ToolGate(self._release)
        run = GraphRun(
            name=self._setup.name,
            graph=self._setup.graph,
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
        self._setup.names.update(run.nodes)
        self._fault = run.fault
        if self._filter.finished is not None:
            self._usage.extend(self._filter.finished.usage or ())

    async def _asked_again(self) -> Collection[str] | None:
        """The interrupts to ask once more, since their step failed after they were answered.

        Empty where all of them had been cancelled: asking again would never end, so the turn is ended.
        `None` where the failure is about none of them.
        """
        standing = await self._thread.standing()
        again = set(standing.open) & set(self._plan.answers.values)
        await self._thread.forget(await self._thread.places(standing))
        await self._release.settle(again, self._filter.baseline.result_texts, self._said())
        if not again:
            return None
        if again <= self._plan.answers.cancelled:
            log.warning("a node raised when its question was cancelled; its turn is over: %s", self._said())
            await self._thread.end_turn()
            return None if await self._planner.next() is None else ()
        return again

    async def _instead(self, again: Collection[str] | None) -> Begin | None:
        """What to go on with where a call that a person refused was stopped, or its turn was ended."""
        refused = self._plan.answers.refused
        if again or self._began_again:
            return None
        if not self._release.denied and not (self._plan.answers.cancelled and refused):
            return None
        self._began_again = True  # once: what fails after it is another matter
        return await self._planner.instead({**self._filter.baseline.result_texts, **refused})

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
        for event in self._told(standing, pausing=bool(interrupts), afresh=bool(errors)):
            yield event
        yield finished(self._input.thread_id, self._input.run_id, interrupts, self._usage)

    async def _interrupts(self, standing: Standing, errors: Mapping[str, str]) -> list[Interrupt]:
        if not standing.open:
            if not self._setup.legacy:
                return []
            return legacy_interrupts(self._filter.legacy, self._input.run_id)
        places = await self._thread.places(standing)
        scene = self._planner.scene(standing, places, owners=self._filter.owners, errors=errors)
        return [found for one in standing.open.values() for found in asked(one, scene)]

    def _told(self, standing: Standing, *, pausing: bool, afresh: bool) -> Iterator[BaseEvent]:
        undelivered = [one for one in self._planner.news(standing) if one.role == "user"]
        return snapshots(
            standing,
            self._filter.baseline,
            keys=self._setup.keys["output"],
            told=None if afresh else self._filter.snapshot,
            undelivered=undelivered,
            pausing=pausing,
        )

    def _said(self) -> str:
        if self._fault is not None:
            return named(self._fault)
        return self._filter.error.message if self._filter.error else ""
