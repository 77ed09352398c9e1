"""A tool call drawn in the app's own way: `(call, state) -> rx.Component`."""

from typing import Any

import reflex as rx


def weather_card(call: Any, _state: Any) -> rx.Component:
    """The forecast as a callout; `call.args` holds the arguments, `call.result` what the tool gave."""
    return rx.callout(
        rx.cond(call.result == "", "Looking out of the window in " + call.args["city"].to(str), call.result),
        icon="cloud-sun",
        size="1",
        width="fit-content",
    )
