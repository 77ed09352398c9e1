"""Where a person writes."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.words import Labels, Words


def composer(state: Any, *, placeholder: str = "", labels: Labels = None) -> rx.Component:
    """The message field: Enter sends, Shift+Enter starts a new line, a button stops a run.

    The text is cleared when the server has accepted it, and kept in every other case. While a request is
    open it cannot be sent past it; "cancel request and send" is offered instead.
    """
    return parts.Composer.create(
        status=state.run_status,
        thread_id=state.thread_id,
        accepted=state.accepted,
        notice=state.notice,
        placeholder=placeholder,
        on_send=state.send_message,
        on_stop=state.cancel_run,
        on_cancel_and_send=state.cancel_and_send,
        labels=Words(labels).of("composer"),
    )
