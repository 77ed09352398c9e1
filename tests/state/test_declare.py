"""What an `AgentState` class declares, and what its events are bound to on a page."""

from __future__ import annotations

import dataclasses
from typing import Any, TypedDict

import pydantic
import pytest
import reflex as rx

from reflex_agentkit import AgentKit, AgentState, ConfigurationError
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.live.channel_asset import thread_sync
from reflex_agentkit.state.classes import state_classes
from reflex_agentkit.state.declare import kit_of
from tests.state.states import ChatState, Trip, TripState


class OneState(AgentState):
    agent = ScriptedAgent()


class TwoState(AgentState):
    agent = ScriptedAgent()


class BelowState(OneState):
    pass


class NoAgentState(AgentState):
    pass


class SharingState(AgentState):
    kit = AgentKit(ScriptedAgent(), "memory:")


class OwnAgentsState(AgentState):
    def get_agent(self) -> Any:
        return ScriptedAgent()


class BaseState(AgentState, mixin=True):
    agent = ScriptedAgent()


class LeftState(BaseState):
    pass


class RightState(BaseState):
    pass


def event(component: rx.Component, trigger: str = "on_click") -> dict[str, str]:
    return {str(name): str(value) for name, value in component.event_triggers[trigger].events[0].args}


def button(handler) -> dict[str, str]:
    return event(rx.el.button("x", on_click=handler))


def form(handler) -> dict[str, str]:
    return event(rx.form(on_submit=handler), "on_submit")


def test_what_is_declared_is_plain_python_and_never_a_var():
    sent = {*OneState.vars, *OneState.get_fields()}
    assert not sent & {"agent", "kit", "shared_state_model", "thread_param"}
    assert isinstance(OneState.agent, ScriptedAgent)
    assert OneState(_reflex_internal_init=True).agent is OneState.agent


def test_each_class_has_vars_events_and_a_kit_of_its_own():
    assert str(OneState.messages) != str(TwoState.messages)
    assert OneState.event_handlers["approve"].state is OneState
    assert OneState.kit is OneState.kit is not TwoState.kit
    assert LeftState.kit is not RightState.kit
    assert BelowState.kit is OneState.kit
    assert SharingState.kit is kit_of(SharingState)
    assert isinstance(OwnAgentsState.kit, AgentKit)


def test_an_agent_that_is_put_in_later_makes_another_kit():
    before = TwoState.kit
    TwoState.agent = ScriptedAgent()
    assert TwoState.kit is not before


def test_a_class_without_an_agent_says_what_to_do():
    with pytest.raises(ConfigurationError, match=r"NoAgentState has no agent.*get_agent"):
        kit_of(NoAgentState)
    assert NoAgentState in state_classes()
    assert BaseState not in state_classes()


def test_the_class_of_the_page_is_not_asked_for_what_others_build_on():
    assert {OneState, LeftState, ChatState} <= set(state_classes())


def test_a_kit_that_is_none_is_refused():
    class WrongState(AgentState):
        kit = "memory:"

    with pytest.raises(ConfigurationError, match="must be an AgentKit"):
        kit_of(WrongState)


class Loose(TypedDict, total=False):
    city: str


@dataclasses.dataclass
class Table:
    rows: list[str] = dataclasses.field(default_factory=list)


class LooseState(AgentState):
    agent = ScriptedAgent()
    shared_state_model = Loose


class TableState(AgentState):
    agent = ScriptedAgent()
    shared_state_model = Table


def test_the_shared_state_is_typed_by_its_model():
    assert 'shared_state_rx_state_?.["nights"]' in str(TripState.shared_state.nights)
    with pytest.raises(AttributeError):
        TripState.shared_state.nigths  # noqa: B018
    assert TripState(_reflex_internal_init=True).shared_state == Trip()
    assert LooseState(_reflex_internal_init=True).shared_state == {}
    assert TableState(_reflex_internal_init=True).shared_state == Table()


class Demanding(pydantic.BaseModel):
    city: str


@pytest.mark.parametrize("model", [Demanding, int, "Trip", Trip()], ids=repr)
def test_a_model_that_cannot_begin_empty_is_refused_where_the_class_is_made(model):
    with pytest.raises(ConfigurationError, match="shared_state_model"):
        type(AgentState)("BadState", (AgentState,), {"__module__": __name__, "shared_state_model": model})


SHOWN = {
    "interrupt_id": 'pending_interrupt_rx_state_?.["id"]',
    "shown": 'pending_interrupt_rx_state_?.["digest"]',
}


def short(args: dict[str, str]) -> dict[str, str]:
    return {
        name: value.rpartition(".pending")[2] and value[value.find("pending_interrupt") :]
        if "pending_interrupt_rx" in value
        else value
        for name, value in args.items()
    }


@pytest.mark.parametrize("name", ["approve", "reject", "respond", "cancel_interrupt", "respond_to_interrupt"])
def test_a_bare_click_sends_what_the_page_shows_and_never_the_mouse(name):
    assert short(button(getattr(OneState, name))) == SHOWN
    assert short(button(getattr(OneState, name)())) == SHOWN
    assert short(button(getattr(OneState, name).stop_propagation)) == SHOWN


def test_what_a_call_names_is_what_is_sent():
    assert button(OneState.approve(interrupt_id="int-1")) == {"interrupt_id": '"int-1"'}
    assert button(OneState.cancel_interrupt("int-1")) == {"interrupt_id": '"int-1"'}
    assert button(OneState.decide("int-1", "d", "approve")) == {
        "interrupt_id": '"int-1"',
        "digest": '"d"',
        "decision": '"approve"',
    }
    assert short(button(OneState.reject("too dear"))) == {"reason": '"too dear"', **SHOWN}


def test_a_form_gives_its_data_as_the_answer():
    assert short(form(OneState.respond_to_interrupt)) == {"answer": "form_data", **SHOWN}
    assert form(OneState.respond_to_interrupt(interrupt_id="q")) == {
        "answer": "form_data",
        "interrupt_id": '"q"',
    }
    seed = form(lambda data: OneState.respond_to_interrupt(data.to(dict)["answer"]))
    assert short(seed) == {"answer": 'form_data?.["answer"]', **SHOWN}
    assert short(form(OneState.reject("no"))) == {"reason": '"no"', **SHOWN}


def test_the_page_is_kept_in_step_by_one_component():
    props = str(thread_sync(OneState).render())
    for wanted in (OneState.get_full_name(), "onSync", "onConnect", "address_rx_state_", '"thread"'):
        assert wanted in props


async def test_s07_no_event_sets_a_var(page, chat):
    await chat()
    await page.fire(ChatState.attach())
    for name, value in (("run_status", "idle"), ("pending_interrupts", []), ("thread_id", "thread-x")):
        before = getattr(await page.show(ChatState), name)
        with pytest.raises(Exception, match="set"):
            await page.fire(ChatState.event_handlers["setvar"](name, value))
        page.errors.clear()
        assert getattr(await page.show(ChatState), name) == before
