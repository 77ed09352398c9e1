"""`agent_chat`: the whole page of a chat, made of the parts beside it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from reflex_agentkit.components import parts, pause
from reflex_agentkit.components.composer import composer
from reflex_agentkit.components.header import header
from reflex_agentkit.components.message_list import message_list
from reflex_agentkit.components.renderers import Renderer
from reflex_agentkit.components.untyped import box, cond, el, fragment
from reflex_agentkit.components.words import Labels, Words
from reflex_agentkit.live.channel_asset import thread_sync


def agent_chat(
    state: Any,
    *,
    tool_renderers: Mapping[str, Renderer] | None = None,
    interrupt_renderers: Mapping[str, Renderer] | None = None,
    placement: pause.Placement = "dialog",
    labels: Labels = None,
    title: str | None = None,
    height: str = "100dvh",
) -> rx.Component:
    """A chat with an agent: transcript, composer, and what waits for a person's decision.

    Args:
        state: an `AgentState` class.
        tool_renderers: by a tool's name, `(call, state) -> rx.Component`.
        interrupt_renderers: by a tool's name, a form's `formType` or an interrupt's reason,
            `(pending, state) -> rx.Component`; it answers by itself with `state.respond_to_interrupt`.
        placement: where a request is shown: a dialog over the chat, a card in it, or both.
        labels: texts in place of the English ones, by the keys of `reflex_agentkit.labels.english.ENGLISH`.
        title: what stands in the header.
        height: of the whole chat, as CSS.

    Raises:
        ConfigurationError: a renderer, label or placement that cannot be.
    """
    pause.check_placement(placement)
    words = Words(labels)

    def request() -> rx.Component:
        return pause.request(state, interrupt_renderers, words)

    card = [] if placement == "dialog" else [pause.inline(state, request(), placement, words)]
    dialog = [] if placement == "inline" else [pause.dialog(state, request(), words)]
    # A dialog says by itself that it is there.
    says = [pause.announcer(state, words)] if placement == "inline" else []
    bar = [pause.bar(state, words)] if placement == "dialog" else []
    page = el.main(
        thread_sync(state),
        *says,
        header(state, title, words),
        message_list(state, *card, tool_renderers=tool_renderers, labels=words),
        el.div(
            parts.Failed.create(
                error=state.error,
                on_retry=state.retry,
                on_new=state.new_thread,
                labels=words.of("failed"),
            ),
            _notice(state, placement, words),
            *bar,
            composer(state, labels=words),
            parts.Usage.create(total=state.usage.total_tokens, labels=words.of("usage")),
            class_name="ak-foot",
        ),
        *dialog,
        class_name="ak-chat",
        style={"height": height},
    )
    # A Radix component, so that Reflex brings the theme that the colours come from.
    return box(page, width="100%")


def _notice(state: Any, placement: pause.Placement, words: Words) -> rx.Component:
    return cond(
        pause.on_the_card(state, placement),
        fragment(),
        parts.Refusal.create(notice=state.notice, tone="info", labels=words.of("refusal")),
    )
