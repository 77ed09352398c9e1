"""`request_tool_approval`: how a node or a tool asks a person whether a call may run."""

from __future__ import annotations

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any, Final, cast

from langgraph.types import interrupt

from reflex_agentkit.adapters._notice import with_notice
from reflex_agentkit.adapters.langgraph.arguments import ArgsSchema, schema_of
from reflex_agentkit.adapters.langgraph.values import normal, same
from reflex_agentkit.agents.gate import CurrentAnswer, use_answer
from reflex_agentkit.protocol.answers import refuse
from reflex_agentkit.protocol.payload import approval_schema, read_payload
from reflex_agentkit.protocol.schema import check_args

CANCELLED: Final = "__agui_cancelled__"
"""The key by which a cancelled `interrupt()` is told from an answer."""

HANDED_OUT: Final = (
    "in doubt: this call was released before, and its step began again. It may have taken effect; "
    "it does not run twice under one approval."
)
"""The reason of a decision that stands for a yes which was handed out in an earlier run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Released:
    """A yes that a node is handed: what `current_answer()` gives, and the arguments that it is about."""

    answer: CurrentAnswer
    args: dict[str, Any]


released: ContextVar[Mapping[str, Released] | None] = ContextVar("reflex_agentkit_released", default=None)
"""What was released in this run, by tool call id."""


@dataclass(frozen=True)
class ApprovalDecision:
    """What a person decided about a call.

    `args` are the arguments to run with: the edited ones where the person edited them, else those that
    were proposed. `reason` is that of a rejection, or `cancelled` or `expired` where nobody decided.
    """

    approved: bool
    args: dict[str, Any]
    reason: str | None = None
    edited: bool = False

    def tool_result(self, result: Any) -> Any:
        """The tool's result for the model: with the edit notice if the person changed the arguments."""
        return with_notice(result, self.args) if self.edited else result


def request_tool_approval(
    tool_call_id: str,
    tool_name: str,
    args: dict[str, Any],
    *,
    message: str | None = None,
    args_schema: ArgsSchema | None = None,
) -> ApprovalDecision:
    """Pause the graph until a person has decided about a call; gives the decision when the run goes on.

    For a node or a tool of a graph with a checkpointer. `args` may be others than the model proposed: the
    page shows these. LangGraph runs the node again from its start when an answer is there, so what has an
    effect belongs after this call, and nothing may be asked after the effect in the same node. The `args` of
    the decision are then those that were approved, also where the node would now ask with others. A yes is
    handed out once: a node that runs again for a later answer gets no second one, since nobody can know
    whether the call took effect. Ask about each call in a node or a `Send` of its own.

    `args_schema` says what an edit may hold: the tool (LangChain's or its function), a model or typed dict
    with its arguments, or their JSON Schema. Edited arguments are held against it before the graph goes on.
    Without one they are checked only where the graph has a tool node with a tool of this name.

    Raises:
        ConfigurationError: `args_schema` describes no arguments.
        InvalidAnswerError: the answer is unclear, or its arguments do not fit. Nothing may run, and the call
            is asked about again.
    """
    schema = None if args_schema is None else schema_of(args_schema)
    answer: Any = interrupt(
        {
            "reason": "tool_call",
            "message": message,
            "toolCallId": tool_call_id,
            "toolName": tool_name,
            "args": args,
        },
        response_schema=None if schema is None else approval_schema(schema),
    )
    if (why := cancelled_because(answer)) is not None:
        return ApprovalDecision(approved=False, args=args, reason=why)
    said = read_payload(answer)
    if not said.approved:
        return ApprovalDecision(approved=False, args=args, reason=said.reason)
    edited = said.editedArgs
    plain_args = normal(args)
    if edited is not None and same(edited, plain_args):
        edited = None
    if edited is not None and schema is not None:
        refuse(check_args(edited, schema))
    handed = released.get()
    if handed is not None and tool_call_id not in handed:
        return ApprovalDecision(approved=False, args=args, reason=HANDED_OUT)
    one = handed[tool_call_id] if handed is not None else None
    use_answer(one.answer if one else None)
    if edited is None:
        # The node began again, perhaps with other arguments: those that were shown are the approved ones.
        changed = one is not None and not same(one.args, plain_args)
        return ApprovalDecision(approved=True, args=one.args if one and changed else args)
    return ApprovalDecision(approved=True, args=edited, edited=True)


def cancellation_of(wire_id: str, why: str) -> dict[str, Any]:
    """What `interrupt()` returns where the question was cancelled."""
    return {CANCELLED: True, "interrupt_id": wire_id, "reason": why}


def cancelled_because(answer: Any) -> str | None:
    """Why an answer is none: `cancelled`, `expired`, or what stands in its place; `None` for an answer."""
    if not isinstance(answer, dict):
        return None
    given = cast("dict[str, Any]", answer)
    if given.get(CANCELLED) is not True:
        return None
    reason = given.get("reason")
    return reason if isinstance(reason, str) else "cancelled"
