"""Where this adapter reaches behind the SDK's public face, all in one place.

The SDK has no hook between an approval and a tool's body, and no way to give a tool that is an agent another
agent. What is not built as it is known here raises, when the adapter is made: nothing is let through by
guessing.
"""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import copy
import functools
import inspect
import types
import weakref
from collections.abc import Awaitable, Callable
from typing import Any, TypeAlias, cast

from agents import Agent, FunctionTool, Handoff, RunResult, default_tool_error_function
from agents.agent_tool_state import (
    _agent_tool_run_results_by_obj,
    _drop_agent_tool_run_result,
    get_agent_tool_resume_state,
    get_agent_tool_state_scope,
    peek_agent_tool_run_result,
)
from agents.tool import (
    _SYNC_FUNCTION_TOOL_MARKER,
    _FailureHandlingFunctionToolInvoker,
    _get_function_tool_invoke_context,
)
from agents.tool_context import ToolContext

from reflex_agentkit.errors import ConfigurationError

Invoke: TypeAlias = Callable[[ToolContext[Any], str], Awaitable[Any]]
"""A tool's call: its context and its arguments as JSON text, to its result."""

_AGENT_CELLS = frozenset({"self", "on_stream", "on_stream_max_pending_events", "run_config"})


def guarded(tool: FunctionTool, guard: Callable[[Invoke], Invoke]) -> FunctionTool:
    """A copy of a tool whose call goes through `guard`.

    The guard stands inside of the tool's failure handling, so that it sees what the tool raises.
    """
    copied = copy.copy(tool)
    invoker = copied.on_invoke_tool
    if isinstance(invoker, _FailureHandlingFunctionToolInvoker):
        inner = invoker._invoke_tool_impl
        # `wraps` keeps what the SDK hung on the inner function: how arguments are prepared for a policy.
        outer = cast("Invoke", functools.wraps(inner)(guard(inner)))
        made = type(invoker)(outer, invoker._on_handled_error, function_tool=copied)
        if getattr(invoker, _SYNC_FUNCTION_TOOL_MARKER, False):
            setattr(made, _SYNC_FUNCTION_TOOL_MARKER, True)
        copied.on_invoke_tool = made
        return copied

    async def plain(ctx: ToolContext[Any], text: str) -> Any:
        # A tool may ask for the narrower context by its annotation.
        return await tool.on_invoke_tool(cast("Any", _get_function_tool_invoke_context(tool, ctx)), text)

    copied.on_invoke_tool = guard(plain)
    return copied


def agent_of_tool(tool: FunctionTool) -> Agent[Any] | None:
    """The agent that a tool made by `Agent.as_tool` runs; `None` for any other tool."""
    return tool._agent_instance if tool._is_agent_tool else None


def with_agent(tool: FunctionTool, agent: Agent[Any], **changed: Any) -> FunctionTool:
    """A copy of an agent tool that runs another agent, with all else that `as_tool` was given.

    Raises:
        ConfigurationError: the tool is not built as `Agent.as_tool` builds one.
    """
    invoker = tool.on_invoke_tool
    inner = _innermost(tool)
    if (
        not isinstance(invoker, _FailureHandlingFunctionToolInvoker)
        or not isinstance(inner, types.FunctionType)
        or not set(inner.__code__.co_freevars) >= _AGENT_CELLS
    ):
        raise ConfigurationError(
            f"The agent tool {tool.name!r} is not built as `Agent.as_tool` of openai-agents 0.24 builds one, "
            "so what its agent does could not be checked. Make it with `Agent.as_tool(...)` and leave its "
            "`on_invoke_tool` alone."
        )
    cells = dict(zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True))
    for name, value in {"self": agent, **changed}.items():
        cells[name] = types.CellType(value)
    made = types.FunctionType(
        inner.__code__,
        inner.__globals__,
        inner.__name__,
        inner.__defaults__,
        tuple(cells[name] for name in inner.__code__.co_freevars),
    )
    made.__kwdefaults__ = inner.__kwdefaults__
    made.__dict__.update(inner.__dict__)
    copied = copy.copy(tool)
    copied.on_invoke_tool = type(invoker)(made, invoker._on_handled_error, function_tool=copied)
    copied._agent_instance = agent
    return copied


def option_of_agent_tool(tool: FunctionTool, name: str) -> Any:
    """What `as_tool` was given for one of its options."""
    inner: Any = _innermost(tool)
    cells = dict(zip(inner.__code__.co_freevars, inner.__closure__ or (), strict=True))
    return cells[name].cell_contents


def _innermost(tool: FunctionTool) -> Any:
    """What a tool's call comes down to, behind the guards that were put around it here."""
    inner: Any = getattr(tool.on_invoke_tool, "_invoke_tool_impl", None)
    return inspect.unwrap(inner) if callable(inner) else inner


def nested_run_waits(ctx: ToolContext[Any]) -> bool:
    """Whether the agent tool of this call came back because something in it waits for a person."""
    if ctx.tool_call is None:
        return False
    found = peek_agent_tool_run_result(ctx.tool_call, scope_id=get_agent_tool_state_scope(ctx))
    return bool(getattr(found, "interruptions", None))


def forget_nested_runs(context: Any) -> None:
    """Drop what the SDK keeps of the nested runs of a run that is over, so that they could go on.

    A pause is made again from the conversation. The SDK lets go only of what goes on in the same objects.
    """
    scope = get_agent_tool_state_scope(context)
    for key in [key for key in list(_agent_tool_run_results_by_obj) if scope and key[0] == scope]:
        found = _agent_tool_run_results_by_obj.pop(key, None)
        _drop_agent_tool_run_result(key)
        state = get_agent_tool_resume_state(found)
        forget_nested_runs(getattr(found, "context_wrapper", None) if state is None else state._context)


def written_state(result: RunResult) -> dict[str, Any]:
    """The state of a run that waits, as JSON; nothing else of the run is kept."""
    state = result.to_state()
    written = state.to_json()
    forget_nested_runs(state._context)
    forget_nested_runs(result.context_wrapper)
    return written


def in_namespace(tool: FunctionTool) -> bool:
    """Whether the calls of a tool name a namespace beside it."""
    return tool._tool_namespace is not None or tool.defer_loading


def fails_by_default(tool: FunctionTool) -> bool:
    """Whether the SDK's own words are the result when the tool raises."""
    return (
        tool._use_default_failure_error_function
        or tool._failure_error_function is default_tool_error_function
    )


def raises(tool: FunctionTool) -> bool:
    """Whether the tool's author wants the run to fail when the tool raises."""
    return not tool._use_default_failure_error_function and tool._failure_error_function is None


def set_arguments(ctx: ToolContext[Any], text: str) -> None:
    """Give a call other arguments: what was prepared from the model's own is dropped."""
    ctx.tool_arguments = text
    ctx._function_tool_arguments = None


def target_of(handoff: Handoff[Any, Any]) -> Agent[Any] | None:
    """The agent that a handoff leads to, where it is known beforehand."""
    found = handoff._agent_ref() if handoff._agent_ref is not None else None
    return cast("Agent[Any]", found) if isinstance(found, Agent) else None


def leading_to(handoff: Handoff[Any, Any], agent: Agent[Any] | None, invoke: Any) -> Handoff[Any, Any]:
    """A copy of a handoff that leads to another agent."""
    copied = copy.copy(handoff)
    copied.on_invoke_handoff = invoke
    copied._agent_ref = weakref.ref(agent) if agent is not None else None
    return copied
