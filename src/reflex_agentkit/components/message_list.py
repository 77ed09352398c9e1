"""The transcript: what was said, done and decided, and what is being written now."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.renderers import Renderer, by_key, check_renderers
from reflex_agentkit.components.tool_card import tool_card
from reflex_agentkit.components.untyped import box, cond, el, foreach, match
from reflex_agentkit.components.words import Labels, Words


def message_list(
    state: Any,
    *children: Any,
    tool_renderers: Mapping[str, Renderer] | None = None,
    labels: Labels = None,
) -> rx.Component:
    """The messages of the open thread in a part that scrolls; `children` come after the last one.

    `tool_renderers[name]` is `(call, state) -> rx.Component` and draws the calls of that tool. Alone on a
    page it fills its parent, and `reflex_agentkit.live.channel_asset.thread_sync(state)` has to stand on the
    page once.

    Raises:
        ConfigurationError: a renderer that cannot be called, or a label that does not exist.
    """
    words = Words(labels)
    renderers = check_renderers("tool_renderers", tool_renderers)

    def settled(message: Any) -> rx.Component:
        return _message(message, state, renderers, words)

    def written(live: Any) -> rx.Component:
        return _live(live, words)

    return parts.Transcript.create(
        cond(_nothing_yet(state), _empty(words)),
        foreach(state.messages, settled),
        foreach(state.live, written),
        cond(
            state.run_status == "running",
            parts.Working.create(steps=state.steps, live=state.live.length(), labels=words.of("live")),
        ),
        *children,
        earlier=state.earlier,
        on_earlier=state.load_earlier,
        labels=words.of("transcript"),
    )


def _nothing_yet(state: Any) -> Any:
    # Without a thread nothing is known yet: the page is still on its way to the server.
    known = state.thread_id != ""
    return known & (state.messages.length() == 0) & (state.live.length() == 0) & (state.run_status == "idle")


def _empty(words: Words) -> rx.Component:
    return el.div(
        el.div(parts.Icon.create(name="chat", size=26), class_name="ak-empty-sign"),
        el.h2(words["empty.title"]),
        el.p(words["empty.text"]),
        class_name="ak-empty",
    )


def _message(message: Any, state: Any, renderers: Mapping[str, Renderer], words: Words) -> rx.Component:
    return box(
        match(
            message.role,
            ("user", _user(message, words)),
            ("assistant", _assistant(message, state, renderers, words)),
            ("reasoning", parts.Reasoning.create(text=message.text, labels=words.of("live"))),
            ("activity", _activity(message)),
            (
                "decision",
                parts.Decision.create(decision=message.decision, labels=words.of("decision")),
            ),
            _aside(message, words),
        ),
        class_name="ak-message",
        custom_attrs={"data-role": message.role},
        key=message.id,
    )


def _user(message: Any, words: Words) -> rx.Component:
    return el.div(
        el.h2(words["chat.you"], class_name="ak-vh"),
        el.div(message.text, class_name="ak-bubble", dir="auto"),
        class_name="ak-user",
    )


def _assistant(message: Any, state: Any, renderers: Mapping[str, Renderer], words: Words) -> rx.Component:
    def card(call: Any) -> rx.Component:
        drawn = by_key(call.name, renderers, call, state, tool_card(call, state, labels=words))
        return el.div(drawn, key=call.id)

    return el.div(
        el.h2(words["chat.agent"], class_name="ak-vh"),
        cond(
            message.subagent != "",
            el.p(
                parts.Icon.create(name="spark", size=14), el.bdi(message.subagent), class_name="ak-subagent"
            ),
        ),
        cond(
            message.text != "",
            parts.Markdown.create(text=message.text, labels=words.of("markdown")),
        ),
        cond(
            message.tool_calls.length() > 0,
            el.div(foreach(message.tool_calls, card), class_name="ak-tools"),
        ),
        class_name="ak-assistant",
    )


def _activity(message: Any) -> rx.Component:
    return el.p(
        parts.Icon.create(name="pulse", size=15),
        el.span(el.b(message.activity_type), " ", el.bdi(message.text)),
        class_name="ak-activity",
    )


def _aside(message: Any, words: Words) -> rx.Component:
    note = el.span(words["chat.note"] + ": ", class_name="ak-vh")
    return el.p(note, el.bdi(message.text), class_name="ak-aside")


def _live(live: Any, words: Words) -> rx.Component:
    return box(
        parts.LiveMessage.create(message_id=live.id, role=live.role, labels=words.of("live")),
        class_name="ak-message",
        custom_attrs={"data-role": live.role, "data-live": "true"},
        key=live.id,
    )
