"""What an `AgentState` class declares: its agent, its kit, its shared state's model. None of it is a var."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, cast

import reflex as rx
from reflex_base.vars.base import BaseStateMeta

from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.state.handlers import AnswerHandler
from reflex_agentkit.state.shared import check_model

DECLARED = ("agent", "kit", "shared_state_model", "thread_param")
"""Plain class attributes: kept on the class, never sent to a browser."""

HOOKS = ("get_agent", "get_user")
"""Methods that the app may write and no browser may call."""

ANSWERING = ("respond_to_interrupt", "approve", "reject", "respond", "cancel_interrupt", "decide")
"""Events whose arguments must be what the page's author wrote, and nothing that an event happens to carry."""

_MIXIN = "__agentkit_mixin__"
_KIT = "__agentkit_kit__"
_IS_BASE = "__agentkit_base__"


class Held:
    """A Python object on a state class. Reflex makes vars of plain attributes, but not of descriptors."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self.value


class OwnKit(Held):
    """Stands for the kit of a class that names none: one of its own, made when it is first asked for."""

    def __init__(self) -> None:
        super().__init__(None)

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return None if owner is None or is_mixin(owner) else kit_of(owner)


class Hook:
    """A method of a state class that is no event: Reflex makes those of functions, not of descriptors."""

    def __init__(self, method: Callable[..., Any], *, is_default: bool = False) -> None:
        self.method = method
        self.is_default = is_default

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        return self.method if instance is None else self.method.__get__(instance, owner)


class AgentStateMeta(BaseStateMeta):
    """Makes `AgentState` classes: what they declare stays plain Python, and each has vars of its own."""

    def __new__(
        cls,
        name: str,
        bases: tuple[type, ...],
        namespace: dict[str, Any],
        mixin: bool = False,
        **options: Any,
    ) -> type:
        model = namespace.get("shared_state_model")
        for key in DECLARED:
            if key in namespace and not isinstance(namespace[key], Held):
                namespace[key] = Held(namespace[key])
                namespace.get("__annotations__", {}).pop(key, None)
        for key in HOOKS:
            if callable(namespace.get(key)):
                namespace[key] = Hook(namespace[key], is_default=_IS_BASE in namespace)
        if model is not None and not isinstance(model, Held):
            fresh = check_model(model, name)
            namespace.setdefault("__annotations__", {})["shared_state"] = model
            namespace["shared_state"] = cast("Any", rx.field)(default_factory=fresh)
        # A name with two underscores on both sides: anything else would become a var.
        namespace[_MIXIN] = mixin
        return super().__new__(cls, name, bases, namespace, mixin=mixin, **options)

    def __setattr__(cls, name: str, value: Any) -> None:  # noqa: N805 - it is a metaclass
        if name in DECLARED and not isinstance(value, Held):
            value = Held(value)
            if name in ("agent", "kit") and _KIT in vars(cls):
                type.__delattr__(cls, _KIT)
        super().__setattr__(name, value)


def declared_mixin(state_class: type) -> bool:
    """Whether the class said `mixin=True` itself."""
    return bool(vars(state_class).get(_MIXIN))


def drop_setters(state_class: Any, names: Iterable[str]) -> None:
    """Take away what Reflex makes of our vars with `state_auto_setters`.

    Any browser could set which thread it shows, and what is asked there.
    """
    for name in names:
        setter = f"set_{name}"
        handler = state_class.event_handlers.get(setter)
        # An event of our own may bear such a name; Reflex's setter is a function without a module of ours.
        if handler is not None and not handler.fn.__module__.startswith("reflex_agentkit."):
            del state_class.event_handlers[setter]
            if setter in vars(state_class):
                type.__delattr__(state_class, setter)


def bind_answers(state_class: Any) -> None:
    """Give a state class's answering events their own kind of handler."""
    for name in ANSWERING:
        handler = state_class.event_handlers.get(name)
        if handler is not None and not isinstance(handler, AnswerHandler):
            own = AnswerHandler(fn=handler.fn, state=handler.state, event_actions=handler.event_actions)
            state_class.event_handlers[name] = own
            setattr(state_class, name, own)


def kit_of(state_class: Any) -> AgentKit:
    """The kit of a state class: the one it names, else one of its own around its agent.

    Raises:
        ConfigurationError: the class names neither an agent, nor `get_agent`, nor a kit.
    """
    declared = _declared(state_class, "kit")
    if isinstance(declared, Held) and not isinstance(declared, OwnKit):
        if not isinstance(declared.value, AgentKit):
            raise ConfigurationError(
                f"{state_class.__name__}.kit is {declared.value!r}; it must be an AgentKit"
            )
        return declared.value
    home = _home(state_class)
    made = _declared(home, _KIT)
    if made is None:
        if home.agent is None and not has_own_agents(home):
            raise ConfigurationError(
                f"{home.__name__} has no agent. Give the class one of: `agent = PydanticAIAgent(...)`, "
                "a method `get_agent(self)` for one agent per user, or `kit = AgentKit(...)` to share a kit."
            )
        made = Held(AgentKit(home.agent))
        setattr(home, _KIT, made)
    return made.value


def has_kit(state_class: Any) -> bool:
    """Whether a kit can be had from the class."""
    try:
        kit_of(state_class)
    except ConfigurationError:
        return False
    return True


def has_own_agents(state_class: Any) -> bool:
    """Whether the class makes an agent per user."""
    return not getattr(_declared(state_class, "get_agent"), "is_default", False)


def _declared(state_class: Any, name: str) -> Any:
    """What a class or the first of its bases holds under a name, the descriptor itself."""
    holders: list[type] = [base for base in state_class.__mro__ if name in vars(base)]
    return vars(holders[0])[name] if holders else None


def _home(state_class: Any) -> Any:
    """The class that holds the kit: a state below another one shares its vars, so it shares its kit."""
    concrete = [
        base for base in state_class.__mro__ if isinstance(base, AgentStateMeta) and not is_mixin(base)
    ]
    own = next((base for base in concrete if "agent" in vars(base) or "get_agent" in vars(base)), None)
    return own or (concrete[-1] if concrete else state_class)


def is_mixin(state_class: Any) -> bool:
    """Whether the class is only built on, and never a state by itself."""
    return bool(state_class._mixin)
