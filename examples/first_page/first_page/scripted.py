"""Stands in for a model, so that the example needs no key: it books, and repeats what the tool gave."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel


async def _play(messages: list[ModelMessage], _info: AgentInfo) -> AsyncIterator[Any]:
    last = next(message for message in reversed(messages) if isinstance(message, ModelRequest))
    results = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    if results and not any(isinstance(part, UserPromptPart) for part in last.parts):
        yield f"The tool said: {results[-1].content}"
        return
    yield "I will book a hotel for you."
    call = {"city": "Lisbon", "nights": 2}
    yield {1: DeltaToolCall("book_hotel", json.dumps(call), tool_call_id=f"call-{uuid.uuid4().hex[:12]}")}


scripted_model = FunctionModel(stream_function=_play, model_name="scripted")
