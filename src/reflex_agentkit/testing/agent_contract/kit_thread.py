"""One thread of a kit under the contract of agents: the engine in process, as every screen uses it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass
from typing import TypeAlias

import pytest
from ag_ui.core import ResumeEntry

from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.conversation import Conversation, RunStatus, ToolCall
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.verdicts import AnswerValue, Outcome, Refused
from reflex_agentkit.testing.agent_contract.subject import Subject
from reflex_agentkit.testing.fakes import CountingIds, FakeClock

Build: TypeAlias = Callable[[Subject], AGUIAgent]
"""Makes the agent under test around a subject."""


@dataclass(slots=True)
class KitThread:
    """One thread of a kit, with the subject behind its agent."""

    kit: AgentKit
    subject: Subject
    thread_id: str = "thread-1"

    async def send(self, text: str = "Book a hotel") -> list[PendingInterrupt]:
        """Say something; gives what is open when the run has ended."""
        await self.kit.send(self.thread_id, text)
        await self.wait()
        return await self.kit.pending(self.thread_id)

    async def answer(self, *answers: AnswerValue) -> RunStatus:
        """Answer what is open, in its order, and wait for the run."""
        pending = await self.kit.pending(self.thread_id)
        for one, answer in zip(pending, answers, strict=True):
            outcome = await self.kit.answer(one.id, answer, by="ann")
            assert not isinstance(outcome, Refused), outcome.message
        return await self.wait()

    async def resume(self, *entries: ResumeEntry) -> Outcome:
        """Answer the whole pause in one step."""
        outcome = await self.kit.resume(self.thread_id, entries, by="ann")
        await self.wait()
        return outcome

    async def wait(self) -> RunStatus:
        """Wait for the run. What the model was given is looked at every time."""
        status = await self.kit.wait(self.thread_id)
        assert self.subject.disorder() == []
        return status

    async def conversation(self) -> Conversation:
        """What the thread shows."""
        return await self.kit.conversation(self.thread_id)

    async def calls(self) -> dict[str, ToolCall]:
        """The thread's calls by id; the same call shown twice is an error."""
        calls = [call for message in (await self.conversation()).messages for call in message.tool_calls]
        found = {call.id: call for call in calls}
        assert len(found) == len(calls), "a call is in the transcript more than once"
        return found


OpenThread: TypeAlias = Callable[[Subject], Awaitable[KitThread]]


class BuildFixture:
    """What the subclass gives."""

    @pytest.fixture
    def build(self) -> Build:
        """Makes the agent under test around a subject."""
        raise NotImplementedError("give a function here that makes your agent around a Subject")


class KitFixtures(BuildFixture):
    """Threads of a kit around the agent under test."""

    @pytest.fixture
    async def open_thread(self, build: Build) -> AsyncIterator[OpenThread]:
        """Opens a thread with an agent around a subject."""
        async with AsyncExitStack() as stack:

            async def open_one(subject: Subject) -> KitThread:
                kit = AgentKit(build(subject), "memory:", clock=FakeClock(), ids=CountingIds())
                return KitThread(await stack.enter_async_context(kit), subject)

            yield open_one
