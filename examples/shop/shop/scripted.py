"""Stands in for a model, so that the example needs no key: it calls each tool whose word it reads."""

import json
import uuid
from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai.messages import ModelMessage, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

CALLS: dict[str, tuple[str, dict[str, Any]]] = {
    "tea": ("add_to_basket", {"article": "tea", "price": 4}),
    "cup": ("add_to_basket", {"article": "cup", "price": 9}),
    "pay": ("pay", {"amount": 13}),
    "size": ("choose_size", {"article": "cup"}),
    "sign": ("paint_sign", {"colour": "teal"}),
    "gift": ("gift_note", {"occasion": "a birthday"}),
}


async def _play(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
    parts = messages[-1].parts
    said = " ".join(str(part.content) for part in parts if isinstance(part, UserPromptPart)).casefold()
    results = [f"{part.tool_name}: {part.content}" for part in parts if isinstance(part, ToolReturnPart)]
    has = {tool.name for tool in info.function_tools}
    calls = [call for word, call in CALLS.items() if word in said and call[0] in has]
    yield "\n\n".join(results) or ("One moment. " if calls else f"Say one of: {', '.join(CALLS)}.")
    for place, (name, args) in enumerate(calls, 1):
        yield {place: DeltaToolCall(name, json.dumps(args), tool_call_id=f"call-{uuid.uuid4().hex[:12]}")}


scripted_model = FunctionModel(stream_function=_play, model_name="scripted")
