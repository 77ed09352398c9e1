"""What one run knows, for the code of the flow that runs in it."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from ag_ui.core import BaseEvent, ToolCallResultEvent

from reflex_agentkit.adapters.crewai.asked import Given
from reflex_agentkit.agents.gate import CurrentAnswer
from reflex_agentkit.errors import ConfigurationError

ToolStatus: TypeAlias = Literal["done", "failed", "rejected", "responded", "cancelled", "expired", "in_doubt"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """What a call gave. `error` is set where its tool raised."""

    text: str
    status: ToolStatus = "done"
    error: str | None = None


@dataclass(slots=True, kw_only=True)
class Scene:
    """One run of a flow. `tell` puts an event into its stream, from whichever thread; `new_id` names it."""

    new_id: Callable[[str], str]
    tell: Callable[[BaseEvent], None]
    method: str | None = None
    """The method whose pause was answered."""
    given: Sequence[Given] = ()
    handed: dict[str, CurrentAnswer] = field(default_factory=dict[str, CurrentAnswer])
    """What each released call was answered, by call id."""
    stopped: dict[str, str] = field(default_factory=dict[str, str])
    """Approved calls that are not released, and why."""
    results: dict[str, Result] = field(default_factory=dict[str, Result])
    """What calls gave, in this run or before."""

    def tell_result(self, call_id: str, result: Result) -> None:
        """Tell what a call gave, once."""
        if call_id in self.results:
            return
        self.results[call_id] = result
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
