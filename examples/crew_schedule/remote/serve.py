"""The flow on CrewAI's own AG-UI package, in an environment of its own: `pip install ag-ui-crewai uvicorn`.

    python serve.py            # then, where Reflex is: AGENT_URL=http://127.0.0.1:8001/ reflex run

With MODEL it asks a real model through LiteLLM; without, a scripted one.
"""

import json
import os
import sys
import uuid
from pathlib import Path
from typing import Any

os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")

import litellm
import uvicorn
from ag_ui_crewai import (
    CopilotKitState,
    add_crewai_flow_fastapi_endpoint,
    agui_feedback_provider,
    copilotkit_emit_tool_result,
    copilotkit_stream,
)
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from fastapi import FastAPI
from litellm.types.utils import GenericStreamingChunk
from pydantic import Field

sys.path.insert(0, str(Path(__file__).parents[1]))
from crew_schedule.slots import candidate_slots

MODEL = os.environ.get("MODEL", "scripted/model")
INSTRUCTIONS = (
    "You schedule meetings. When the user wants one, call schedule_meeting with a short topic. After its "
    "result, confirm the time in one sentence, or say that it was cancelled."
)
SCHEDULE_MEETING = {
    "type": "function",
    "function": {
        "name": "schedule_meeting",
        "description": "Ask the user to choose a meeting time.",
        "parameters": {
            "type": "object",
            "properties": {"topic": {"type": "string"}, "attendee": {"type": "string"}},
            "required": ["topic"],
        },
    },
}


class ScriptedModel(litellm.CustomLLM):
    async def astreaming(self, *_: Any, **options: Any) -> Any:
        last = options["messages"][-1]
        if last["role"] == "tool":
            meeting = json.loads(last["content"])
            yield chunk(
                "Cancelled; nothing is booked." if meeting["cancelled"] else f"Booked: {meeting['label']}."
            )
            yield chunk("", end="stop")
            return
        text = json.dumps({"topic": str(last["content"])[:60]})
        for call_id, name, arguments in (
            (f"call-{uuid.uuid4().hex[:12]}", "schedule_meeting", ""),
            (None, None, text),
        ):
            function = {"name": name, "arguments": arguments}
            yield chunk("", {"id": call_id, "type": "function", "function": function, "index": 0})
        yield chunk("", end="tool_calls")


def chunk(text: str, call: Any = None, end: str = "") -> GenericStreamingChunk:
    return GenericStreamingChunk(
        text=text, is_finished=bool(end), finish_reason=end, usage=None, index=0, tool_use=call
    )


litellm.custom_provider_map = [{"provider": "scripted", "custom_handler": ScriptedModel()}]


class ScheduleState(CopilotKitState):
    pending_tool_call_id: str | None = None
    meeting: dict[str, Any] = Field(default_factory=dict)


class ScheduleFlow(Flow[ScheduleState]):
    @start()
    @human_feedback(
        message="Choose a meeting time or cancel the request.", llm=None, provider=agui_feedback_provider
    )
    async def request_schedule(self) -> dict[str, Any]:
        calls = (await self.ask_model()).tool_calls or []
        self.state.pending_tool_call_id = calls[0].id if calls else None
        arguments = json.loads(calls[0].function.arguments or "{}") if calls else {}
        return {
            "topic": arguments.get("topic") or "Meeting",
            "attendee": arguments.get("attendee"),
            "slots": candidate_slots(),
        }

    @listen("request_schedule")
    async def confirm_schedule(self, result: HumanFeedbackResult) -> None:
        chosen = json.loads(result.feedback or "null") or {}
        self.state.meeting = {
            "topic": result.output["topic"],
            "attendee": result.output["attendee"],
            "time": chosen.get("chosen_time"),
            "label": chosen.get("chosen_label"),
            "cancelled": not chosen,
        }
        if call_id := self.state.pending_tool_call_id:
            content = json.dumps(self.state.meeting)
            self.state.messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
            await copilotkit_emit_tool_result(call_id, content)
            await self.ask_model()

    async def ask_model(self) -> Any:
        said = [one if isinstance(one, dict) else one.model_dump() for one in self.state.messages]
        response = await copilotkit_stream(
            await litellm.acompletion(
                model=MODEL,
                messages=[{"role": "system", "content": INSTRUCTIONS}, *said],
                tools=[SCHEDULE_MEETING],
                stream=True,
            )
        )
        message = response.choices[0].message
        self.state.messages.append(message)
        return message


app = FastAPI()
add_crewai_flow_fastapi_endpoint(
    app, ScheduleFlow(), "/", emit_interrupt_outcome=True, enable_legacy_on_interrupt_event=False
)

if __name__ == "__main__":
    uvicorn.run(app, host="127.0.0.1", port=int(os.environ.get("PORT", "8001")), log_level="warning")
