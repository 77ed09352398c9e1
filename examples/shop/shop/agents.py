"""The two agents of the shop, and the basket that one of them shares with the page."""

import os

from ag_ui.core import StateSnapshotEvent
from pydantic import BaseModel
from pydantic_ai import Agent, CallDeferred, RunContext, ToolReturn
from pydantic_ai.ui import StateDeps

from shop.scripted import scripted_model

model = os.environ.get("MODEL") or scripted_model


class Basket(BaseModel):
    articles: list[str] = []
    total: int = 0


assistant = Agent(model, deps_type=StateDeps[Basket])


@assistant.tool
def add_to_basket(context: RunContext[StateDeps[Basket]], article: str, price: int) -> ToolReturn:
    """Put an article into the basket."""
    basket = context.deps.state
    basket.articles.append(article)
    basket.total += price
    return ToolReturn(
        f"{article} is in the basket, {basket.total} in all",
        metadata=[StateSnapshotEvent(snapshot=basket.model_dump())],
    )


@assistant.tool_plain(requires_approval=True)
def pay(amount: int) -> str:
    """Pay what is in the basket."""
    return f"{amount} paid"


@assistant.tool_plain
def choose_size(article: str) -> str:
    """Ask which size the customer wants."""
    raise CallDeferred(kind="question", metadata={"message": f"Which size of {article}?"})


bookkeeper = Agent(model)
bookkeeper.tool_plain(pay, requires_approval=True)
