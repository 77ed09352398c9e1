"""The flow in process: it pauses after `schedule_meeting`, and goes on with the person's choice."""

import json
import os
from typing import Any

from crewai import LLM
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from pydantic import Field

from crew_schedule.scripted import scripted_model
from crew_schedule.slots import candidate_slots
from reflex_agentkit.adapters.crewai import AGUIFlowState, agui_feedback_provider, emit_tool_result

model: Any = LLM(os.environ["MODEL"], stream=True) if os.environ.get("MODEL") else scripted_model

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


class ScheduleState(AGUIFlowState):
    pending_tool_call_id: str | None = None
    meeting: dict[str, Any] = Field(default_factory=dict)


class ScheduleFlow(Flow[ScheduleState]):
    @start()
    @human_feedback(
        message="Choose a meeting time or cancel the request.", llm=None, provider=agui_feedback_provider
    )
    def request_schedule(self) -> dict[str, Any]:
        self.state.pending_tool_call_id = None
        said = self.ask_model()
        arguments: dict[str, Any] = {}
        if isinstance(said, list):
            self.state.pending_tool_call_id = said[0]["id"]
            arguments = json.loads(said[0]["function"]["arguments"] or "{}")
        return {
            "topic": arguments.get("topic") or "Meeting",
            "attendee": arguments.get("attendee"),
            "slots": candidate_slots(),
        }

    @listen(request_schedule)
    def confirm_schedule(self, result: HumanFeedbackResult) -> None:
        # A cancelled question comes as CrewAI's empty feedback, a choice as a JSON object.
        chosen = json.loads(result.feedback or "null") or {}
        self.state.meeting = {
            "topic": result.output["topic"],
            "attendee": result.output["attendee"],
            "time": chosen.get("chosen_time"),
            "label": chosen.get("chosen_label"),
            "cancelled": not chosen,
        }
        if self.state.pending_tool_call_id:
            content = json.dumps(self.state.meeting)
            call_id = self.state.pending_tool_call_id
            self.state.messages.append({"role": "tool", "tool_call_id": call_id, "content": content})
            emit_tool_result(call_id, content)
            self.ask_model()

    def ask_model(self) -> str | list[dict[str, Any]]:
        said = model.call(
            [{"role": "system", "content": INSTRUCTIONS}, *self.state.messages], tools=[SCHEDULE_MEETING]
        )
        calls = {"tool_calls": said} if isinstance(said, list) else {}
        content = said if isinstance(said, str) else None
        self.state.messages.append({"role": "assistant", "content": content, **calls})
        return said
