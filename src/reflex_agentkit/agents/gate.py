"""The gate before a tool: what was approved is what runs.

An adapter calls `current_gate()` around every tool that needed a yes. The body behind it lives with the run
engine; an agent that is run without an engine has no gate, and the adapter goes by the resume it was given.
"""

from __future__ import annotations

from collections.abc import Collection, Generator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class CurrentAnswer:
    """What a person answered to the call that is running.

    `payload` is the whole answer (`{"approved": True, "chosen_time": ...}`); `idempotency_key` names this
    call and stays the same when it is run again after a crash, so a service that honours such keys acts once.
    """

    payload: Any
    idempotency_key: str


class Gate(Protocol):
    """Compares what is about to run with what was decided, and notes begin and end."""

    async def begin(self, tool_call_id: str, tool_name: str, args: dict[str, Any]) -> CurrentAnswer:
        """Let the call begin, once.

        Raises:
            GateError: no yes covers this call, its arguments are not the approved ones, or it began before.
        """
        ...

    async def done(self, tool_call_id: str, result_text: str) -> None:
        """The tool gave a result."""
        ...

    async def failed(self, tool_call_id: str, error: str) -> None:
        """The tool raised."""
        ...

    async def hand_over(self, interrupt_ids: Collection[str]) -> None:
        """These answers leave now for an agent whose tools stand behind no gate.

        They are named by the ids of the run's input (`resume`). From here on nobody can know that an approved
        call has not begun.

        Raises:
            GateError: the run was ended, or one of these answers was handed over or taken before.
        """
        ...

    async def hand_back(self, interrupt_ids: Collection[str]) -> None:
        """These answers were refused unseen: no call began, and they still stand."""
        ...


_gate: ContextVar[Gate | None] = ContextVar("reflex_agentkit_gate", default=None)
_answer: ContextVar[CurrentAnswer | None] = ContextVar("reflex_agentkit_answer", default=None)


def current_gate() -> Gate | None:
    """The gate of the run that this code belongs to; `None` without an engine."""
    return _gate.get()


def use_gate(gate: Gate | None) -> Token[Gate | None]:
    """Set the gate for the running task."""
    return _gate.set(gate)


def current_answer() -> CurrentAnswer | None:
    """Inside a running approved tool: what the person answered. `None` anywhere else."""
    return _answer.get()


def use_answer(answer: CurrentAnswer | None) -> None:
    """Set what `current_answer()` gives in the rest of the running task: a node of a graph, say."""
    _answer.set(answer)


@contextmanager
def answering(answer: CurrentAnswer | None) -> Generator[None]:
    """While the block runs, `current_answer()` gives this answer."""
    token = _answer.set(answer)
    try:
        yield
    finally:
        _answer.reset(token)
