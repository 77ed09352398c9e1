"""The gate around calls with a yes: noted before an answer is handed to a node, or before LangChain's tool.

A node that asked goes on by itself, perhaps in a thread, where nothing can be waited for; so the gate is
asked before the answer is handed out. A tool that LangChain runs is stopped by a callback where it starts.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from typing import Any, TypeAlias, cast
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler
from langgraph.errors import GraphBubbleUp

from reflex_agentkit.adapters._notice import failure, named
from reflex_agentkit.adapters.langgraph.resume import Approved
from reflex_agentkit.agents.gate import CurrentAnswer, Gate, use_answer
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text

_Act: TypeAlias = Callable[[], Awaitable[Any]]


class Release:
    """What may run in one run, and what became of it."""

    def __init__(
        self,
        approved: Sequence[Approved],
        gate: Gate | None,
        thread_id: str,
        refused: Mapping[str, str] | None = None,
    ) -> None:
        self.stopped: dict[str, str] = {}
        """Interrupts whose answer was not handed out, and why."""
        self.handed: dict[str, CurrentAnswer] = {}
        """What each released call was answered, by call id."""
        self.denied: dict[str, str] = {}
        """Refused calls that would have run all the same, and what the model is told in their place."""
        self.broken: dict[str, tuple[str, str]] = {}
        """Calls whose tool raised under LangChain: the result that the model is told, and the error."""
        self._refused = dict(refused or {})
        self._handed_out = {one.call_id: one for one in approved if one.handed_out}
        self._tools = {one.call_id: one for one in approved if not one.handed_out}
        self._running: dict[str, Approved] = {}
        self._gate = gate
        self._thread_id = thread_id

    async def hand_out(self) -> None:
        """Ask the gate about every call whose answer goes to a node."""
        for one in self._handed_out.values():
            try:
                self.handed[one.call_id] = await self._begin(one, one.tool_name, one.args)
            except GateError as error:
                self.stopped[one.asked_by] = str(error)

    async def start(self, call_id: str, tool_name: str, args: dict[str, Any]) -> CurrentAnswer | None:
        """A tool is about to run; `None` where its call needed no yes in this run.

        Raises:
            GateError: it may not.
        """
        if call_id in self._refused:
            # LangChain asks its predicates again on resume, and may find that nobody had to be asked.
            self.denied[call_id] = self._refused[call_id]
            raise GateError(f"The call of {tool_name!r} was refused, so the tool did not run.")
        one = self._tools.get(call_id)
        if one is None:
            return None
        answer = await self._begin(one, tool_name, args)
        self._running[call_id] = one
        return answer

    async def done(self, call_id: str, text: str) -> None:
        """A call that was released came to its end."""
        if self._running.pop(call_id, None) is not None and self._gate is not None:
            await self._gate.done(call_id, text)

    async def raised(self, call_id: str, error: BaseException) -> None:
        """A tool that LangChain runs raised."""
        self.broken[call_id] = failure(error), named(error)
        await self.failed(call_id, named(error))

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
        if tool_name != one.tool_name or not json_text.same(args, one.args):
            raise GateError(f"The call of {tool_name!r} is not the one that was approved; it did not run.")
        key = hashlib.sha256(
            json_text.canonical([self._thread_id, one.asked_by, one.call_id]).encode()
        ).hexdigest()
        answer = CurrentAnswer(payload=one.payload, idempotency_key=key)
        if self._gate is not None:
            answer = await self._gate.begin(one.call_id, tool_name, args)
        self._running[one.call_id] = one
        return answer


class ToolGate(AsyncCallbackHandler):
    """Stands before tools that are run on the event loop."""

    raise_error = True
    run_inline = True

    def __init__(self, release: Release) -> None:
        self.loop = asyncio.get_running_loop()
        self.release = release
        self.seen: set[UUID] = set()
        self._running: dict[UUID, str] = {}

    def here(self) -> bool:
        return asyncio.get_running_loop() is self.loop

    async def on_tool_start(
        self, serialized: Any, *_: Any, run_id: UUID, inputs: Any = None, **more: Any
    ) -> None:
        if self.here():
            call_id = str(more.get("tool_call_id") or "")
            self.seen.add(run_id)
            if answer := await self.release.start(call_id, _name(serialized), inputs or {}):
                self._running[run_id] = call_id
                use_answer(answer)

    async def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            await self.release.done(call_id, _text(output))

    async def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            if not isinstance(error, GraphBubbleUp):
                await self.release.raised(call_id, error)


class ThreadToolGate(BaseCallbackHandler):
    """Stands before tools that a node runs in a thread: the gate is asked on the loop of the run."""

    raise_error = True
    run_inline = True

    def __init__(self, gate: ToolGate) -> None:
        self._gate = gate
        self._running: dict[UUID, str] = {}

    def on_tool_start(self, serialized: Any, *_: Any, run_id: UUID, inputs: Any = None, **more: Any) -> None:
        if run_id in self._gate.seen:
            return  # the other one was asked
        call_id = str(more.get("tool_call_id") or "")
        answer = self._wait(lambda: self._gate.release.start(call_id, _name(serialized), inputs or {}))
        if answer is not None:
            self._running[run_id] = call_id
            use_answer(answer)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            self._wait(lambda: self._gate.release.done(call_id, _text(output)))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        call_id = self._running.pop(run_id, None)
        if call_id and not isinstance(error, GraphBubbleUp):
            use_answer(None)
            self._wait(lambda: self._gate.release.raised(call_id, error))

    def _wait(self, act: _Act) -> Any:
        try:
            running = asyncio.get_running_loop()
        except RuntimeError:
            running = None
        if running is self._gate.loop:
            raise GateError(
                "A tool was called with `invoke` on the event loop; call it with `await ainvoke`."
            )

        async def acted() -> Any:
            return await act()

        return asyncio.run_coroutine_threadsafe(acted(), self._gate.loop).result()


def _name(serialized: Any) -> str:
    return str(cast("dict[str, Any]", serialized or {}).get("name") or "")


def _text(output: Any) -> str:
    content = getattr(output, "content", output)
    return content if isinstance(content, str) else str(content)
