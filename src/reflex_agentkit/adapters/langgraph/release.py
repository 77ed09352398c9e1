"""The gate around calls with a yes: noted before an answer is handed to a node, or before LangChain's tool.

A node that asked goes on by itself, perhaps in a thread, where nothing can be waited for; so the gate is
asked before the answer is handed out. A tool that LangChain runs is stopped by a callback where it starts.
"""

from __future__ import annotations

import hashlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from langgraph.errors import GraphInterrupt

from reflex_agentkit.adapters._notice import failure, interruption, named
from reflex_agentkit.adapters.langgraph.approval import Released
from reflex_agentkit.adapters.langgraph.resume import Answers, Approved
from reflex_agentkit.adapters.langgraph.values import same
from reflex_agentkit.agents.gate import CurrentAnswer, Gate
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text

PUSH: Final = "__pregel_push"
"""How the path of a task begins that was sent to its node, as LangGraph writes it."""


class KeptBack(GraphInterrupt):
    """Stops a tool that must not run. To LangGraph it is a pause without a question: the others go on."""

    def __init__(self) -> None:
        super().__init__(())


@dataclass(frozen=True, slots=True, kw_only=True)
class Where:
    """The task in which a tool starts. `alone`: it was sent there for one call."""

    path: str = ""
    alone: bool = False

    @classmethod
    def of(cls, metadata: Any) -> Where:
        """Read what LangGraph says to callbacks."""
        given = cast("dict[str, Any]", metadata or {})
        path: Any = given.get("langgraph_path") or ("",)
        return cls(path=str(given.get("langgraph_checkpoint_ns") or ""), alone=path[0] == PUSH)

    @property
    def task(self) -> str:
        """The id of the task of the thread's own graph."""
        return self.path.split("|")[0].rpartition(":")[2]


class Release:
    """What may run in one run, and what became of it.

    `spent` are calls that were asked about before and have no yes left, `asking` the tasks that are answered:
    a tool that asks something itself starts anew with its answer.
    """

    def __init__(
        self,
        answers: Answers,
        gate: Gate | None,
        thread_id: str,
        *,
        spent: Collection[str] = (),
        asking: Collection[str] = (),
    ) -> None:
        self.stopped: dict[str, str] = {}
        """Interrupts whose answer was not handed out, and why."""
        self.handed: dict[str, Released] = {}
        """What each call was released with, by call id."""
        self.kept_back: set[str] = set()
        """Calls that would have run without a yes."""
        self.broken: dict[str, tuple[str, str]] = {}
        """Calls whose tool raised under LangChain: the result that the model is told, and the error."""
        self.started: set[str] = set()
        """All calls whose tools began."""
        self._refused = answers.kept_back
        self._handed_out = {one.call_id: one for one in answers.approved if one.handed_out}
        self._tools = {one.call_id: one for one in answers.approved if not one.handed_out}
        self._spent = spent
        self._asking = asking
        self._running: dict[str, Approved] = {}
        self._begun: dict[str, str] = {}
        self._gate = gate
        self._thread_id = thread_id

    async def hand_out(self) -> None:
        """Ask the gate about every call whose answer goes to a node."""
        for one in self._handed_out.values():
            try:
                answer = await self._begin(one, one.tool_name, one.args)
                self.handed[one.call_id] = Released(answer=answer, args=one.args)
            except GateError as error:
                self.stopped[one.asked_by] = str(error)

    async def start(
        self, call_id: str, tool_name: str, args: dict[str, Any], where: Where
    ) -> CurrentAnswer | None:
        """A tool is about to run; `None` where its call needed no yes in this run.

        Raises:
            GateError: it may not, and its step fails.
            KeptBack: it may not, and what runs beside it goes on.
        """
        # LangChain asks its predicates again on resume, and may find that nobody had to be asked.
        if call_id in self._refused or (call_id in self._spent and not self._goes_on(where)):
            self.kept_back.add(call_id)
            raise KeptBack
        one = self._tools.get(call_id)
        if one is None or self._begun.get(call_id, where.path) != where.path:
            # Not asked about; or the id of a call that has run, used again for another one.
            self.started.add(call_id)
            return None
        if call_id in self._begun:
            raise GateError(f"The call of {tool_name!r} began before; it does not run twice under one yes.")
        self._begun[call_id] = where.path
        answer = await self._begin(one, tool_name, args)
        self.started.add(call_id)
        return answer

    def _goes_on(self, where: Where) -> bool:
        """Whether the task waits for the answer to a question that this very call can have asked."""
        return where.task in self._asking and (where.alone or len(self._spent) == 1)

    async def done(self, call_id: str, text: str) -> None:
        """A call that was released came to its end."""
        if self._running.pop(call_id, None) is not None and self._gate is not None:
            await self._gate.done(call_id, text)

    async def raised(self, call_id: str, error: BaseException) -> None:
        """A tool that LangChain runs raised."""
        self.broken[call_id] = failure(error), named(error)
        await self.failed(call_id, named(error))

    async def paused(self, call_id: str) -> None:
        """A tool that LangChain runs has asked something. It began, so its yes is spent."""
        await self.done(call_id, interruption())

    async def failed(self, call_id: str, error: str) -> None:
        """A call that was released raised."""
        if self._running.pop(call_id, None) is not None and self._gate is not None:
            await self._gate.failed(call_id, error)

    async def settle(self, again: Collection[str], results: Mapping[str, str], error: str) -> None:
        """After the graph: what is not asked `again` has its step stored; the step of the others failed."""
        for call_id, one in list(self._running.items()):
            if one.asked_by in again:
                await self.failed(call_id, error)
            elif one.handed_out or not error:
                await self.done(call_id, results.get(call_id, ""))

    async def _begin(self, one: Approved, tool_name: str, args: dict[str, Any]) -> CurrentAnswer:
        if tool_name != one.tool_name or not same(args, one.args):
            raise GateError(
                f"A call of {one.tool_name!r} was approved, and a call of {tool_name!r} with "
                f"{'the same' if same(args, one.args) else 'other'} arguments would run; it did not."
            )
        key = hashlib.sha256(
            json_text.canonical([self._thread_id, one.asked_by, one.call_id]).encode()
        ).hexdigest()
        answer = CurrentAnswer(payload=one.payload, idempotency_key=key)
        if self._gate is not None:
            answer = await self._gate.begin(one.call_id, tool_name, args)
        self._running[one.call_id] = one
        return answer
