"""What stands open: one request after the other, as a dialog over the chat or as a card in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.approval.card import approval_card
from reflex_agentkit.components.notices import about_the_answer, about_the_chat
from reflex_agentkit.components.question import question_form
from reflex_agentkit.components.renderers import Renderer, by_key, check_renderers, interrupt_key
from reflex_agentkit.components.untyped import box, cond, el, fragment
from reflex_agentkit.components.words import Words
from reflex_agentkit.errors import ConfigurationError

Placement = Literal["dialog", "inline", "both"]


def check_placement(placement: str) -> None:
    """Raises `ConfigurationError` for a placement that does not exist."""
    if placement not in get_args(Placement):
        known = ", ".join(get_args(Placement))
        raise ConfigurationError(f"placement is {placement!r}; it can be one of {known}")


def request(state: Any, interrupt_renderers: Mapping[str, Renderer] | None, words: Words) -> rx.Component:
    """The request that this tab shows now: by the app's own renderer if there is one, else the kit's card."""
    renderers = check_renderers("interrupt_renderers", interrupt_renderers)
    pending = state.pending_interrupt
    default = cond(
        pending.kind == "question",
        question_form(pending, state, labels=words),
        approval_card(pending, state, labels=words),
    )
    custom = {name: _framed(renderer, words) for name, renderer in renderers.items()}
    return by_key(interrupt_key(pending, renderers), custom, pending, state, default)


def dialog(state: Any, body: rx.Component, words: Words) -> rx.Component:
    """The request as an alert dialog. Escape hides it and decides nothing."""
    return parts.PauseDialog.create(
        body,
        open=state.dialog_open,
        pending=state.pending_interrupt,
        on_dismiss=state.dismiss,
        labels=words.of("dialog"),
    )


def inline(state: Any, body: rx.Component, placement: Placement, words: Words) -> rx.Component:
    """The request as a card in the transcript; beside a dialog only while that is hidden."""
    pending = state.pending_interrupt
    shown = box(
        el.div(
            el.span(_title(pending, words)),
            parts.Position.create(pending=pending, labels=words.of("dialog")),
            class_name="ak-inline-head",
        ),
        body,
        class_name="ak-inline",
        key=pending.id,
    )
    card = cond(pending, shown)
    return cond(state.dialog_open, fragment(), card) if placement == "both" else card


def announcer(state: Any, words: Words) -> rx.Component:
    """What tells a screen reader that a card has come into the transcript."""
    return parts.Announcer.create(pending=state.pending_interrupt, labels=words.of("dialog"))


def _title(pending: Any, words: Words) -> Any:
    asked = cond(pending.kind == "question", words["question.title"], words["approval.title"])
    return cond(pending.card, words["card.title"], asked)


def bar(state: Any, words: Words) -> rx.Component:
    """The line above the composer that brings a hidden request back."""
    return cond(
        state.dialog_open,
        fragment(),
        parts.WaitingBar.create(
            pending=state.pending_interrupt, on_review=state.review, labels=words.of("dialog")
        ),
    )


def on_the_card(state: Any, placement: Placement) -> Any:
    """Whether the notice of the state is shown on a card already."""
    shown = state.dialog_open if placement == "dialog" else state.pending_interrupts.length() > 0
    return ~about_the_chat(state) & shown


def _framed(renderer: Renderer, words: Words) -> Renderer:
    def framed(pending: Any, state: Any) -> rx.Component:
        return box(
            parts.Meant.create(renderer(pending, state)),
            parts.Refusal.create(notice=about_the_answer(state), labels=words.of("refusal")),
            class_name="ak-custom",
        )

    return framed
