"""One run of a flow as CrewAI runs it. All that leans on CrewAI's insides is here.

The events of a run come from CrewAI's own scoped sink, as the objects that they are: its public frames cut
values at a depth, and there is no stream of a resumed flow.
"""

from __future__ import annotations

import asyncio
import contextvars
import functools
import inspect
import logging
from collections import Counter
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping
from typing import Any, Final

from ag_ui.core import BaseEvent
from crewai.events.stream_context import add_stream_sink
from crewai.events.utils.console_formatter import set_suppress_console_output
from crewai.flow import Flow
from crewai.flow.async_feedback import HumanFeedbackPending, PendingFeedbackContext

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.crewai.journal import Step, decoded
from reflex_agentkit.adapters.crewai.provider import agui_feedback_provider
from reflex_agentkit.adapters.crewai.scene import Scene, enter, is_own_fault, is_unseen

log = logging.getLogger("reflex_agentkit.crewai")

NO_CONSOLE: Final = (
    "Flow.ask() cannot wait for a person here: it would block a thread and be lost with the process. It "
    "gives None. Ask with @human_feedback."
)
_CHAINS: Final = ("_execute_start_method", "_execute_single_listener")
Kept = Callable[[str, int, Any], Awaitable[None]]


class FlowRun:
    """Runs one copy of a flow. After `events`, `output`, `pauses` and `error` say what came of it.

    `steps` are the calls of methods that finished before, which give their result and do not run; `keep` is
    told of each that finishes now. `act` starts the flow or goes on with it.
    """

    def __init__(
        self,
        flow: Any,
        act: Callable[[Any], Awaitable[Any]],
        *,
        steps: Collection[Step],
        keep: Kept,
    ) -> None:
        self.flow = flow
        self.output: Any = None
        self.error: Exception | None = None
        self.pauses: list[PendingFeedbackContext] = []
        self.last_method = ""
        self._act = act
        self._keep = keep
        self._known = {(step.method, step.at): step.result for step in steps}
        self._counts: Counter[str] = Counter()
        self._chains: set[asyncio.Task[Any]] = set()
        self._depth: Counter[asyncio.Task[Any]] = Counter()
        self._quiet = asyncio.Event()
        self._queue: asyncio.Queue[tuple[Any, Any] | BaseEvent | None] = asyncio.Queue()
        self._loop = asyncio.get_running_loop()
        self._prepare()

    def tell(self, event: BaseEvent) -> None:
        """Put an event between those of CrewAI, from whichever thread."""
        self._loop.call_soon_threadsafe(self._queue.put_nowait, event)

    async def events(self, scene: Scene) -> AsyncGenerator[tuple[Any, Any] | BaseEvent]:
        """CrewAI's events with their sources, and the flow's own, in order."""
        context = contextvars.copy_context()
        context.run(enter, scene)
        context.run(add_stream_sink, self._sink)
        # Its boxes are for a terminal that is the flow's own.
        context.run(set_suppress_console_output, True)
        task = asyncio.create_task(self._go(), context=context)
        task.add_done_callback(lambda _: self._queue.put_nowait(None))
        try:
            while (item := await self._queue.get()) is not None:
                yield item
        finally:
            scene.over = True
            for one in (task, *self._chains):
                one.cancel()
            await asyncio.gather(task, *self._chains, return_exceptions=True)

    async def _go(self) -> None:
        try:
            self.output = await self._act(self.flow)
        except BaseException as error:
            self.error = _as_fault(error, "The flow")
        # What runs beside a step that asked or failed goes on without CrewAI waiting for it.
        while self._chains:
            self._quiet.clear()
            await self._quiet.wait()
        if isinstance(self.output, HumanFeedbackPending):
            self.output = None

    def _sink(self, source: Any, event: Any) -> None:
        if event.type == "method_execution_started" and source is self.flow:
            self.last_method = str(event.method_name)
        if event.type.startswith("llm_") and is_unseen():
            return
        self._loop.call_soon_threadsafe(self._queue.put_nowait, (source, event))

    def _prepare(self) -> None:
        flow = self.flow
        flow.stream = False
        # The state is put together here, and CrewAI would print that it found none.
        flow._skip_persistence_restore = True
        if flow.input_provider is None:
            flow.input_provider = NoConsole()
        resolve: Callable[[Any], Any] = flow._resolve_feedback_provider

        def watched(definition: Any) -> _Watched:
            return _Watched(resolve(definition), self.pauses)

        flow._resolve_feedback_provider = watched
        for name, method in list(flow._methods.items()):
            flow._methods[name] = self._stepped(str(name), method)
        for name in _CHAINS:
            setattr(flow, name, self._chained(getattr(flow, name)))

    def _stepped(self, name: str, method: Callable[..., Any]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(method)
        async def stepped(*args: Any, **kwargs: Any) -> Any:
            at = self._counts[name]
            self._counts[name] += 1
            if (name, at) in self._known:
                return decoded(self._known[name, at])
            try:
                if inspect.iscoroutinefunction(method):
                    result = await method(*args, **kwargs)
                else:
                    result = await asyncio.to_thread(method, *args, **kwargs)
                    if asyncio.iscoroutine(result):
                        result = await result
            except BaseException as error:
                raise _as_fault(error, f"The step {name!r}") from error.__cause__
            await self._keep(name, at, result)
            return result

        return stepped

    def _chained(self, chain: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        @functools.wraps(chain)
        async def chained(*args: Any, **kwargs: Any) -> Any:
            task = asyncio.current_task()
            assert task is not None, "CrewAI runs its methods in tasks"
            self._depth[task] += 1
            self._chains.add(task)
            try:
                return await chain(*args, **kwargs)
            except HumanFeedbackPending:
                raise
            except Exception as error:
                # Of steps side by side CrewAI tells the first error only.
                self.error = self.error or error
                raise
            finally:
                self._depth[task] -= 1
                if not self._depth[task]:
                    del self._depth[task]
                    self._chains.discard(task)
                    self._quiet.set()

        return chained


def _as_fault(error: BaseException, what: str) -> Exception:
    """An error as the flow's own; what stops the run from outside is raised on."""
    if isinstance(error, Exception):
        return error
    if not is_own_fault(error):
        raise error
    return RuntimeError(f"{what} ended by itself with {named(error)}")


class NoConsole:
    """In place of CrewAI's console, which would wait for the server's standard input."""

    def request_input(self, message: str, flow: Any, metadata: Any = None) -> str | None:  # noqa: ARG002
        """No answer."""
        log.error("flow %s asked %r. %s", type(flow).__name__, message, NO_CONSOLE)
        return None


class _Watched:
    """The provider of a method, whichever it is; notes what it paused for."""

    def __init__(self, provider: Any, pauses: list[PendingFeedbackContext]) -> None:
        self._provider = provider or agui_feedback_provider
        self._pauses = pauses

    def request_feedback(self, context: PendingFeedbackContext, flow: Any) -> Any:
        try:
            given = self._provider.request_feedback(context, flow)
        except HumanFeedbackPending as pending:
            self._pauses.append(pending.context)
            raise
        return self._waited(given) if asyncio.iscoroutine(given) else given

    async def _waited(self, given: Awaitable[Any]) -> Any:
        try:
            return await given
        except HumanFeedbackPending as pending:
            self._pauses.append(pending.context)
            raise


def paused_flow(make: Callable[[Any], Any], held: Any, thread_id: str) -> Any:
    """A copy of the flow as it was when it paused."""

    def copied(*, persistence: Any, **_: Any) -> Any:
        return make(persistence)

    # CrewAI restores by calling the class; here the flow may come from a factory, or from an instance.
    restore: Any = Flow.from_pending
    return restore.__func__(copied, thread_id, held)


def said_at_last(flow: Any, output: Any, last_method: str) -> str | None:
    """What a flow's result says to a person; `None` where it is no text, or only a router's word."""
    definition = flow._definition.methods.get(last_method)
    if definition is not None and definition.router:
        return None
    raw = getattr(output, "raw", output)
    return raw if isinstance(raw, str) and raw.strip() else None


def asking_methods(definition: Any) -> frozenset[str]:
    """The methods of a flow that ask a person, by CrewAI's definition of it."""
    methods: Mapping[Any, Any] = definition.methods
    return frozenset(str(name) for name, one in methods.items() if one.human_feedback is not None)
