"""One AG-UI run of an agent: one or more runs of the flow, told as one."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from contextlib import aclosing

from ag_ui.core import (
    PROTOCOL_VERSION,
    BaseEvent,
    Interrupt,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StateSnapshotEvent,
    TokenUsage,
    ToolCallResultEvent,
    ToolMessage,
)
from crewai.flow.async_feedback import PendingFeedbackContext

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.crewai.asked import asked, pause_id
from reflex_agentkit.adapters.crewai.attempt import Attempt, Setup
from reflex_agentkit.adapters.crewai.chat_state import dumped, user_ids
from reflex_agentkit.adapters.crewai.heard import Heard
from reflex_agentkit.adapters.crewai.journal import Journal
from reflex_agentkit.adapters.crewai.plan import (
    Answer,
    Begin,
    BeginAgain,
    Drop,
    Planner,
    Step,
    Tell,
    cannot_go_on,
)
from reflex_agentkit.adapters.crewai.release import untold
from reflex_agentkit.adapters.crewai.scene import Result
from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.errors import ConfigurationError, GateError, InvalidAnswerError

log = logging.getLogger("reflex_agentkit.crewai")


class Turn:
    """One run."""

    def __init__(self, setup: Setup, run_input: RunAgentInput) -> None:
        self._setup = setup
        self._input = run_input
        self._thread_id = run_input.thread_id
        self._gate = current_gate()
        trusted = self._gate is not None
        self._planner = Planner(run_input, setup.persistence, setup.shelf, setup.methods, trusted=trusted)
        self._heard = Heard()
        self._usage: list[TokenUsage] = []
        self._made = 0
        self._over = False

    async def events(self) -> AsyncGenerator[BaseEvent]:
        """The events of the run. What cannot be taken ends in RUN_ERROR before the flow runs."""
        thread_id, run_id = self._thread_id, self._input.run_id
        yield RunStartedEvent(thread_id=thread_id, run_id=run_id, protocol_version=PROTOCOL_VERSION)
        try:
            plan = await asyncio.to_thread(self._planner.plan)
        except Exception as error:
            log.info("run %s could not start: %s", run_id, error)
            yield self._failed(error)
            return
        async with aclosing(self._follow(plan)) as events:
            async for event in events:
                self._heard.admit(event)
                yield event

    async def _follow(self, plan: Step) -> AsyncGenerator[BaseEvent]:
        while True:
            if isinstance(plan, Tell):
                yield self._finished(asked(plan.context) if plan.context is not None else ())
                return
            told = self._dropped(plan) if isinstance(plan, Drop) else self._attempted(plan)
            async with aclosing(told) as events:
                async for event in events:
                    yield event
            if self._over:
                return
            if not self._planner.news():
                yield self._finished(())
                return
            plan = Begin()  # what the person said with the answers

    async def _attempted(self, plan: Begin | Answer | BeginAgain) -> AsyncGenerator[BaseEvent]:
        news = self._planner.news()
        attempt = Attempt(self._setup, self._input, self._opened(plan), self._gate, self._new_id)
        try:
            async with aclosing(attempt.events(plan, self._heard, news)) as events:
                async for event in events:
                    yield event
            self._usage += attempt.usage
            if attempt.error is not None:
                await attempt.save()
                raise attempt.error
            interrupts = await self._stored(attempt)
        except Exception as error:
            log.warning("run %s failed: %s", self._input.run_id, named(error))
            self._over = True
            yield self._failed(error, attempt.journal)
            return
        for event in self._results(untold(attempt.scene)):
            yield event
        await attempt.release_rest()
        state = attempt.shared_state()
        if state or self._input.state:
            yield StateSnapshotEvent(snapshot=state or {})
        if interrupts:
            self._over = True
            yield self._finished(interrupts)

    async def _dropped(self, plan: Drop) -> AsyncGenerator[BaseEvent]:
        """End what the thread waits for, or what broke off."""
        await asyncio.to_thread(self._setup.persistence.clear_pending_feedback, self._thread_id)
        await asyncio.to_thread(self._setup.shelf.save, self._thread_id, self._planner.journal)
        for event in self._results(plan.results.items()):
            yield event

    def _opened(self, plan: Begin | Answer | BeginAgain) -> Journal:
        """The thread's record for a run of the flow that begins now, or that is gone on with."""
        before = self._planner.journal
        if isinstance(plan, Begin):
            self._planner.journal = before.began(told=user_ids(self._input.messages))
        elif isinstance(plan, Answer) and not plan.again:
            news = {one.id for one in self._planner.news()}
            told = [one for one in user_ids(self._input.messages) if one not in news]
            calls = {one.request.tool_call_id for one in plan.given}
            results = [
                one.id
                for one in self._input.messages
                if isinstance(one, ToolMessage) and one.tool_call_id in calls
            ]
            self._planner.journal = before.began(
                told=told, before=results, pause=pause_id(plan.context), answers=plan.entries
            )
        return self._planner.journal

    async def _stored(self, attempt: Attempt) -> Sequence[Interrupt]:
        """Store the flow's end or its pause, and then that its run is over; gives what is open.

        Raises:
            ConfigurationError: it waits for two answers at once, or its request cannot be read.
        """
        interrupts: Sequence[Interrupt] = ()
        persistence = self._setup.persistence
        try:
            if attempt.pauses:
                interrupts = await asyncio.to_thread(self._store_pause, attempt)
            else:
                await asyncio.to_thread(persistence.clear_pending_feedback, self._thread_id)
                await asyncio.to_thread(self._keep_state, attempt)
        except ConfigurationError:
            await asyncio.to_thread(persistence.clear_pending_feedback, self._thread_id)
            await self._closed()
            raise
        await self._closed()
        return interrupts

    def _store_pause(self, attempt: Attempt) -> Sequence[Interrupt]:
        context, persistence = _only(attempt), self._setup.persistence
        persistence.save_pending_feedback(self._thread_id, context, attempt.flow.state)
        # Asked as it is read back: a store turns a tuple into a list, say, and then asks something else.
        found = persistence.load_pending_feedback(self._thread_id)
        if found is None:
            raise ConfigurationError(f"{type(persistence).__name__} did not keep the pause of the flow.")
        try:
            return asked(found[1])
        except ValueError as error:
            raise ConfigurationError(
                f"What {context.method_name!r} asks cannot be shown to a person: {error}"
            ) from error

    async def _closed(self) -> None:
        journal = self._planner.journal = self._planner.journal.ended()
        await asyncio.to_thread(self._setup.shelf.save, self._thread_id, journal)

    def _keep_state(self, attempt: Attempt) -> None:
        try:
            state = dumped(attempt.flow)
        except Exception as error:
            # The next run begins with what is shared, as any flow does that stores nothing.
            log.warning("the state of thread %s is not kept: %s", self._thread_id, named(error))
            return
        self._setup.persistence.save_state(self._thread_id, "reflex-agentkit", state)

    def _results(self, results: Iterable[tuple[str, Result]]) -> Iterator[BaseEvent]:
        for call_id, result in results:
            yield ToolCallResultEvent(
                message_id=self._new_id("result"), tool_call_id=call_id, content=result.text, role="tool"
            )

    def _new_id(self, what: str) -> str:
        """An id that is used once in this thread."""
        self._made += 1
        return f"{self._input.run_id}-{what}-{self._made}"

    def _finished(self, interrupts: Sequence[Interrupt]) -> RunFinishedEvent:
        return RunFinishedEvent(
            thread_id=self._thread_id,
            run_id=self._input.run_id,
            usage=self._usage or None,
            outcome=RunFinishedInterruptOutcome(interrupts=list(interrupts))
            if interrupts
            else RunFinishedSuccessOutcome(),
        )

    def _failed(self, error: Exception, journal: Journal | None = None) -> RunErrorEvent:
        code: str | None = None
        if isinstance(error, InvalidAnswerError):
            code = error.code
        elif isinstance(error, GateError | ConfigurationError):
            code = "gate" if isinstance(error, GateError) else "configuration"
        message = str(error).strip() or named(error)
        if journal is not None and journal.open and journal.unkept:
            message = f"{message}\n{cannot_go_on(journal)}"
        return RunErrorEvent(message=message, code=code, usage=self._usage or None)


def _only(attempt: Attempt) -> PendingFeedbackContext:
    """The one pause of a flow."""
    methods = sorted({one.method_name for one in attempt.pauses})
    if len(attempt.pauses) > 1:
        raise ConfigurationError(
            f"The flow asks in {' and '.join(map(repr, methods))} at the same time, and CrewAI keeps one "
            "pause of a flow. Ask one after the other, or return a list of requests from one method."
        )
    return attempt.pauses[0]
