"""What a graph's checkpoints say about a thread: what is open, where it was asked, what was answered before.

LangGraph keeps an answer before the node has taken it, and serves it again for ever. `Thread.forget` takes it
back, so that the same question is open again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping
from dataclasses import dataclass
from typing import Any, Final, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT, RESUME
from langgraph.graph import END
from langgraph.types import Interrupt

MIDDLEWARE_NODES: Final = ("HumanInTheLoopMiddleware.after_model", "model", "tools")
"""Nodes of agents that are called inside a tool; no graph lists them."""

MAX_CALLS: Final = 9
"""How often one node may have called a graph for its interrupts to be found there."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """One task that asked something, in whichever graph of the thread."""

    saved: CheckpointTuple
    id: str
    asked: tuple[Interrupt, ...]
    answers: list[Any]
    failed: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where an interrupt was asked: the nodes that lead to it, and how many answers its task had before."""

    path: tuple[str, ...]
    task: Task
    answered: int

    @property
    def messages(self) -> list[Any]:
        """The messages of the graph that asked, which may be another than the thread's own."""
        values: dict[str, Any] = self.task.saved.checkpoint.get("channel_values") or {}
        held: Any = values.get("messages")
        return list(cast("list[Any]", held)) if isinstance(held, list) else []


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a thread stands now: what is open by id, the graph's values, whether it has a step to do."""

    open: Mapping[str, Interrupt]
    values: dict[str, Any]
    unfinished: bool
    nodes: Mapping[str, str]

    @property
    def messages(self) -> list[Any]:
        return list(self.values.get("messages") or ())


class Thread:
    """One thread of a graph. `names` are the names of nodes that are known to lie in it."""

    def __init__(self, graph: Any, config: RunnableConfig, thread_id: str, names: Collection[str]) -> None:
        self.graph = graph
        self.config = cast(
            "RunnableConfig",
            {**config, "configurable": {**config.get("configurable", {}), "thread_id": thread_id}},
        )
        self._thread_id = thread_id
        self._names = names
        self._saver: BaseCheckpointSaver[Any] = graph.checkpointer

    async def standing(self) -> Standing:
        """What the thread's latest checkpoint says."""
        state = await self.graph.aget_state(self.config)
        tasks = state.tasks or ()
        return Standing(
            open={one.id: one for task in tasks for one in task.interrupts},
            values=dict(state.values or {}),
            unfinished=bool(state.next),
            nodes={task.id: task.name for task in tasks},
        )

    async def places(self, standing: Standing) -> dict[str, Place]:
        """Where the open interrupts were asked, as far as it can be found."""
        found: dict[str, Place] = {}
        wanted = set(standing.open)
        async for place in self._search("", (), wanted, standing.nodes):
            for one in place.task.asked:
                if one.id in wanted:
                    found.setdefault(one.id, place)
        return found

    async def forget(self, places: Mapping[str, Place]) -> None:
        """Take back answers that a task was given and did not go on with."""
        for place in places.values():
            task = place.task
            if len(task.answers) > place.answered:
                kept = task.answers[: place.answered]
                await self._saver.aput_writes(task.saved.config, [(RESUME, kept)], task.id)

    async def asked_before(self, ids: Collection[str]) -> dict[str, Interrupt]:
        """Interrupts of this thread by id, also those that were answered long ago."""
        found: dict[str, Interrupt] = {}
        config = cast("RunnableConfig", {"configurable": {"thread_id": self._thread_id}})
        async for saved in self._saver.alist(config):
            for task in _tasks(saved):
                found.update({one.id: one for one in task.asked if one.id in ids})
            if len(found) == len(ids):
                break
        return found

    async def end_turn(self) -> None:
        """End what the graph was about to do; finished steps keep what they wrote."""
        await self.graph.aupdate_state(self.config, None, as_node=END)

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
            names = [nodes[task.id]] if task.id in nodes else list(self._names)
            own = False
            for name in names:
                below = _joined(ns, f"{name}:{task.id}")
                for one_id in ids:
                    answered = _answers_before(below, one_id, len(task.answers))
                    if answered is not None:
                        own = True
                        yield Place(path=(*path, name), task=task, answered=answered)
            if own:
                continue
            for name in names:
                async for place in self._search_below(_joined(ns, f"{name}:{task.id}"), (*path, name), ids):
                    yield place

    async def _search_below(
        self, ns: str, path: tuple[str, ...], wanted: Collection[str]
    ) -> AsyncIterator[Place]:
        for call in range(MAX_CALLS):
            inner = f"{ns}|{call}" if call else ns
            if call and await self._saved(inner) is None:
                return
            async for place in self._search(inner, path, wanted, {}):
                yield place

    async def _saved(self, ns: str) -> CheckpointTuple | None:
        place = {"thread_id": self._thread_id, "checkpoint_ns": ns}
        return await self._saver.aget_tuple(cast("RunnableConfig", {"configurable": place}))


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
