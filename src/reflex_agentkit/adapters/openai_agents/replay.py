"""A pause, made again from the conversation, so that it can be answered.

Nothing of a pause lives in the agent object. Its calls are played again to stand-ins for the agent and its
tools: a model that says what the real one said, tools that give what the real ones gave. The SDK stops where
it stopped before, and its state is handed to the real agents.
"""

from __future__ import annotations

import copy
from collections.abc import AsyncIterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from agents import (
    Agent,
    FunctionTool,
    Handoff,
    Model,
    ModelResponse,
    RunConfig,
    RunContextWrapper,
    Runner,
    RunState,
    ToolApprovalItem,
    ToolOutputFileContent,
    ToolOutputImage,
    ToolOutputText,
    Usage,
)
from agents.items import TResponseOutputItem, TResponseStreamEvent
from agents.tool_context import ToolContext
from pydantic import TypeAdapter

from reflex_agentkit.adapters.openai_agents.content import given
from reflex_agentkit.adapters.openai_agents.history import Past, items_of
from reflex_agentkit.adapters.openai_agents.internals import (
    agent_of_tool,
    set_arguments,
    target_of,
    with_agent,
    written_state,
)
from reflex_agentkit.adapters.openai_agents.numbers import exact_text
from reflex_agentkit.adapters.openai_agents.records import Record
from reflex_agentkit.errors import ConfigurationError

