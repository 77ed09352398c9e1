"""The line on top of the chat: title, how the run stands, conversations."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.thread_list import thread_menu
from reflex_agentkit.components.untyped import cond, el, fragment, match
from reflex_agentkit.components.words import Words

RUN_STATUSES = ("idle", "running", "awaiting_input", "cancelled", "error")


def header(state: Any, title: str | None, words: Words) -> rx.Component:
    """The header, and below it a quiet note where nothing outlives a restart."""
    return fragment(
        el.header(
            el.div(
                el.h1(title or words["chat.title"]),
                _status(state, words),
                el.div(class_name="ak-head-space"),
                thread_menu(state, labels=words),
                parts.NewThread.create(
                    current=state.thread_id, on_new=state.new_thread, labels=words.of("threads")
                ),
                class_name="ak-head-in",
            ),
            class_name="ak-head",
        ),
        cond(state.durable, fragment(), el.p(words["chat.memory"], class_name="ak-durable")),
    )


def _status(state: Any, words: Words) -> rx.Component:
    cases = [(status, words[f"run.{status}"]) for status in RUN_STATUSES]
    return el.span(
        cond(state.thread_id != "", match(state.run_status, *cases, state.run_status), ""),
        class_name="ak-status",
        role="status",
        custom_attrs={"data-status": state.run_status},
    )
