"""`agent_chat` and its parts build for a state class, and say what cannot be."""

from __future__ import annotations

import pytest
import reflex as rx

from reflex_agentkit.components import (
    agent_chat,
    approval_card,
    composer,
    markdown,
    message_list,
    question_form,
    thread_list,
    tool_card,
)
from reflex_agentkit.components.renderers import interrupt_key
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.state.views import InterruptView, ToolCallView
from tests.components.gallery_state import GalleryState


def drawn(component: rx.Component) -> str:
    """Everything that Reflex would make of a component."""
    return str(component.render())


def seed_form(pending, state):
    return rx.form(
        rx.text(pending.message),
        rx.input(name="answer", aria_label="Your answer"),
        rx.button("Send answer", type="submit"),
        on_submit=lambda form: state.respond_to_interrupt(form.to(dict)["answer"]),
    )


def test_a_chat_builds_for_a_state_class_alone():
    page = drawn(agent_chat(GalleryState))
    for part in ("PauseDialog", "Composer", "Transcript", "ThreadMenu", "ThreadSync", "Failed"):
        assert f"AgentKit{part}" in page


@pytest.mark.parametrize(
    ("placement", "dialog", "inline", "bar"),
    [("dialog", True, False, True), ("inline", False, True, False), ("both", True, True, False)],
)
def test_a_request_stands_where_the_placement_says(placement, dialog, inline, bar):
    page = drawn(agent_chat(GalleryState, placement=placement))
    assert ("AgentKitPauseDialog" in page, "ak-inline" in page, "AgentKitWaitingBar" in page) == (
        dialog,
        inline,
        bar,
    )


def test_an_unknown_placement_is_refused_with_the_known_ones():
    with pytest.raises(ConfigurationError, match=r"'side'.*dialog, inline, both"):
        agent_chat(GalleryState, placement="side")  # type: ignore[arg-type]


def test_a_renderer_by_reason_stands_beside_the_kits_own_cards():
    page = drawn(agent_chat(GalleryState, interrupt_renderers={"question": seed_form}))
    assert "Your answer" in page
    assert "AgentKitApprovalCard" in page
    assert "AgentKitQuestionForm" in page


def test_the_tool_wins_over_the_form_and_the_form_over_the_reason():
    key = str(interrupt_key(GalleryState.pending_interrupt, {"book_hotel": seed_form}))
    tool, form, reason = (key.rindex(name) for name in ('"tool_name"', '"formType"', '"reason"'))
    assert tool < form < reason


def test_a_renderer_by_tool_draws_that_tools_calls_and_no_other():
    names = []

    def card(call, state):
        names.append(state)
        return rx.text("Weather in " + call.args["city"].to(str))

    page = drawn(message_list(GalleryState, tool_renderers={"weather": card}))
    assert names == [GalleryState]
    assert "Weather in" in page
    assert "AgentKitToolCard" in page


def test_a_renderer_that_cannot_be_called_is_refused_by_its_name():
    with pytest.raises(ConfigurationError, match="tool_renderers\\['weather'\\]"):
        agent_chat(GalleryState, tool_renderers={"weather": "a card"})  # type: ignore[dict-item]
    with pytest.raises(ConfigurationError, match="interrupt_renderers\\['question'\\]"):
        agent_chat(GalleryState, interrupt_renderers={"question": None})  # type: ignore[dict-item]


def test_words_of_the_app_reach_the_page():
    page = drawn(agent_chat(GalleryState, labels={"approval.approve": "Genehmigen"}, title="Reisen"))
    assert "Genehmigen" in page
    assert "Reisen" in page


@pytest.mark.parametrize(
    ("build", "tag"),
    [
        (lambda: approval_card(InterruptView(), GalleryState), "AgentKitApprovalCard"),
        (lambda: question_form(InterruptView(), GalleryState), "AgentKitQuestionForm"),
        (lambda: tool_card(ToolCallView()), "AgentKitToolCard"),
        (lambda: composer(GalleryState), "AgentKitComposer"),
        (lambda: thread_list(GalleryState), "AgentKitThreadList"),
        (lambda: message_list(GalleryState), "AgentKitTranscript"),
        (lambda: markdown("*hello*"), "AgentKitMarkdown"),
    ],
)
def test_each_part_can_stand_alone(build, tag):
    assert tag in drawn(build())


def test_a_card_sends_its_decisions_to_the_state_with_four_facts():
    card = approval_card(GalleryState.pending_interrupt, GalleryState)
    event = str(card.event_triggers["on_decide"])
    for name in ("interrupt_id", "digest", "decision", "text"):
        assert name in event
