"""Where the Markdown of the kit lies, for components of your own."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.bundle import MARKDOWN_LIBRARY as MARKDOWN_LIBRARY
from reflex_agentkit.components.words import Labels, Words


def markdown(text: Any, *, labels: Labels = None) -> rx.Component:
    """Text of a model as Markdown: raw HTML is text, pictures are links, links show where they lead."""
    return parts.Markdown.create(text=text, labels=Words(labels).of("markdown"))
