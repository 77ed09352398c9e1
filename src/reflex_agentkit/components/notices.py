"""Where a notice of the state is shown: on the card of a request, or beside the composer."""

from __future__ import annotations

from typing import Any

from reflex_agentkit.components.untyped import cond, var

ABOUT_THE_CHAT: tuple[str, ...] = (
    "already_running",
    "awaiting_input",
    "empty",
    "not_signed_in",
    "nothing_to_retry",
    "too_long",
    "unknown_thread",
)
"""Codes that no answer is refused with; any other belongs on the card, as long as one is shown."""


def about_the_chat(state: Any) -> Any:
    """Whether the state's notice is about sending, threads or runs, or about a request that is gone."""
    about = state.notice.interrupt_id
    gone = (about != "") & (about != state.pending_interrupt.id)
    return var(list(ABOUT_THE_CHAT)).contains(state.notice.code) | gone


def about_the_answer(state: Any) -> Any:
    """The state's notice for a card, or nothing."""
    return cond(about_the_chat(state), None, state.notice)
