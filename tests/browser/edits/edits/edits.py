"""The pages: the chat, and one that shows the request of any tool, both under a strict security policy."""

from __future__ import annotations

import json
import os
from typing import Any

import reflex as rx

from edits.proposing import Proposing
from edits.strict import strict
from reflex_agentkit import AgentState, agent_chat
from reflex_agentkit.components import approval_card
from reflex_agentkit.state.views import InterruptView, NoticeView


class EditState(AgentState):
    agent = Proposing()

    def get_user(self):
        return self.router.url.query_parameters.get("user", "local")


BATCH = 17


class SchemaState(rx.State):
    """Shows the requests of collected tools, some at a time."""

    pendings: list[InterruptView] = []
    pending_interrupt: InterruptView | None = None
    notice: NoticeView = NoticeView()

    @rx.event
    def show(self, form: dict[str, Any]):
        with open(os.environ["AGENTKIT_TEST_SCHEMAS"], encoding="utf-8") as file:
            tools = json.load(file)
        first = int(form["first"])
        self.pendings = [view(first + place, tool) for place, tool in enumerate(tools[first : first + BATCH])]

    @rx.event
    def decide(self, interrupt_id: Any, digest: Any, decision: Any, text: Any): ...


def view(number: int, tool: dict[str, Any]) -> InterruptView:
    return InterruptView(
        id=f"i-{number}",
        kind="approval",
        tool_name=tool["name"],
        tool_call_id="c",
        args_text=json.dumps(tool["args"], indent=2, ensure_ascii=False),
        readable=True,
        args_schema_text=json.dumps(tool["schema"]),
        allowed_decisions=["approve", "edit", "reject", "cancel"],
        digest=f"d-{number}",
    )


def schemas() -> rx.Component:
    return rx.box(
        rx.form(
            rx.el.label("First of the batch", rx.el.input(name="first")),
            rx.button("Show batch", type="submit"),
            on_submit=SchemaState.show,
        ),
        rx.foreach(
            SchemaState.pendings,
            lambda one: rx.box(approval_card(one, SchemaState), class_name="ak-chat", key=one.id),
        ),
    )


app = rx.App(api_transformer=strict)
app.add_page(lambda: agent_chat(EditState, title="Desk"), route="/", title="Edits")
app.add_page(schemas, route="/schemas", title="Schemas")
