"""Which component draws a tool call or an interrupt: the user's own by name, else the kit's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import reflex as rx

from reflex_agentkit.components.untyped import cond, match, var
from reflex_agentkit.errors import ConfigurationError

Renderer = Callable[[Any, Any], rx.Component]
"""`(call or pending, state) -> component`. Called once, when the page is built, with vars."""


def check_renderers(name: str, renderers: Mapping[str, Renderer] | None) -> dict[str, Renderer]:
    """The renderers as a dict.

    Raises:
        ConfigurationError: one cannot be called, or its key is no text.
    """
    for key, renderer in (renderers or {}).items():
        if not key or not callable(renderer):
            raise ConfigurationError(
                f"{name}[{key!r}] is {renderer!r}; it must be a function (item, state) -> rx.Component"
            )
    return dict(renderers or {})


def by_key(
    key: Any, renderers: Mapping[str, Renderer], item: Any, state: Any, default: rx.Component
) -> rx.Component:
    """The renderer of this key, or the default; without renderers there is nothing to match."""
    if not renderers:
        return default
    cases = [(name, renderer(item, state)) for name, renderer in renderers.items()]
    return match(key, *cases, default)


def interrupt_key(pending: Any, renderers: Mapping[str, Renderer]) -> Any:
    """The key of an interrupt: its tool's name wins, then the type of its form, then its reason."""
    known = var(list(renderers))
    form_type = pending.form["formType"].to(str)
    return cond(
        known.contains(pending.tool_name),
        pending.tool_name,
        cond(known.contains(form_type), form_type, pending.reason),
    )
