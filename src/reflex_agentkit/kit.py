"""`AgentKit`: the one object behind every screen, endpoint, terminal and test.

It puts the parts together and owns their life; the rules are below it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from types import TracebackType
from typing import Any, Self

from ag_ui.core import BaseEvent, ResumeEntry, RunAgentInput, Tool, UserMessage

from reflex_agentkit.agents.base import AGUIAgent, check_agent
from reflex_agentkit.clock import Clock, SystemClock
from reflex_agentkit.errors import ConfigurationError, RefusedError
from reflex_agentkit.ids import Ids, RandomIds
from reflex_agentkit.protocol.conversation import Conversation, RunStatus
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.unicode import sendable
from reflex_agentkit.protocol.verdicts import AnswerValue, Outcome
from reflex_agentkit.records.principal import LOCAL_USER, Principal
from reflex_agentkit.records.thread import ThreadRecord
from reflex_agentkit.review.desk import Desk
from reflex_agentkit.runs.engine import Engine
from reflex_agentkit.runs.feed import Feed, PublishedStore, Watched
from reflex_agentkit.runs.setting import Setting, setting
from reflex_agentkit.store.base import Store
from reflex_agentkit.store.opening import open_store

log = logging.getLogger("reflex_agentkit")

SWEEP_SECONDS = 1.0
"""How often the clock looks for interrupts whose time ran out."""


class AgentKit:
    """An agent with everything that a person needs to stop it, look, and decide.

    `agent` is anything with `run(run_input)`. `store` is where threads and decisions are kept: `None` or
    `"memory:"` keeps them in the process, so a restart loses them, which `durable` says.
    Use it as `async with kit:`, or call `start` and `stop`. Nothing is alive before `start`.

    Raises:
        ConfigurationError: `agent` is no agent, or `store` names no store.
    """

    def __init__(
        self,
        agent: AGUIAgent | None = None,
        store: Store | str | None = None,
        *,
        clock: Clock | None = None,
        ids: Ids | None = None,
    ) -> None:
        if agent is not None:
            check_agent(agent)
        self._agent = agent
        self._clock = clock or SystemClock()
        self._ids = ids or RandomIds()
        stored = open_store(store)
        self._feed = Feed(stored)
        self._store = PublishedStore(stored, self._feed)
        self._desk = Desk(self._store, self._clock, self._ids)
        self._engine = Engine(
            store=self._store, feed=self._feed, desk=self._desk, clock=self._clock, ids=self._ids
        )
        self._sweeper: asyncio.Task[None] | None = None

    @property
    def durable(self) -> bool:
        """Whether threads, interrupts and decisions outlive the process."""
        return self._store.durable

    async def start(self) -> None:
        """Get ready. A second call changes nothing."""
        if self._sweeper is None:
            self._sweeper = asyncio.create_task(self._sweep(), name="reflex_agentkit: deadlines")
            await self._store.start()

    async def stop(self) -> None:
        """End every run, store what they said, let go of the store."""
        sweeper, self._sweeper = self._sweeper, None
        if sweeper is not None:
            sweeper.cancel()
            await asyncio.wait({sweeper})
            await self._engine.stop()
            await self._store.stop()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.stop()

    async def send(
        self,
        thread_id: str,
        text: str,
        *,
        user: str | None = None,
        agent: AGUIAgent | None = None,
        tools: Sequence[Tool] = (),
        asking: Collection[str] = (),
    ) -> str:
        """Say something in a thread, which is made where it does not exist; gives the run's id at once.

        `user` owns a new thread. `agent` takes the kit's place in this thread. `tools` are client tools for
        the model; of those, a person answers the ones named in `asking`.

        Raises:
            RefusedError: `already_running`, or `awaiting_input` while something is open. Nothing was sent.
        """
        chosen = await self._begin(thread_id, text, user, agent, tools, asking)
        by = Principal(user) if user else LOCAL_USER
        return await self._engine.send(thread_id, self._message(text), chosen, by=by)

    async def cancel_and_send(
        self,
        thread_id: str,
        text: str,
        *,
        by: str | Principal = LOCAL_USER,
        user: str | None = None,
        agent: AGUIAgent | None = None,
        tools: Sequence[Tool] = (),
        asking: Collection[str] = (),
    ) -> str:
        """Cancel what is open (or running) and say something; the agent is told both in one run."""
        chosen = await self._begin(thread_id, text, user, agent, tools, asking)
        said = self._message(text)
        return await self._engine.send(thread_id, said, chosen, by=_principal(by), instead_of_answer=True)

    async def wait(self, thread_id: str) -> RunStatus:
        """Come back when no run of the thread is going on; gives its status."""
        await self.start()
        return await self._engine.wait(thread_id)

    async def pending(self, thread_id: str | None = None) -> list[PendingInterrupt]:
        """What is open in a thread, or in all, in the order it came; in a pause approvals come first."""
        await self.start()
        return [record.pending for record in await self._store.interrupts(thread_id, states={"open"})]

    async def answer(
        self,
        interrupt_id: str,
        answer: AnswerValue,
        *,
        by: str | Principal,
        seen: str | None = None,
        thread_id: str | None = None,
        agent: AGUIAgent | None = None,
    ) -> Outcome:
        """Answer one interrupt. The last answer of a pause starts the run that carries them all.

        `seen` is the digest of what the person was shown (`protocol.digest.seal`); another one is refused as
        `changed`. With `thread_id` an interrupt of another thread is unknown. Gives `Waiting`, `Ready` or
        `Refused`; a refusal changes nothing.
        """
        await self.start()
        record = await self._store.interrupt(interrupt_id)
        chosen = self._setting(record.thread_id if record else "", agent)
        return await self._engine.answer(
            interrupt_id, answer, chosen, by=_principal(by), seen=seen, thread_id=thread_id
        )

    async def resume(self, thread_id: str, entries: Sequence[ResumeEntry], *, by: str | Principal) -> Outcome:
        """Answer a whole pause with AG-UI resume entries: all of it, or nothing is recorded."""
        await self.start()
        return await self._engine.resume(thread_id, entries, self._setting(thread_id), by=_principal(by))

    async def follow(self, thread_id: str, after: int = 0) -> AsyncIterator[tuple[int, BaseEvent]]:
        """The AG-UI events of a thread with a number above `after`.

        The stored ones, then each as it comes.
        """
        await self.start()
        async for item in self._feed.follow(thread_id, after):
            yield item

    def watch(self, thread_id: str) -> AbstractAsyncContextManager[Watched]:
        """Watch a thread's fold: for screens, which want the newest and not every step."""
        return self._feed.watch(thread_id)

    async def conversation(self, thread_id: str) -> Conversation:
        """What the thread shows now."""
        await self.start()
        return await self._engine.conversation(thread_id)

    async def cancel(self, thread_id: str, *, by: str | Principal = LOCAL_USER) -> None:
        """Stop the run; while paused, cancel what is open. Starts nothing: the next run tells the agent.

        Approved calls that the stopped run had not begun wait: `retry` goes on with them, a new message takes
        them back.
        """
        await self.start()
        await self._engine.cancel(thread_id, by=_principal(by))

    async def retry(self, thread_id: str, *, agent: AGUIAgent | None = None) -> str:
        """Try again what failed or was stopped: the answers stand, and a tool that ran does not run again.

        Raises:
            RefusedError: `nothing_to_retry`, `already_running` or `awaiting_input`.
        """
        await self.start()
        return await self._engine.retry(thread_id, self._setting(thread_id, agent))

    async def set_state(self, thread_id: str, state: Any, *, user: str | None = None) -> None:
        """Replace the thread's shared state; the next run gets it.

        Raises:
            RefusedError: `already_running`.
        """
        await self.start()
        await self._make_thread(thread_id, user)
        await self._engine.set_state(thread_id, state)

    async def thread(self, thread_id: str) -> ThreadRecord | None:
        """One thread, or `None`."""
        await self.start()
        return await self._store.thread(thread_id)

    async def threads(self, user: str | None = None) -> list[ThreadRecord]:
        """The threads of a user, or all; the latest changed first."""
        await self.start()
        return await self._store.threads(user)

    async def expire_due(self) -> None:
        """Decide what is out of time.

        Runs by itself every second; a test that moved the clock may call it.
        """
        found = await self._store.interrupts(states={"open", "decided"})
        due = [r for r in found if r.state == "decided" or r.pending.expires_at is not None]
        for thread_id in dict.fromkeys([*self._engine.unended(), *(r.thread_id for r in due)]):
            try:
                await self._engine.expire(thread_id, self._setting(thread_id))
            except Exception:
                # One thread that cannot go on must not keep the others from it.
                log.exception("what ran out of time in thread %r could not be decided", thread_id)

    async def _sweep(self) -> None:
        while True:
            await self._clock.sleep(SWEEP_SECONDS)
            try:
                await self.expire_due()
            except Exception:
                log.exception("looking for interrupts that ran out of time failed; trying again")

    async def _begin(
        self,
        thread_id: str,
        text: str,
        user: str | None,
        agent: AGUIAgent | None,
        tools: Sequence[Tool],
        asking: Collection[str],
    ) -> Setting:
        if not text.strip():
            raise RefusedError("empty", "Write something first.")
        await self.start()
        await self._make_thread(thread_id, user)
        return setting(agent or self._agent or _NoAgent(), tools, asking)

    async def _make_thread(self, thread_id: str, user: str | None) -> None:
        now = self._clock.now()
        made = ThreadRecord(id=thread_id, user=user or "", title="", created_at=now, updated_at=now)
        await self._store.create_thread(made)

    def _setting(self, thread_id: str, agent: AGUIAgent | None = None) -> Setting:
        known = self._engine.setting_of(thread_id)
        if known is not None and (agent is None or agent is known.agent):
            return known
        return setting(agent or self._agent or _NoAgent())

    def _message(self, text: str) -> UserMessage:
        return UserMessage(id=self._ids.new("msg"), content=sendable(text))


class _NoAgent:
    """Stands where no agent is known, so that the run that needs one says what is missing."""

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        raise ConfigurationError(
            f"no agent is known for thread {run_input.thread_id!r}: give the kit one, AgentKit(agent), "
            "or name one with the call"
        )
        yield  # pragma: no cover - makes this an async generator


def _principal(by: str | Principal) -> Principal:
    return by if isinstance(by, Principal) else Principal(by)
