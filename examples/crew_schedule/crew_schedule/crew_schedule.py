"""The page: a picker of one's own for the flow's question. `AGENT_URL` takes the flow from elsewhere."""

import os

import reflex as rx

from reflex_agentkit import AgentState, agent_chat


def scheduling_agent():
    if url := os.environ.get("AGENT_URL"):
        from reflex_agentkit.agents import HttpAgent

        return HttpAgent(url)
    from crew_schedule.flow import ScheduleFlow
    from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent

    return CrewAIFlowAGUIAgent(ScheduleFlow)


class ScheduleState(AgentState):
    agent = scheduling_agent()


def time_picker(pending, state) -> rx.Component:
    asked = pending.payload.to(dict)
    return rx.vstack(
        rx.heading(asked["topic"].to(str), size="3"),
        rx.text(pending.message),
        rx.hstack(
            rx.foreach(
                asked["slots"].to(list[dict[str, str]]),
                lambda slot: rx.button(
                    slot["label"],
                    on_click=state.respond_to_interrupt(
                        {"chosen_time": slot["iso"], "chosen_label": slot["label"]}
                    ),
                ),
            ),
            wrap="wrap",
        ),
        rx.button("None of these", variant="soft", on_click=state.cancel_interrupt),
        align="start",
    )


app = rx.App()
app.add_page(
    lambda: agent_chat(
        ScheduleState,
        title="Meetings",
        placement="inline",
        interrupt_renderers={"crewai:human_feedback": time_picker},
        labels={"empty.title": "What is the meeting about?"},
    ),
    route="/",
    title="Meetings",
)
