"""The conversations of a person."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.untyped import box
from reflex_agentkit.components.words import Labels, Words


def thread_list(state: Any, *, labels: Labels = None) -> rx.Component:
    """The person's conversations, newest first, with a button for a new one. Loads them when it appears."""
    return box(
        parts.ThreadList.create(
            threads=state.threads,
            current=state.thread_id,
            on_open=state.open_thread,
            on_new=state.new_thread,
            labels=Words(labels).of("threads"),
        ),
        on_mount=state.load_threads,
        width="100%",
    )


def thread_menu(state: Any, *, labels: Labels = None) -> rx.Component:
    """The same list behind a button; it is loaded when the menu opens."""
    return parts.ThreadMenu.create(
        threads=state.threads,
        current=state.thread_id,
        on_load=state.load_threads,
        on_open=state.open_thread,
        on_new=state.new_thread,
        labels=Words(labels).of("threads"),
    )
