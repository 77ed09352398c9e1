"""The shared state between a page and an agent."""

from __future__ import annotations

from decimal import Decimal

import pytest
from ag_ui.core import StateSnapshotEvent

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.state.shared import plain_shared, read_shared
from tests.state.states import ChatState, Trip, TripState


async def test_what_the_agent_sets_is_shown_as_the_model(page, make_kit):
    TripState.kit = kit = await make_kit(
        ScriptedAgent([StateSnapshotEvent(snapshot={"city": "Oslo", "nights": 2})])
    )
    await page.fire(TripState.send_message("Go"))
    await kit.wait((await page.show(TripState)).thread_id)
    await page.fire(TripState.sync(0))
    assert (await page.show(TripState)).shared_state == Trip(city="Oslo", nights=2)


async def test_what_the_page_sets_reaches_the_next_run(page, make_kit):
    agent = ScriptedAgent()
    TripState.kit = kit = await make_kit(agent)
    await page.fire(TripState.set_shared_state({"city": "Oslo"}))
    assert (await page.show(TripState)).shared_state == Trip(city="Oslo")
    await page.fire(TripState.send_message("Go"))
    await kit.wait((await page.show(TripState)).thread_id)
    assert agent.inputs[0].state == {"city": "Oslo", "nights": 1}


@pytest.mark.parametrize("value", [{"nights": "many"}, [1], "x", 5])
async def test_what_does_not_fit_is_refused_with_its_place(page, make_kit, value):
    TripState.kit = await make_kit(ScriptedAgent())
    await page.fire(TripState.attach())
    await page.fire(TripState.set_shared_state(value))
    state = await page.show(TripState)
    assert (state.notice.code, state.shared_state) == ("invalid_answer", Trip())


async def test_a_state_of_the_agent_that_does_not_fit_leaves_the_page_as_it_is(page, make_kit, caplog):
    TripState.kit = kit = await make_kit(ScriptedAgent([StateSnapshotEvent(snapshot={"nights": "many"})]))
    await page.fire(TripState.send_message("Go"))
    await kit.wait((await page.show(TripState)).thread_id)
    await page.fire(TripState.sync(0))
    assert (await page.show(TripState)).shared_state == Trip()
    assert "does not fit" in caplog.text


async def test_without_a_model_it_is_an_object_as_it_is(page, chat):
    kit = await chat(ScriptedAgent([StateSnapshotEvent(snapshot={"any": [1, None]})]))
    await page.fire(ChatState.send_message("Go"))
    await kit.wait((await page.show(ChatState)).thread_id)
    await page.fire(ChatState.sync(0))
    assert (await page.show(ChatState)).shared_state == {"any": [1, None]}


def test_reading_and_writing_are_plain():
    assert read_shared(None, None) == {}
    assert read_shared(None, [1]) == {}
    assert plain_shared(Trip(city="x")) == {"city": "x", "nights": 1}
    with pytest.raises(InvalidAnswerError, match="cannot be sent"):
        plain_shared(object())
    assert plain_shared({"n": Decimal("1.5")}) == {"n": "1.5"}
