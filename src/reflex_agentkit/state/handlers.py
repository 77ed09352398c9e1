"""Event handlers for answers: bound in the browser to what it shows at the moment of the click."""

from __future__ import annotations

from typing import Any, cast

from reflex_base.event import EventHandler, EventSpec, PointerEventInfo
from reflex_base.vars.base import Var

_TARGETS = ("interrupt_id", "digest")
"""Parameters that say what an answer is for. An event's own value never lands there."""


class ShownVar(Var[Any]):
    """A var of the page that means nothing in Python, where no page is shown."""

    def _decode(self) -> Any:
        return None


class AnswerSpec(EventSpec):
    """An answering event with its arguments. What the event carries fills the first parameter, or nothing."""

    def add_args(self, *args: Var[Any]) -> EventSpec:
        spec = cast("Any", self)
        bound = {str(name) for name, _ in spec.args}
        first = _names(spec.handler)[0]
        if not args or first in bound or first in _TARGETS or _is_pointer(args[0]):
            return self
        return spec.with_args(((Var(_js_expr=first), args[0]), *spec.args))


class AnswerHandler(EventHandler):
    """The handler of an answering event.

    Reflex fills parameters that a call leaves open with what the browser's event carries:
    `on_click=state.approve` would send the mouse position as the edited arguments. This one never does.
    Where the call names no interrupt, the page sends the one that it shows when the person acts, so an answer
    cannot fall on what came after it.
    """

    def __call__(self, *args: Any, **kwargs: Any) -> EventSpec:
        names = _names(self)
        if args and _is_pointer(args[-1]):
            args = args[:-1]
        given = [*names[: len(args)], *kwargs]
        if "shown" in names and "interrupt_id" not in given:
            kwargs = {**kwargs, "interrupt_id": self._shown("id"), "shown": self._shown("digest")}
        spec = cast("Any", super().__call__(*args, **kwargs))
        return AnswerSpec(handler=self, args=spec.args, event_actions=spec.event_actions)

    def _shown(self, field: str) -> Var[Any]:
        state = cast("Any", self.state)
        var = getattr(state.pending_interrupt, field)
        return ShownVar(_js_expr=str(var), _var_type=str, _var_data=var._get_all_var_data())


def _names(handler: EventHandler) -> list[str]:
    return list(handler.get_parameters())[1:]


def _is_pointer(value: object) -> bool:
    return isinstance(value, Var) and cast("Any", value)._var_type is PointerEventInfo
