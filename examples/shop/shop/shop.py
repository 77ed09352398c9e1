"""A page of one's own: users, shared state, client tools, renderers, other words, and a second agent."""

from typing import Literal

import reflex as rx

from reflex_agentkit import AgentState, Principal, agent_chat, client_tool
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.components import approval_card, composer, message_list, question_form
from reflex_agentkit.live.channel_asset import thread_sync
from shop.agents import Basket, assistant, bookkeeper


class SignIn(rx.State):
    """Stands for a real sign-in: this one believes every name."""

    name: str = ""

    @rx.event
    def enter(self, form: dict[str, str]) -> rx.event.EventSpec:
        self.name = form["name"].strip()
        return ShopState.attach()


class ShopState(AgentState):
    agent = PydanticAIAgent(assistant)
    shared_state_model = Basket
    sign: str = "gray"

    async def get_user(self) -> Principal | None:
        name = (await self.get_state(SignIn)).name
        return Principal(id=name.casefold(), name=name) if name else None

    @client_tool
    def paint_sign(self, colour: Literal["gray", "teal", "tomato"]) -> str:
        """Paint the sign of the shop."""
        self.sign = colour
        return f"the sign is {colour} now"

    @client_tool(ask=True)
    def gift_note(self, occasion: str) -> str:
        """Ask the customer what to write on the gift note."""

    @rx.event
    def empty_basket(self) -> rx.event.EventSpec:
        return ShopState.set_shared_state(Basket())


class BooksState(AgentState):
    agent = PydanticAIAgent(bookkeeper)


def basket_line(call, _state):
    return rx.text("🧺 ", call.args["article"].to(str), rx.cond(call.status == "done", "", " …"))


def size_form(pending, state):
    return rx.form(
        rx.hstack(
            rx.text(pending.message),
            rx.input(name="size", aria_label="Size", required=True),
            rx.button("Take it", type="submit"),
            align="center",
        ),
        on_submit=lambda form: state.respond_to_interrupt(form.to(dict)["size"]),
    )


def pay_card(pending, state):
    return rx.hstack(
        rx.text("Pay ", pending.args["amount"].to(str), "?"),
        rx.button("Pay", on_click=state.approve),
        rx.button("Not now", variant="soft", on_click=state.reject("not now")),
        align="center",
    )


def basket() -> rx.Component:
    return rx.hstack(
        rx.badge("The shop", color_scheme=ShopState.sign, size="3"),
        rx.text(ShopState.shared_state.articles.join(", "), " · ", ShopState.shared_state.total),
        rx.button("Empty the basket", on_click=ShopState.empty_basket, size="1"),
        rx.link("Books", href="/books"),
        height="3rem",
        padding_x="1.5rem",
        align="center",
    )


def sign_in() -> rx.Component:
    return rx.form(
        rx.hstack(rx.input(name="name", placeholder="Your name", required=True), rx.button("Enter")),
        on_submit=SignIn.enter,
        padding="1.5rem",
    )


def index() -> rx.Component:
    shop = agent_chat(
        ShopState,
        title="Shop",
        height="calc(100dvh - 3rem)",
        placement="inline",
        tool_renderers={"add_to_basket": basket_line},
        interrupt_renderers={"choose_size": size_form, "pay": pay_card},
        labels={"empty.title": "What may it be?", "composer.placeholder": "Tea, cup, size, gift, sign, pay"},
    )
    return rx.cond(SignIn.name == "", sign_in(), rx.box(basket(), shop))


def books() -> rx.Component:
    """A page made of the parts instead of `agent_chat`."""
    pending = BooksState.pending_interrupt
    request = rx.cond(
        pending.kind == "question",
        question_form(pending, BooksState),
        approval_card(pending, BooksState),
    )
    return rx.vstack(
        thread_sync(BooksState),
        rx.hstack(rx.heading("Books"), rx.link("Shop", href="/"), align="center"),
        message_list(BooksState, rx.cond(pending, request)),
        rx.text(BooksState.notice.text, role="status"),
        composer(BooksState),
        align="stretch",
        height="100dvh",
        padding="1.5rem",
    )


app = rx.App()
app.add_page(index, route="/", title="Shop")
app.add_page(books, route="/books", title="Books")
