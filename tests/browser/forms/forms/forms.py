"""The pages: the chat as it is, as a card in the transcript, and with a renderer of the app's own."""

from __future__ import annotations

from typing import Any

import reflex as rx

from forms.asking import Asking
from reflex_agentkit import AgentState, agent_chat


class Somebody(AgentState, mixin=True):
    """Each test is a person of its own, named in the address."""

    def get_user(self):
        return self.router.url.query_parameters.get("user", "local")


class FormState(Somebody):
    agent = Asking()


class InlineState(Somebody):
    agent = Asking()


class OwnState(Somebody):
    agent = Asking()


def flight_form(pending: Any, state: Any) -> rx.Component:
    """What an app draws in place of the kit's form; a browser's form gives texts."""
    return rx.form(
        rx.text(pending.card.title),
        rx.input(name="amount", aria_label="Refund of your own"),
        rx.button("Refund it", type="submit"),
        on_submit=lambda form: state.respond_to_interrupt(
            {"approved": True, "values": {"amount": form.to(dict)["amount"], "method": "card"}}
        ),
    )


app = rx.App()
app.add_page(lambda: agent_chat(FormState, title="Desk"), route="/", title="Forms")
app.add_page(
    lambda: agent_chat(InlineState, title="Desk", placement="inline"), route="/inline", title="Inline"
)
app.add_page(
    lambda: agent_chat(OwnState, title="Desk", interrupt_renderers={"refund-approval": flight_form}),
    route="/own",
    title="Own",
)
