"""Stands in for a model, so that the example needs no key: it asks for a time, then says what came of it."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from agents import Model, ModelResponse
from agents.testing import ScriptedModel, assistant_message, function_call


class _Scripted(Model):
    async def get_response(self, instructions: Any, input: Any, *rest: Any, **named: Any) -> ModelResponse:
        return await _next_step(input).get_response(instructions, input, *rest, **named)

    async def stream_response(
        self, instructions: Any, input: Any, *rest: Any, **named: Any
    ) -> AsyncIterator[Any]:
        async for event in _next_step(input).stream_response(instructions, input, *rest, **named):
            yield event


def _next_step(items: Any) -> ScriptedModel:
    last = items[-1]
    if last.get("type") == "function_call_output":
        return ScriptedModel([[assistant_message(str(last["output"]).splitlines()[0])]])
    said = last["content"] if isinstance(last["content"], str) else ""
    topic, _, attendee = said.partition(" with ")
    args = {"topic": topic.strip() or "A meeting", "attendee": attendee.strip()}
    call = function_call("schedule_meeting", json.dumps(args), call_id=f"call-{uuid.uuid4().hex[:12]}")
    return ScriptedModel([[call]])


scripted_model = _Scripted()
