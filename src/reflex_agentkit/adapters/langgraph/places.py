"""Where an interrupt was asked, in whichever graph of a thread: learnt from the checkpoints alone.

A graph that a node or a tool calls is declared nowhere. An interrupt's id is made of the path to its task,
and a checkpoint names the nodes that its tasks may be of, so the path can be found.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME, TASKS
from langgraph.types import Interrupt

MAX_CALLS: Final = 9
"""How often one node may have called a graph for its interrupts to be found there."""

_TO_NODE: Final = "branch:to:"
_JOIN: Final = "join:"


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task that asked something. `answers` are those that it was given, `failed` whether it raised."""

    saved: CheckpointTuple
    id: str
    asked: tuple[Interrupt, ...]
    answers: list[Any]
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an interrupt was asked: the nodes that lead to it, and how many answers its task had before.

    That number is a guess where the checkpoints do not name the node (`known` is false): all but the last one
    if the task has raised. It is right after a run in which the task raised, and only then.
    """

    path: tuple[str, ...]
    task: Task
    answered: int
    known: bool = True

    @property
    def messages(self) -> list[Any]:
        """The messages of the graph that asked, which may be another than the thread's own."""
        values: dict[str, Any] = self.task.saved.checkpoint.get("channel_values") or {}
        held: Any = values.get("messages")
        return list(cast("list[Any]", held)) if isinstance(held, list) else []

    @property
    def broke_off(self) -> bool:
        """Whether the task was given an answer to this one that it did not come to its end with."""
        return self.known and len(self.task.answers) > self.answered

    @property
    def released(self) -> bool:
        """Whether the task may have gone on with an answer to this one before."""
        return self.broke_off or self.task.failed


class Places:
    """The places of one thread. `names` are the nodes that the thread's graph declares."""

    def __init__(self, saver: BaseCheckpointSaver[Any], thread_id: str, names: Collection[str]) -> None:
        self._saver = saver
        self._thread_id = thread_id
        self._names = names

    async def of(self, ids: Collection[str], nodes: Mapping[str, str]) -> dict[str, Place]:
        """Where these interrupts were asked, by id. `nodes` are the names of the thread's own tasks."""
        found: dict[str, Place] = {}
        async for place in self._search("", (), ids, nodes):
            for one in place.task.asked:
                if one.id in ids:
                    found.setdefault(one.id, place)
        return found

    async def forget(self, place: Place) -> None:
        """Take back what the task there was given for its last question."""
        task = place.task
        if len(task.answers) > place.answered:
            kept = task.answers[: place.answered]
            await self._saver.aput_writes(task.saved.config, [(RESUME, kept)], task.id)

    async def _search(
        self, ns: str, path: tuple[str, ...], wanted: Collection[str], nodes: Mapping[str, str]
    ) -> AsyncIterator[Place]:
        """The tasks that asked what is wanted, in the graph of a namespace and in those below it."""
        saved = await self._saved(ns)
        if saved is None:
            return
        for task in _tasks(saved):
            ids = {one.id for one in task.asked} & set(wanted)
            if not ids:
                continue
            names = [nodes[task.id]] if task.id in nodes else sorted({*_nodes_in(saved), *self._names})
            found = [place for name in names for place in _own(ns, path, task, name, ids)]
            if not found:
                found = [one for name in names async for one in self._below(ns, path, task, name, ids)]
            if not found:
                answered = len(task.answers) - (1 if task.failed and task.answers else 0)
                found = [Place(path=path, task=task, answered=answered, known=False)]
            for place in found:
                yield place

    async def _below(
        self, ns: str, path: tuple[str, ...], task: Task, name: str, ids: Collection[str]
    ) -> AsyncIterator[Place]:
        below = _joined(ns, f"{name}:{task.id}")
        for call in range(MAX_CALLS):
            inner = f"{below}|{call}" if call else below
            if call and await self._saved(inner) is None:
                return
            async for place in self._search(inner, (*path, name), ids, {}):
                yield place

    async def _saved(self, ns: str) -> CheckpointTuple | None:
        place = {"thread_id": self._thread_id, "checkpoint_ns": ns}
        return await self._saver.aget_tuple(cast("RunnableConfig", {"configurable": place}))


def _own(ns: str, path: tuple[str, ...], task: Task, name: str, ids: Collection[str]) -> list[Place]:
    """The places of those interrupts that a task asked itself, if it is of the node with this name."""
    at = _joined(ns, f"{name}:{task.id}")
    counts = [_answers_before(at, one_id, len(task.answers)) for one_id in ids]
    return [Place(path=(*path, name), task=task, answered=count) for count in counts if count is not None]


def _tasks(saved: CheckpointTuple) -> list[Task]:
    writes: dict[str, dict[str, Any]] = {}
    for task_id, channel, value in saved.pending_writes or ():
        writes.setdefault(task_id, {})[channel] = value
    return [
        Task(
            saved=saved,
            id=task_id,
            asked=tuple(_interrupts(held[INTERRUPT])),
            answers=list(held.get(RESUME) or ()),
            failed=ERROR in held,
        )
        for task_id, held in writes.items()
        if INTERRUPT in held
    ]


def _nodes_in(saved: CheckpointTuple) -> set[str]:
    """The nodes that a checkpoint knows of: those that a channel leads to, were sent to, or have run."""
    checkpoint = saved.checkpoint
    channels = [str(name) for name in checkpoint.get("channel_versions") or ()]
    sent: Any = (checkpoint.get("channel_values") or {}).get(TASKS) or ()
    return {
        *(name.removeprefix(_TO_NODE) for name in channels if name.startswith(_TO_NODE)),
        *(name.rpartition(":")[2] for name in channels if name.startswith(_JOIN)),
        *(str(one.node) for one in sent if hasattr(one, "node")),
        *(str(name) for name in checkpoint.get("versions_seen") or ()),
    }


def _interrupts(value: Any) -> list[Interrupt[Any]]:
    items = cast("list[Any]", value) if isinstance(value, list | tuple) else [value]
    return [cast("Interrupt[Any]", one) for one in items if isinstance(one, Interrupt)]


def _answers_before(ns: str, interrupt_id: str, most: int) -> int | None:
    """How many answers a task had when it asked; `None` where it was not this task that asked.

    An interrupt's id is made of its task's namespace and that number.
    """
    for answered in range(most + 1):
        at = f"{ns}|{answered}" if answered else ns
        if Interrupt.from_ns(None, at).id == interrupt_id:
            return answered
    return None


def _joined(ns: str, segment: str) -> str:
    return f"{ns}|{segment}" if ns else segment
