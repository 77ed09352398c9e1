"""A request of LangChain's `HumanInTheLoopMiddleware`, read from an interrupt's value.

It asks in two modes, batched (one request with several actions) and per call (one request an action), and in
the spellings of Python and of JavaScript. All are read; an answer is spelled as its request was.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, cast

from reflex_agentkit.adapters.langgraph.decision_schema import DECISIONS, DecisionType, read_decision_schema

PER_CALL: Final = "tool_approval"
"""The `type` of a request about one call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One call that the middleware asks about."""

    name: str
    args: dict[str, Any]
    description: str | None
    allowed: tuple[DecisionType, ...]
    call_id: str | None = None
    args_schema: dict[str, Any] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What one interrupt of the middleware asks. `camel`: in the spelling of JavaScript."""

    actions: tuple[Action, ...]
    batched: bool
    camel: bool


def read_request(value: Any, response_schema: dict[str, Any] | None) -> Request | None:
    """The request that a value holds; `None` where it is something else or cannot be read whole."""
    if not isinstance(value, dict):
        return None
    given = cast("dict[str, Any]", value)
    if given.get("type") == PER_CALL:
        return _read_one(given, response_schema)
    for camel, actions, configs in (
        (False, "action_requests", "review_configs"),
        (True, "actionRequests", "reviewConfigs"),
    ):
        if actions in given and configs in given:
            found = _read_several(given[actions], given[configs])
            return Request(actions=found, batched=True, camel=camel) if found else None
    return None


def _read_one(given: Mapping[str, Any], response_schema: dict[str, Any] | None) -> Request | None:
    camel = "toolCallId" in given
    call_id = given.get("toolCallId" if camel else "tool_call_id")
    allowed, args_schema = read_decision_schema(response_schema)
    action = _action(given, allowed, call_id=call_id, args_schema=args_schema)
    if action is None or not isinstance(call_id, str):
        return None
    return Request(actions=(action,), batched=False, camel=camel)


def _read_several(actions: Any, configs: Any) -> tuple[Action, ...]:
    """The actions of a batched request; empty where one of them cannot be read."""
    if not isinstance(actions, list) or not isinstance(configs, list):
        return ()
    reviews = [cast("dict[str, Any]", one) for one in cast("list[Any]", configs) if isinstance(one, dict)]
    found: list[Action] = []
    for place, given in enumerate(cast("list[Any]", actions)):
        action = _action(given, _allowed_for(given, place, reviews))
        if action is None:
            return ()
        found.append(action)
    return tuple(found)


def _action(
    given: Any,
    allowed: tuple[DecisionType, ...],
    *,
    call_id: str | None = None,
    args_schema: dict[str, Any] | None = None,
) -> Action | None:
    if not isinstance(given, Mapping):
        return None
    fields = cast("Mapping[str, Any]", given)
    name, args, description = fields.get("name"), fields.get("args"), fields.get("description")
    if not isinstance(name, str) or not isinstance(args, dict):
        return None
    return Action(
        name=name,
        args=cast("dict[str, Any]", args),
        description=description if isinstance(description, str) and description else None,
        allowed=allowed,
        call_id=call_id,
        args_schema=args_schema,
    )


def _allowed_for(given: Any, place: int, reviews: Sequence[Mapping[str, Any]]) -> tuple[DecisionType, ...]:
    """What may be decided about the action at `place`: by position, else by name. Unclear means no."""
    name = cast("Mapping[str, Any]", given).get("name") if isinstance(given, Mapping) else None
    at_place = reviews[place : place + 1]
    for review in (*at_place, *reviews):
        named = review.get("action_name", review.get("actionName"))
        if named == name or (named is None and review in at_place):
            listed: Any = review.get("allowed_decisions", review.get("allowedDecisions"))
            if isinstance(listed, Iterable) and not isinstance(listed, str):
                texts = {str(one) for one in cast("Iterable[Any]", listed)}
                return tuple(one for one in DECISIONS if one in texts) or ("reject",)
    return ("reject",)
