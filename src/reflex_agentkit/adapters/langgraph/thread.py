"""What a graph's checkpoints say about a thread: what is open, where it was asked, what was asked before.

LangGraph keeps an answer before the node has taken it, and serves it again for ever. `Thread.forget` takes it
back, so that the same question is open again.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, cast

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.graph import END
from langgraph.types import Interrupt

from reflex_agentkit.adapters.langgraph.places import Place, Places

LOOK_BACK: Final = 200
"""How many checkpoints are read to find what was asked before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where a thread stands now, with what its finished tasks gave.

    `open` are the interrupts by id, `nodes` the names of the tasks by id, `asking` the tasks that asked.
    `unfinished`: it has a step to do. `edited`: the latest step was none of the graph's own; somebody wrote
    into the state, or its turn was ended.
    """

    open: Mapping[str, Interrupt]
    values: dict[str, Any]
    unfinished: bool
    nodes: Mapping[str, str]
    asking: frozenset[str] = frozenset()
    edited: bool = False
    config: RunnableConfig = field(default_factory=RunnableConfig)

    @property
    def messages(self) -> list[Any]:
        return list(self.values.get("messages") or ())


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One step of a thread's past: what was asked in it, and the messages that it began with."""

    asked: Sequence[Interrupt]
    messages: Sequence[Any]


class Thread:
    """One thread of a graph. `names` are the nodes that the graph and those that it declares have."""

    def __init__(self, graph: Any, config: RunnableConfig, thread_id: str, names: Collection[str]) -> None:
        self.graph = graph
        self.config = cast(
            "RunnableConfig",
            {**config, "configurable": {**config.get("configurable", {}), "thread_id": thread_id}},
        )
        saver: BaseCheckpointSaver[Any] = graph.checkpointer
        self._places = Places(saver, thread_id, names)

    async def standing(self) -> Standing:
        """What the thread's latest checkpoint says."""
        state = await self.graph.aget_state(self.config)
        tasks = state.tasks or ()
        return Standing(
            open={one.id: one for task in tasks for one in task.interrupts},
            values=dict(state.values or {}),
            unfinished=bool(tasks),
            nodes={task.id: task.name for task in tasks},
            asking=frozenset(task.id for task in tasks if task.interrupts),
            edited=cast("dict[str, Any]", state.metadata or {}).get("source") == "update",
            config=state.config,
        )

    async def places(self, standing: Standing) -> dict[str, Place]:
        """Where the open interrupts were asked, as far as it can be found."""
        return await self._places.of(standing.open.keys(), standing.nodes)

    async def forget(self, places: Mapping[str, Place], raised: Collection[str] = ()) -> None:
        """Take back answers that a task was given and did not go on with.

        `raised` are the interrupts whose tasks have raised just now.
        """
        for one_id, place in places.items():
            if place.known or one_id in raised:
                await self._places.forget(place)

    async def past(self, standing: Standing) -> AsyncIterator[Step]:
        """The steps that led here, the latest first; `LOOK_BACK` of them at most."""
        config: RunnableConfig | None = standing.config
        for _ in range(LOOK_BACK):
            if config is None or "checkpoint_id" not in config.get("configurable", {}):
                return
            state = await self.graph.aget_state({**self.config, **config})
            values: Any = state.values or {}
            held: Any = cast("dict[str, Any]", values).get("messages") if isinstance(values, dict) else None
            yield Step(
                asked=[one for task in state.tasks or () for one in task.interrupts],
                messages=list(cast("list[Any]", held)) if isinstance(held, list) else [],
            )
            config = state.parent_config

    async def asked_before(
        self, standing: Standing, ids: Collection[str]
    ) -> tuple[dict[str, Interrupt], bool]:
        """Interrupts of this thread by id, also those that were answered before; and whether that is all.

        It is not where the thread goes back farther than is looked.
        """
        found: dict[str, Interrupt] = {}
        steps = 0
        async for step in self.past(standing):
            steps += 1
            found.update({one.id: one for one in step.asked if one.id in ids})
            if len(found) == len(ids):
                break
        return found, steps < LOOK_BACK

    async def end_turn(self) -> None:
        """End what the graph was about to do; finished steps keep what they wrote."""
        await self.graph.aupdate_state(self.config, None, as_node=END)
