"""The shop example: shared state, client tools, users and renderers do what `docs/your-own-page.md` says."""

from __future__ import annotations

import importlib
from collections.abc import AsyncIterator

import pytest

from reflex_agentkit import AgentKit, Answer, Approve
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.state.client_tools import client_tools
from tests.support.examples import example

example("shop")
agents = importlib.import_module("shop.agents")
page = importlib.import_module("shop.shop")


@pytest.fixture
async def kit() -> AsyncIterator[AgentKit]:
    async with AgentKit(PydanticAIAgent(agents.assistant)) as kit:
        yield kit


async def test_what_a_tool_puts_into_the_basket_is_in_the_shared_state_and_stays(kit: AgentKit) -> None:
    await kit.send("t", "tea")
    await kit.wait("t")
    await kit.send("t", "cup")
    await kit.wait("t")
    assert (await kit.conversation("t")).state == {"articles": ["tea", "cup"], "total": 13}


async def test_the_page_can_empty_the_basket_and_the_next_run_sees_that(kit: AgentKit) -> None:
    await kit.send("t", "tea")
    await kit.wait("t")
    await kit.set_state("t", agents.Basket().model_dump())
    await kit.send("t", "cup")
    await kit.wait("t")
    assert (await kit.conversation("t")).state == {"articles": ["cup"], "total": 9}


async def test_paying_waits_and_a_size_is_asked_for(kit: AgentKit) -> None:
    await kit.send("t", "size, then pay")
    await kit.wait("t")
    pay, size = await kit.pending("t")
    assert (pay.tool_name, pay.kind, size.tool_name, size.kind) == (
        "pay",
        "approval",
        "choose_size",
        "question",
    )
    assert (size.message, size.reason) == ("Which size of cup?", "input_required")
    await kit.answer(pay.id, Approve(), by="tester")
    await kit.answer(size.id, Answer("L"), by="tester")
    await kit.wait("t")
    assert (await kit.conversation("t")).messages[-1].text == "pay: 13 paid\n\nchoose_size: L"


async def test_the_client_tools_are_those_of_the_state(kit: AgentKit) -> None:
    tools = client_tools(page.ShopState)
    assert {name: tool.ask for name, tool in tools.items()} == {"paint_sign": False, "gift_note": True}
    told = [tool.tool() for tool in tools.values()]
    await kit.send("t", "sign and gift", tools=told, asking=["gift_note"])
    await kit.wait("t")
    assert {(one.tool_name, one.reason) for one in await kit.pending("t")} == {
        ("paint_sign", "client_tool"),
        ("gift_note", "client_tool"),
    }


async def test_the_second_agent_has_only_its_own_tools() -> None:
    async with AgentKit(PydanticAIAgent(agents.bookkeeper)) as kit:
        await kit.send("t", "tea and pay")
        await kit.wait("t")
        assert [one.tool_name for one in await kit.pending("t")] == ["pay"]
