"""LangChain's callbacks at a tool's start and end: where the release is asked before a tool that it runs."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast
from uuid import UUID

from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler
from langgraph.errors import GraphBubbleUp

from reflex_agentkit.adapters.langgraph.release import Release, Where
from reflex_agentkit.agents.gate import use_answer
from reflex_agentkit.errors import GateError

_Act: TypeAlias = Callable[[], Awaitable[Any]]


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
        self, serialized: Any, *_: Any, run_id: UUID, inputs: Any = None, metadata: Any = None, **more: Any
    ) -> None:
        if self.here():
            call_id = str(more.get("tool_call_id") or "")
            self.seen.add(run_id)
            where = Where.of(metadata)
            if answer := await self.release.start(call_id, _name(serialized), inputs or {}, where):
                self._running[run_id] = call_id
                use_answer(answer)

    async def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            await self.release.done(call_id, _text(output))

    async def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            await _ended(self.release, call_id, error)


class ThreadToolGate(BaseCallbackHandler):
    """Stands before tools that a node runs in a thread: the gate is asked on the loop of the run."""

    raise_error = True
    run_inline = True

    def __init__(self, gate: ToolGate) -> None:
        self._gate = gate
        self._running: dict[UUID, str] = {}

    def on_tool_start(
        self, serialized: Any, *_: Any, run_id: UUID, inputs: Any = None, metadata: Any = None, **more: Any
    ) -> None:
        if run_id in self._gate.seen:
            return  # the other one was asked
        call_id, where = str(more.get("tool_call_id") or ""), Where.of(metadata)
        answer = self._wait(lambda: self._gate.release.start(call_id, _name(serialized), inputs or {}, where))
        if answer is not None:
            self._running[run_id] = call_id
            use_answer(answer)

    def on_tool_end(self, output: Any, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            self._wait(lambda: self._gate.release.done(call_id, _text(output)))

    def on_tool_error(self, error: BaseException, *, run_id: UUID, **_: Any) -> None:
        if call_id := self._running.pop(run_id, None):
            use_answer(None)
            self._wait(lambda: _ended(self._gate.release, call_id, error))

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


async def _ended(release: Release, call_id: str, error: BaseException) -> None:
    if isinstance(error, GraphBubbleUp):
        await release.paused(call_id)
    elif isinstance(error, Exception):
        await release.raised(call_id, error)
    # A tool that was stopped halfway is left as begun: nobody knows whether it took effect.


def _name(serialized: Any) -> str:
    return str(cast("dict[str, Any]", serialized or {}).get("name") or "")


def _text(output: Any) -> str:
    content = getattr(output, "content", output)
    return content if isinstance(content, str) else str(content)
