"""The card of one approval."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.notices import about_the_answer
from reflex_agentkit.components.words import Labels, Words


def approval_card(pending: Any, state: Any, *, labels: Labels = None) -> rx.Component:
    """A call that waits for a yes or a no: the tool's name, every argument whole, and the buttons.

    `pending` is an `InterruptView` or its var. Decisions go to `state.decide`, with the digest of what
    was shown.
    """
    return parts.ApprovalCard.create(
        pending=pending,
        notice=about_the_answer(state),
        on_decide=state.decide,
        labels=Words(labels).of("approval"),
    )
