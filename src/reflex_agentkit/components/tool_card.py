"""The card of one tool call."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.words import Labels, Words


def tool_card(call: Any, state: Any = None, *, labels: Labels = None) -> rx.Component:
    """A tool call as a card: name, status, arguments and result as data, and the decision about it.

    `call` is a `ToolCallView` or its var. It takes `state` to have the shape of a renderer.
    """
    del state
    return parts.ToolCard.create(call=call, labels=Words(labels).of("tool"))
