"""The pages."""

from __future__ import annotations

import reflex as rx

from app.graphs import langchain_agent
from app.hotel import travel_agent
from app.situations import Situations
from reflex_agentkit import AgentState, agent_chat
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent


class Somebody(AgentState, mixin=True):
    """Each test is a person of its own, named in the address."""

    def get_user(self):
        return self.router.url.query_parameters.get("user", "local")


class ChatState(Somebody):
    agent = PydanticAIAgent(travel_agent)


class OtherState(Somebody):
    agent = Situations()


class InlineState(Somebody):
    agent = PydanticAIAgent(travel_agent)


class GraphState(Somebody):
    agent = langchain_agent


def question_form(pending, state):
    return rx.form(
        rx.text(pending.message),
        rx.input(name="answer", aria_label="Your answer"),
        rx.button("Send answer", type="submit"),
        on_submit=lambda form: state.respond_to_interrupt(form.to(dict)["answer"]),
    )


def weather_card(call, state):
    return rx.callout("Weather in " + call.args["city"].to(str), icon="cloud_sun")


app = rx.App()
app.add_page(lambda: agent_chat(ChatState), route="/", title="Travel")
app.add_page(
    lambda: agent_chat(
        OtherState,
        interrupt_renderers={"question": question_form},
        tool_renderers={"weather": weather_card},
    ),
    route="/other",
    title="Situations",
)
app.add_page(lambda: agent_chat(InlineState, placement="inline"), route="/inline", title="Inline")
app.add_page(lambda: agent_chat(GraphState), route="/graph", title="Graph")
