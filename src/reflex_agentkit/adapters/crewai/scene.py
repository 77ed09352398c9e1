"""What one run knows, for the code of the flow that runs in it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Generator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from ag_ui.core import BaseEvent, ToolCallResultEvent

from reflex_agentkit.adapters.crewai.asked import Given
from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.errors import ConfigurationError

RefusedStatus: TypeAlias = Literal["rejected", "responded", "cancelled", "expired", "in_doubt", "stopped"]
ToolStatus: TypeAlias = Literal["done", "failed"] | RefusedStatus


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a call gave. `error` is set where its tool raised."""

    text: str
    status: ToolStatus = "done"
    error: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Handed:
    """A call that was released: the arguments that were approved, and what the person answered."""

    args: dict[str, Any]
    answer: CurrentAnswer


@dataclass(frozen=True, slots=True, kw_only=True)
class Stop:
    """Why an approved call is not released."""

    reason: str
    status: Literal["in_doubt", "stopped"]


@dataclass(slots=True, kw_only=True)
class Scene:
    """One run of a flow. `tell` puts an event into its stream, from whichever thread; `new_id` names it."""

    new_id: Callable[[str], str]
    tell: Callable[[BaseEvent], None]
    method: str | None = None
    """The method whose pause was answered."""
    given: Sequence[Given] = ()
    handed: dict[str, Handed] = field(default_factory=dict[str, Handed])
    """The released calls, by call id."""
    stopped: dict[str, Stop] = field(default_factory=dict[str, Stop])
    """Approved calls that are not released, and why."""
    results: dict[str, Result] = field(default_factory=dict[str, Result])
    """What calls gave, in this run or before."""
    over: bool = False
    """The run has ended, also where a thread of it goes on: no tool begins any more."""
    _begun: dict[str, Future[Result]] = field(default_factory=dict[str, "Future[Result]"])
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def begin(self, call_id: str) -> tuple[Future[Result], bool]:
        """What a call will have given, and whether it is the caller who is to find out."""
        with self._guard:
            if call_id in self._begun:
                return self._begun[call_id], False
            call = self._begun[call_id] = Future[Result]()
            call.set_running_or_notify_cancel()
            return call, True

    def tell_result(self, call_id: str, result: Result) -> None:
        """Tell what a call gave, once."""
        if self.results.setdefault(call_id, result) is not result:
            return
        self.tell(
            ToolCallResultEvent(
                message_id=self.new_id("result"),
                tool_call_id=call_id,
                content=result.text,
                role="tool",
                metadata={"error": result.error} if result.error else None,
            )
        )


_scene: ContextVar[Scene | None] = ContextVar("reflex_agentkit_crewai_scene", default=None)
_unseen: ContextVar[bool] = ContextVar("reflex_agentkit_crewai_unseen", default=False)


def enter(scene: Scene) -> None:
    """Make it the scene of the running context."""
    _scene.set(scene)


def current_scene() -> Scene:
    """The scene of the run that this code belongs to.

    Raises:
        ConfigurationError: the flow is not run by a `CrewAIFlowAGUIAgent`.
    """
    scene = _scene.get()
    if scene is None:
        raise ConfigurationError(
            "This reads or tells something of a run of CrewAIFlowAGUIAgent, and the flow is not run by one. "
            "Give the flow to the agent, and send it a message."
        )
    return scene


@contextmanager
def unseen() -> Generator[None]:
    """What models say while the block runs is not shown: a classification, or a structured answer."""
    token = _unseen.set(True)
    try:
        yield
    finally:
        _unseen.reset(token)


def is_unseen() -> bool:
    """Whether what models say now is kept from the screen."""
    return _unseen.get()


def is_own_fault(error: BaseException) -> bool:
    """Whether code failed by itself, and is not stopped from outside.

    A tool may raise `CancelledError` for something inside it, or leave like a program: taken for a stop, the
    first would end the flow as if all were well, and the second would end the server.
    """
    if isinstance(error, asyncio.CancelledError):
        task = asyncio.current_task() if on_a_loop() else None
        return task is None or not task.cancelling()
    return isinstance(error, Exception | SystemExit)


def on_a_loop() -> bool:
    """Whether this code runs on an event loop, and would hold it up by waiting."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True
