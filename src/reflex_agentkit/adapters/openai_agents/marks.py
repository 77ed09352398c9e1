"""Marks on a tool: a question to the person, and what a person may decide about a call."""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, overload

from agents import FunctionTool, function_tool

from reflex_agentkit.errors import ConfigurationError

Decision: TypeAlias = Literal["approve", "edit", "reject", "respond"]

DECISIONS: tuple[Decision, ...] = ("approve", "edit", "reject")
"""What a person may decide where nothing else is said; cancelling always may be."""

_MARK = "reflex_agentkit_mark"


@dataclass(frozen=True, slots=True, kw_only=True)
class Mark:
    """What a tool's author said about its pause."""

    question: bool = False
    response_schema: dict[str, Any] | None = None
    decisions: tuple[Decision, ...] = DECISIONS


def mark_of(tool: FunctionTool) -> Mark:
    """The mark of a tool. It goes along when the SDK copies the tool."""
    return getattr(tool, _MARK, Mark())


@overload
def question_tool(function: Callable[..., Any], /) -> FunctionTool: ...
@overload
def question_tool(
    *, response_schema: dict[str, Any] | None = None, **options: Any
) -> Callable[[Callable[..., Any]], FunctionTool]: ...
def question_tool(
    function: Callable[..., Any] | None = None,
    /,
    *,
    response_schema: dict[str, Any] | None = None,
    **options: Any,
) -> FunctionTool | Callable[[Callable[..., Any]], FunctionTool]:
    """Make a function a tool by which the model asks the person.

        @question_tool(response_schema={"type": "integer"})
        def ask_for_nights(message: str) -> int:
            "Ask how many nights the person wants to stay."
            return current_answer().payload

    A call pauses the run as a question whose text is the argument `message` or `question`. The body runs when
    the person has answered: `current_answer().payload` is the answer, and what the body returns is the
    tool's result. It may run again after a crash, so it should do nothing but shape the answer. A
    cancelled question is told to the model, and the body does not run.

    Args:
        function: the function, where the decorator is used without options.
        response_schema: the JSON schema of the answer; a form is made from it and the answer held against it.
        options: options of the SDK's `function_tool`.

    Raises:
        ConfigurationError: `needs_approval` among the options; a question is no approval.
    """
    if "needs_approval" in options:
        raise ConfigurationError(
            "A question is answered, not approved: leave needs_approval out, or use function_tool."
        )
    mark = Mark(question=True, response_schema=response_schema, decisions=())

    def make(asking: Callable[..., Any]) -> FunctionTool:
        return _marked(function_tool(asking, needs_approval=True, **options), mark)

    return make if function is None else make(function)


def allow_decisions(tool: FunctionTool, decisions: Sequence[Decision]) -> FunctionTool:
    """A copy of a tool with what a person may decide about its calls.

    `respond` lets a person give the tool's result by hand; without `edit` the arguments are taken or left.

        pay = allow_decisions(pay, ["approve", "reject"])

    Raises:
        ConfigurationError: no decision, or one that does not exist.
    """
    known: tuple[Decision, ...] = ("approve", "edit", "reject", "respond")
    if not decisions or any(one not in known for one in decisions):
        raise ConfigurationError(
            f"A call of {tool.name!r} can be decided by one or more of {', '.join(known)}; "
            f"it got {list(decisions)!r}."
        )
    chosen: tuple[Decision, ...] = tuple(one for one in known if one in decisions)
    return _marked(copy.copy(tool), Mark(decisions=chosen))


def _marked(tool: FunctionTool, mark: Mark) -> FunctionTool:
    setattr(tool, _MARK, mark)
    return tool
