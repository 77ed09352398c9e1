"""A page whose approvals are answered with a time picker. It knows nothing of the agent behind it."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit import agent_chat

SLOTS = [
    {"time": "2030-01-02T10:00:00+00:00", "label": "Wednesday 10:00"},
    {"time": "2030-01-02T15:00:00+00:00", "label": "Wednesday 15:00"},
    {"time": "2030-01-03T10:00:00+00:00", "label": "Thursday 10:00"},
    {"time": "2030-01-03T15:00:00+00:00", "label": "Thursday 15:00"},
]


def time_picker(pending: Any, state: Any) -> rx.Component:
    asked = pending.metadata["tool_input"].to(dict)
    return rx.card(
        rx.vstack(
            rx.heading(asked["topic"].to(str), size="3"),
            rx.text("with ", asked["attendee"].to(str)),
            rx.flex(
                *(
                    rx.button(
                        slot["label"],
                        variant="soft",
                        on_click=state.respond_to_interrupt(
                            {"approved": True, "chosen_time": slot["time"], "chosen_label": slot["label"]}
                        ),
                    )
                    for slot in SLOTS
                ),
                spacing="2",
                wrap="wrap",
            ),
            rx.button(
                "No time suits", variant="outline", on_click=state.respond_to_interrupt({"approved": False})
            ),
            align="start",
            spacing="3",
        ),
        role="group",
        aria_label="Pick a time",
        width="100%",
    )


def add_picker(app: rx.App, state: Any) -> None:
    """Add the page for the agent of a state; its approvals are of `schedule_meeting`."""
    app.add_page(
        lambda: agent_chat(
            state, title="Meetings", placement="inline", interrupt_renderers={"schedule_meeting": time_picker}
        ),
        route="/",
        title="Meetings",
    )
