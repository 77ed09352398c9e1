"""LangChain's `HumanInTheLoopMiddleware`: an approval for each action, and the answers as it wants them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ag_ui.core import Interrupt, ResumeEntry

from reflex_agentkit.adapters._notice import NOT_AGAIN, cancellation
from reflex_agentkit.adapters.langgraph.middleware_request import Action, Request, read_request
from reflex_agentkit.adapters.langgraph.values import same
from reflex_agentkit.errors import InvalidAnswerError
from reflex_agentkit.protocol.payload import approval_schema, read_payload


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposedCall:
    """A call in the model's last message. `args_schema` is the argument schema of its tool, where known."""

    id: str
    name: str
    args: dict[str, Any]
    args_schema: dict[str, Any] | None = None


def is_request(value: Any) -> bool:
    """Whether an interrupt's value is a request of the middleware."""
    return read_request(value, None) is not None


def wire_ids(interrupt_id: str, value: Any) -> list[str]:
    """The ids of the approvals that a request becomes, in the order of its actions."""
    request = _request(value, None)
    if not request.batched:
        return [interrupt_id]
    return [f"{interrupt_id}#{place}" for place in range(len(request.actions))]


def fan_out(
    interrupt_id: str,
    value: Any,
    *,
    proposed: Sequence[ProposedCall],
    response_schema: dict[str, Any] | None = None,
) -> list[Interrupt]:
    """One approval per action of a request.

    `proposed` are the calls of the model's last message: a batched request names none, so each action is
    matched by name and arguments, in order. An action whose call is not there becomes a question, since no
    call can be bound to its answer. `response_schema` is that of LangGraph's interrupt; a request per call
    says in it what is allowed.
    """
    request = _request(value, response_schema)
    left = list(proposed)
    found: list[Interrupt] = []
    for wire_id, action in zip(wire_ids(interrupt_id, value), request.actions, strict=True):
        call = next((one for one in left if _is_about(action, one)), None)
        if call is not None:
            left.remove(call)
        found.append(_approval(wire_id, action, call))
    return found


def gather(
    value: Any, entries: Sequence[ResumeEntry | None], *, response_schema: dict[str, Any] | None = None
) -> Any:
    """The answers to one request, one entry per action in order, in the shape that the middleware wants.

    An action with `None` is passed over: such a value is none that the middleware can be given.

    Raises:
        InvalidAnswerError: not one entry per action, an entry that is unclear, or a decision that the action
            does not allow. LangGraph would keep such an answer and serve it again for ever.
    """
    request = _request(value, response_schema)
    if len(entries) != len(request.actions):
        raise InvalidAnswerError(
            f"The request has {len(request.actions)} actions, and {len(entries)} were answered; "
            "answer or cancel every one."
        )
    decisions = [
        _decision(action, entry, camel=request.camel)
        for action, entry in zip(request.actions, entries, strict=True)
        if entry is not None
    ]
    return {"decisions": decisions} if request.batched or not decisions else decisions[0]


def _approval(wire_id: str, action: Action, call: ProposedCall | None) -> Interrupt:
    args_schema = (call.args_schema if call else None) or action.args_schema
    return Interrupt(
        id=wire_id,
        reason="tool_call",
        message=action.description,
        tool_call_id=action.call_id or (call.id if call else None),
        response_schema=approval_schema(
            args_schema, edit="edit" in action.allowed, respond="respond" in action.allowed
        ),
        metadata={
            "toolName": action.name,
            "tool_input": action.args,
            "allowedDecisions": [*action.allowed, "cancel"],
        },
    )


def _is_about(action: Action, call: ProposedCall) -> bool:
    if action.call_id is not None:
        return action.call_id == call.id
    return action.name == call.name and same(action.args, call.args)


def _decision(action: Action, entry: ResumeEntry, *, camel: bool) -> dict[str, Any]:
    if entry.status == "cancelled":
        return _cancelled(action, expired=(entry.metadata or {}).get("reason") == "expired")
    if entry.status != "resolved":
        raise InvalidAnswerError(
            f"The status of an entry is 'resolved' or 'cancelled', not {entry.status!r}.", path="/status"
        )
    said = read_payload(entry.payload)
    if said.approved:
        if said.editedArgs is None or same(said.editedArgs, action.args):
            return _allowed(action, {"type": "approve"})
        key = "editedAction" if camel else "edited_action"
        return _allowed(action, {"type": "edit", key: {"name": action.name, "args": said.editedArgs}})
    if said.response is not None:
        return _allowed(action, {"type": "respond", "message": said.response})
    reason = (said.reason or "").strip()
    # Without a reason the middleware's own words say that a person refused, and not to try again.
    message = {"message": f"{reason}\n{NOT_AGAIN}"} if reason else {}
    return _allowed(action, {"type": "reject", **message})


def _cancelled(action: Action, *, expired: bool) -> dict[str, Any]:
    """The middleware knows no cancelling: the model is told in the words of a rejection, or as the result."""
    text = cancellation(expired=expired)
    if "reject" not in action.allowed and "respond" in action.allowed:
        return {"type": "respond", "message": text}
    return _allowed(action, {"type": "reject", "message": text})


def _allowed(action: Action, decision: dict[str, Any]) -> dict[str, Any]:
    if decision["type"] in action.allowed:
        return decision
    raise InvalidAnswerError(
        f"The middleware does not take {decision['type']!r} for {action.name!r}; it takes: "
        f"{', '.join(action.allowed)}. Add it to the tool's `allowed_decisions`.",
        code="not_allowed",
    )


def _request(value: Any, response_schema: dict[str, Any] | None) -> Request:
    request = read_request(value, response_schema)
    if request is None:
        raise ValueError(f"not a request of HumanInTheLoopMiddleware: {value!r}")
    return request
