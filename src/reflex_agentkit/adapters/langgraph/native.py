"""One run of a graph through ag-ui-langgraph, told exactly what to run and watched while it runs."""

from __future__ import annotations

from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from ag_ui.core import Interrupt, Message, RunAgentInput
from ag_ui.core import ToolMessage as ToolMessageOfAGUI
from ag_ui_langgraph import LangGraphAgent
from ag_ui_langgraph.utils import agui_messages_to_langchain, get_stream_payload_input
from langchain_core.messages import AIMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.config import merge_configs
from langgraph.types import Command, Overwrite

from reflex_agentkit.adapters.langgraph.middleware import is_request, wire_ids
from reflex_agentkit.adapters.langgraph.news import mended
from reflex_agentkit.adapters.langgraph.values import shared


@dataclass(frozen=True, slots=True, kw_only=True)
class Begin:
    """Run the graph from its start, with new messages and what changed in the shared state.

    `cut`: first end what it was about to do. `put_in` are results of calls that its messages have gone past;
    they are put where they belong, if the graph's messages can be written anew.
    """

    messages: Sequence[Message]
    changed: dict[str, Any]
    cut: bool = False
    put_in: Sequence[ToolMessageOfAGUI] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class GoOn:
    """Take up an unfinished step, or with `answers`, by interrupt id, the ones that wait for them."""

    answers: dict[str, Any] = field(default_factory=dict[str, Any])
    changed: dict[str, Any] = field(default_factory=dict[str, Any])


@dataclass(frozen=True, slots=True)
class AnswerAll:
    """Give one value to whatever waits: all that an interrupt of the older kind can be answered with."""

    value: Any


Step: TypeAlias = Begin | GoOn | AnswerAll


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposed:
    """A call as the model's whole message has it, with what the stream left out of it."""

    call_id: str
    name: str
    args: dict[str, Any]
    message_id: str


