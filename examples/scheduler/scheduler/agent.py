"""An agent that books meetings: a person picks the time, and the tool runs with it."""

import os
from typing import Any

from agents import Agent, function_tool, set_tracing_disabled

from reflex_agentkit import current_answer
from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent
from scheduler.scripted import scripted_model

model: Any = os.environ.get("MODEL") or scripted_model
if model is scripted_model:
    set_tracing_disabled(True)  # the SDK would send its traces to OpenAI


@function_tool(needs_approval=True)
def schedule_meeting(topic: str, attendee: str = "") -> str:
    """Let the person pick a time for a meeting, and book it.

    Args:
        topic: What the meeting is about.
        attendee: Who it is with, if that is known.
    """
    answer = current_answer()
    chosen = answer.payload if answer else {}
    label = chosen.get("chosen_label") or chosen.get("chosen_time")
    meeting = f"{topic} with {attendee}" if attendee else topic
    return (
        f"Booked for {label}: {meeting}" if label else f"No time was picked, so nothing is booked: {meeting}"
    )


scheduler = Agent(
    name="scheduler",
    instructions=(
        "You book meetings. Call schedule_meeting with a short topic and, if you know, with whom; the person "
        "then picks the time. Say in one sentence what came of it, and nothing that the tool did not say."
    ),
    model=model,
    tools=[schedule_meeting],
)

agent = OpenAIAgentsAGUIAgent(scheduler)