_OUTPUT: TypeAdapter[Any] = TypeAdapter(TResponseOutputItem)
_QUIET = RunConfig(tracing_disabled=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """What to play again. `records` are those of the agent tools among the open calls, by call id."""

    past: Past
    records: Mapping[str, Record] = field(default_factory=dict[str, Record])


async def paused_state(
    agent: Agent[Any], pause: Pause, context: RunContextWrapper[Any], max_turns: int | None
) -> RunState[Any, Agent[Any]]:
    """The SDK's state at the pause, for the real agent.

    Raises:
        ConfigurationError: the agents are not any more what they were at the pause, so that it comes out
            otherwise.
    """
    past = pause.past
    calls = [
        {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.args_text}
        for call in past.turn
    ]
    outputs = {call_id: _output(given(content)) for call_id, content in past.results.items()}
    done: set[str] = set()
    stage = _Stage(outputs, pause.records, context, done)
    opener = await stage.agent(agent, _Playback([calls]))
    before = items_of(past.before)
    played = await Runner.run(opener, cast("Any", before), run_config=_QUIET, max_turns=max_turns)
    while known := [item for item in played.interruptions if item.call_id in done]:
        # A call whose arguments the SDK could not read waits whatever its policy says.
        state = played.to_state()
        for item in known:
            state.approve(item)
        played = await Runner.run(opener, state, run_config=_QUIET)
    if not played.interruptions:
        raise ConfigurationError(
            f"The pause of {agent.name!r} could not be taken up: its calls do not wait any more. Were its "
            "tools changed while a person was asked?"
        )
    written = written_state(played)
    # The SDK writes an assistant's words in a form that its own Chat Completions models do not read.
    written["original_input"] = before
    state = await RunState.from_json(agent, written, context_override=context)
    if sorted(map(_named, state.get_interruptions())) != sorted(map(_named, played.interruptions)):
        raise ConfigurationError(
            f"The pause of {agent.name!r} could not be taken up: not all its calls came back."
        )
    return state


class _Playback(Model):
    """A model that says what another one said."""

    def __init__(self, turns: Sequence[Sequence[dict[str, Any]]]) -> None:
        self._turns = [[_OUTPUT.validate_python(item) for item in turn] for turn in turns]

    async def get_response(self, *_args: Any, **_kwargs: Any) -> ModelResponse:
        if not self._turns:
            raise ConfigurationError("The pause could not be taken up: it did not come where it came before.")
        return ModelResponse(output=self._turns.pop(0), usage=Usage(), response_id=None)

    def stream_response(self, *_args: Any, **_kwargs: Any) -> AsyncIterator[TResponseStreamEvent]:
        raise NotImplementedError("a pause is not streamed")


class _Stage:
    """Makes the stand-ins for one run: `outputs` are what its calls gave, `records` its nested runs."""

    def __init__(
        self,
        outputs: Mapping[str, Any],
        records: Mapping[str, Record],
        context: RunContextWrapper[Any],
        done: set[str],
    ) -> None:
        done.update(outputs)
        self._done = done
        self._outputs = outputs
        self._records = records
        self._context = context
        self._agents: dict[int, Agent[Any]] = {}

    async def agent(self, real: Agent[Any], playback: Model) -> Agent[Any]:
        if id(real) not in self._agents:
            made = self._agents[id(real)] = Agent(name=real.name, model=playback)
            tools = [
                tool for tool in await real.get_all_tools(self._context) if isinstance(tool, FunctionTool)
            ]
            made.tools = [await self._tool(tool) for tool in tools]
            made.handoffs = [await self._handoff(one, playback) for one in real.handoffs]
        return self._agents[id(real)]

    async def _tool(self, tool: FunctionTool) -> FunctionTool:
        """The stand-in for a tool. That for an agent tool plays the nested run of each of its calls."""
        nested = agent_of_tool(tool)
        records: Mapping[str, Record] = self._records if nested is not None else {}

        async def invoke(ctx: ToolContext[Any], text: str) -> Any:
            call_id = ctx.tool_call_id
            if call_id not in self._outputs and nested is not None:
                record = records[call_id]
                if record.edited is not None:
                    text = exact_text(record.edited, tool.params_json_schema)
                    set_arguments(ctx, text)
                run = await self._nested(tool, nested, record)
                return await run.on_invoke_tool(ctx, text)
            return self._outputs[call_id]

        async def waits(_ctx: Any, _args: dict[str, Any], call_id: str) -> bool:
            return call_id not in self._outputs and call_id not in records

        made = copy.copy(tool)
        made.on_invoke_tool, made.needs_approval, made.is_enabled = invoke, waits, True
        made.tool_input_guardrails = made.tool_output_guardrails = made.timeout_seconds = None
        return made

    async def _nested(self, tool: FunctionTool, nested: Agent[Any], record: Record) -> FunctionTool:
        outputs = {call_id: _output(output) for call_id, output in record.outputs.items()}
        stage = _Stage(outputs, record.nested, self._context, self._done)
        opener = await stage.agent(nested, _Playback(record.turns))
        return with_agent(
            tool, opener, on_stream=None, run_config=_QUIET, hooks=None, session=None, conversation_id=None
        )

    async def _handoff(self, given_one: Any, playback: Model) -> Any:
        if not isinstance(given_one, Handoff):
            return await self.agent(cast("Agent[Any]", given_one), playback)
        handoff = copy.copy(cast("Handoff[Any, Any]", given_one))
        target = target_of(cast("Handoff[Any, Any]", given_one))

        async def invoke(_ctx: RunContextWrapper[Any], _text: str) -> Agent[Any]:
            assert target is not None, "a handoff that leads nowhere known is not played"
            return await self.agent(target, playback)

        handoff.on_invoke_handoff, handoff.input_filter, handoff.is_enabled = invoke, None, True
        return handoff


def _named(item: ToolApprovalItem) -> tuple[str, str, str]:
    return item.call_id or "", item.tool_name or "", item.arguments or ""


def _output(value: Any) -> Any:
    """What a tool gave, from the SDK's own parts, as a tool gives it."""
    if not isinstance(value, list):
        return value
    made: list[Any] = []
    for part in cast("list[dict[str, Any]]", value):
        kept = {key: item for key, item in part.items() if key != "type"}
        match part.get("type"):
            case "input_image":
                made.append(ToolOutputImage(**kept))
            case "input_file":
                made.append(ToolOutputFileContent(**kept))
            case _:
                made.append(ToolOutputText(text=str(kept.get("text", ""))))
    return made
