"""A scheduler on the OpenAI Agents SDK whose tool writes down what it was given."""

from __future__ import annotations

import json
import os
import uuid
from collections.abc import AsyncGenerator
from contextlib import aclosing
from contextvars import ContextVar
from pathlib import Path
from typing import Any

from ag_ui.core import BaseEvent, RunAgentInput
from agents import Agent, Model, ModelResponse, RunConfig, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call
from agents.tool_context import ToolContext

from reflex_agentkit import current_answer
from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent

_answers: ContextVar[dict[str, dict[str, Any]]] = ContextVar("meeting_answers")


@function_tool(needs_approval=True)
def schedule_meeting(ctx: ToolContext[Any], topic: str, attendee: str = "") -> str:
    """Schedule a meeting."""
    answer = _answers.get({}).get(ctx.tool_call_id, {})
    ours = current_answer()
    fact = {"kind": "scheduled", "topic": topic, "answer": answer, "current": ours.payload if ours else None}
    with Path(os.environ["AGENTKIT_TEST_LOG"]).open("a") as file:
        file.write(json.dumps(fact) + "\n")
    return f"Meeting with {attendee} scheduled for {answer.get('chosen_label')}: {topic}"


class SchedulerAgent(OpenAIAgentsAGUIAgent):
    async def run_streamed(self, input: RunAgentInput) -> AsyncGenerator[BaseEvent]:
        _answers.set(
            {one.interrupt_id: one.payload for one in input.resume or [] if isinstance(one.payload, dict)}
        )
        async with aclosing(super().run_streamed(input)) as events:
            async for event in events:
                yield event


class Speaking(Model):
    """Asks for a time, then says what the tool said."""

    async def get_response(self, *args: Any, **named: Any) -> ModelResponse:
        return await _step(args[1]).get_response(*args, **named)

    async def stream_response(self, *args: Any, **named: Any) -> AsyncGenerator[Any]:
        async for event in _step(args[1]).stream_response(*args, **named):
            yield event


def _step(items: Any) -> ScriptedModel:
    last = items[-1]
    if last.get("type") == "function_call_output":
        return ScriptedModel([[assistant_message(f"The tool said: {last['output'].splitlines()[0]}")]])
    args = {"topic": last["content"], "attendee": "Ann"}
    call_id = f"call-{uuid.uuid4().hex[:8]}"
    return ScriptedModel([[function_call("schedule_meeting", args, call_id=call_id)]])


agent = SchedulerAgent(
    Agent(name="scheduler", model=Speaking(), tools=[schedule_meeting]),
    run_config=RunConfig(tracing_disabled=True),
)
