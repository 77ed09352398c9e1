"""The picker: what is shown in place of the usual approval. It knows nothing of the agent behind it."""

from datetime import UTC, datetime, timedelta
from typing import Any

import reflex as rx


def slots_after(now: datetime) -> list[dict[str, str]]:
    """The times to choose from: two a day, on the next two days."""
    days = [(now + timedelta(days=day)).replace(minute=0, second=0, microsecond=0) for day in (1, 2)]
    times = [day.replace(hour=hour) for day in days for hour in (10, 15)]
    return [{"time": time.isoformat(), "label": f"{time:%A} {time:%H:%M}"} for time in times]


class Slots(rx.State):
    """The times, made anew whenever the page is opened."""

    slots: list[dict[str, str]] = []

    @rx.event
    def refresh(self) -> None:
        self.slots = slots_after(datetime.now(UTC))


def time_picker(pending: Any, state: Any) -> rx.Component:
    """A button for each time. The answer is a yes with the time beside it, or a no."""
    return rx.card(
        rx.vstack(
            rx.heading(pending.args["topic"].to(str), size="3"),
            rx.cond(pending.args["attendee"], rx.text("with ", pending.args["attendee"].to(str))),
            rx.flex(
                rx.foreach(
                    Slots.slots,
                    lambda slot: rx.button(
                        slot["label"],
                        variant="soft",
                        on_click=state.respond_to_interrupt(
                            {"approved": True, "chosen_time": slot["time"], "chosen_label": slot["label"]}
                        ),
                    ),
                ),
                spacing="2",
                wrap="wrap",
            ),
            rx.button("No meeting", variant="outline", on_click=state.reject("no time suits")),
            align="start",
            spacing="3",
        ),
        width="100%",
        on_mount=Slots.refresh,
    )