class GraphRun(LangGraphAgent):
    """One run. `results` and `proposed` are what the graph's own events told since they were last taken.

    The base class guesses from the messages what a run is for; here it is told by `step`.
    """

    def __init__(
        self,
        *,
        name: str,
        graph: Any,
        config: RunnableConfig,
        keys: Mapping[str, Sequence[str]],
        step: Step,
        callbacks: Sequence[Any],
    ) -> None:
        cast("Any", super()).__init__(
            name=name,
            graph=graph,
            config=merge_configs(config, cast("RunnableConfig", {"callbacks": list(callbacks)})),
            enable_legacy_on_interrupt_event=False,
            emit_interrupt_outcome=True,
            emit_raw_events=False,
            subagent_visibility="attributed",
        )
        self._step = step
        self._keys = keys
        self.fault: Exception | None = None
        self.results: list[ToolMessage] = []
        self.proposed: list[Proposed] = []
        self.first_args: dict[str, str] = {}
        """Arguments that came with the name of a call; the base class passes over them."""
        self.failures: dict[str, str] = {}
        """What tools said that failed and raised nothing, by call id."""

    async def prepare_stream(self, input: RunAgentInput, agent_state: Any, config: RunnableConfig) -> Any:
        active = cast("dict[str, Any]", self.active_run)
        active["schema_keys"] = self._keys
        values = dict(agent_state.values or {})
        kwargs = self.get_stream_kwargs(
            input=self._graph_input(input, values),
            config=config,
            subgraphs=True,
            version="v2",
        )
        # Each step is stored before the next one begins: what was told is then never ahead of the checkpoint.
        stream = cast("Any", self).graph.astream_events(**kwargs, durability="sync")
        state = {**values, **getattr(self._step, "changed", {})}
        return {"stream": self._watched(stream), "state": state, "config": config}

    def get_schema_keys(self, config: RunnableConfig) -> Any:  # noqa: ARG002 (the name is the base's)
        return self._keys

    def get_stream_kwargs(self, *args: Any, **kwargs: Any) -> dict[str, Any]:
        found: dict[str, Any] = super().get_stream_kwargs(*args, **kwargs)
        given: dict[str, Any] = found.pop("context", None) or {}
        context = {key: value for key, value in given.items() if key in self._keys["context"]}
        return {**found, "context": context} if context else found

    def get_state_snapshot(self, state: Any) -> Any:
        return shared(super().get_state_snapshot(state))

    def _interrupts_to_agui(self, lg_interrupts: Any) -> list[Interrupt]:
        # Only their ids and owners are read; what a person is asked is put together after the run.
        return [
            Interrupt(id=wire_id, reason="interrupt")
            for one in lg_interrupts
            for wire_id in (wire_ids(one.id, one.value) if is_request(one.value) else [one.id])
        ]

    def _graph_input(self, run_input: RunAgentInput, values: dict[str, Any]) -> Any:
        step = self._step
        if isinstance(step, AnswerAll):
            return Command(resume=step.value)
        if isinstance(step, GoOn):
            update = {key: value for key, value in step.changed.items() if key in self._keys["input"]}
            return Command(resume=step.answers, update=update or None) if step.answers else None
        given: dict[str, Any] = {**step.changed, "messages": values.get("messages") or []}
        messages = agui_messages_to_langchain(list(step.messages))
        merged: Any = cast("Any", self).langgraph_default_merge_state(given, messages, run_input)
        payload = get_stream_payload_input(mode="start", state=merged, schema_keys=cast("Any", self._keys))
        payload = dict(payload or {})
        if step.put_in:
            results = cast("list[ToolMessage]", agui_messages_to_langchain(list(step.put_in)))
            held = mended(values.get("messages") or (), {one.tool_call_id: one for one in results})
            payload["messages"] = Overwrite([*held, *payload.get("messages", ())])
        return payload

    async def _watched(self, stream: AsyncIterator[Any]) -> AsyncGenerator[Any]:
        try:
            async with aclosing(cast("AsyncGenerator[Any]", stream)) as events:
                async for event in events:
                    self._look_at(event)
                    yield event
        except Exception as error:
            self.fault = error
            raise

    def _look_at(self, event: Any) -> None:
        metadata: dict[str, Any] = event.get("metadata") or {}
        data: dict[str, Any] = event.get("data") or {}
        match event.get("event"):
            case "on_chat_model_stream":
                for chunk in getattr(data.get("chunk"), "tool_call_chunks", None) or ():
                    if chunk.get("id") and chunk.get("args"):
                        self.first_args.setdefault(chunk["id"], chunk["args"])
            case "on_chat_model_end" if metadata.get("emit-tool-calls", True) and not _by_subagent(metadata):
                self._note_calls(data.get("output"))
            case "on_tool_end":
                for message in _tool_messages(data.get("output")):
                    if message.status == "error":
                        self.failures[message.tool_call_id] = str(message.content)
            case "on_chain_end":
                self.results.extend(_tool_messages(data.get("output")))
            case _:
                return

    def _note_calls(self, message: Any) -> None:
        if not isinstance(message, AIMessage):
            return
        self.proposed.extend(
            Proposed(call_id=call["id"], name=call["name"], args=call["args"], message_id=str(message.id))
            for call in message.tool_calls
            if call["id"]
        )


def _by_subagent(metadata: Any) -> bool:
    """Whether an event is from an agent that a tool called: the integration tells its calls itself."""
    return bool(metadata.get("lc_agent_name")) and "|" in str(metadata.get("langgraph_checkpoint_ns") or "")


def _tool_messages(output: Any) -> list[ToolMessage]:
    """The tool messages that a node gave, in whichever of its forms; each of the latest call of its id.

    Some nodes give all messages of the state again, and an agent may use the id of a call again.
    """
    if isinstance(output, ToolMessage):
        return [output]
    if isinstance(output, Command):
        return _tool_messages(cast("Command[Any]", output).update)
    if isinstance(output, dict):
        return _tool_messages(cast("dict[str, Any]", output).get("messages"))
    if isinstance(output, list | tuple):
        found: list[ToolMessage] = []
        for one in cast("list[Any]", output):
            again = {call["id"] for call in getattr(one, "tool_calls", None) or ()}
            found = [*(known for known in found if known.tool_call_id not in again), *_tool_messages(one)]
        return found
    return []
