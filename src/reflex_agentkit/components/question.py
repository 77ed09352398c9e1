"""The form of one question."""

from __future__ import annotations

from typing import Any

import reflex as rx

from reflex_agentkit.components import parts
from reflex_agentkit.components.notices import about_the_answer
from reflex_agentkit.components.words import Labels, Words


def question_form(pending: Any, state: Any, *, labels: Labels = None) -> rx.Component:
    """A question of the agent with a field for the answer, checked against its `response_schema`.

    The JSON editor is always one click away. `pending` is an `InterruptView` or its var.
    """
    return parts.QuestionForm.create(
        pending=pending,
        notice=about_the_answer(state),
        on_decide=state.decide,
        labels=Words(labels).of("question"),
    )
