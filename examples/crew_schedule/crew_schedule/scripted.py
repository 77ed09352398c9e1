"""Stands in for a model, so that the example needs no key: it asks for a time, then says what was chosen."""

import json
import uuid
from typing import Any

from crewai.llms.base_llm import BaseLLM, llm_call_context


class ScriptedModel(BaseLLM):
    """Streams as CrewAI's own models do: by `LLMStreamChunkEvent`."""

    def call(self, messages: Any, *_: Any, **__: Any) -> str | list[dict[str, Any]]:
        with llm_call_context():
            last = messages[-1]
            if last["role"] != "tool":
                return [self._call(f"call-{uuid.uuid4().hex[:12]}", {"topic": str(last["content"])[:60]})]
            meeting = json.loads(last["content"])
            said = "Cancelled; nothing is booked." if meeting["cancelled"] else f"Booked: {meeting['label']}."
            for piece in (said[:9], said[9:]):
                self._emit_stream_chunk_event(piece)
            return said

    def _call(self, call_id: str, arguments: dict[str, str]) -> dict[str, Any]:
        text = json.dumps(arguments)
        call = {
            "id": call_id,
            "type": "function",
            "function": {"name": "schedule_meeting", "arguments": text},
        }
        self._emit_stream_chunk_event(text, tool_call={**call, "index": 0})
        return call


scripted_model = ScriptedModel(model="scripted")
