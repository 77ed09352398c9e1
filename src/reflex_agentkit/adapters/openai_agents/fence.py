"""The fence around tools: a call that needed a yes runs as it was approved, once, and its end is kept."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any, cast

from agents import (
    FunctionTool,
    ItemHelpers,
    ToolGuardrailFunctionOutput,
    ToolInputGuardrail,
    ToolInputGuardrailData,
    ToolOutputText,
)
from agents.tool_context import ToolContext

from reflex_agentkit.adapters._notice import edit_notice, failure, named, with_notice
from reflex_agentkit.adapters.openai_agents.answers import Yes
from reflex_agentkit.adapters.openai_agents.content import Content, shown, text_of
from reflex_agentkit.adapters.openai_agents.internals import (
    Invoke,
    agent_of_tool,
    fails_by_default,
    guarded,
    nested_run_waits,
    raises,
    set_arguments,
)
from reflex_agentkit.adapters.openai_agents.numbers import arguments, exact_text
from reflex_agentkit.agents.gate import CurrentAnswer, Gate, answering
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text

STOPPED = "The tool was stopped before its end."
"""What is wrong with a call that ran out of its time."""


class Once:
    """The approved calls that began while no server noted it, so that a repeated input runs none twice.

    It helps where an agent is run without an engine, as long as the process lives; the engine's gate needs
    no help. It keeps the last calls only.
    """

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._keys: dict[str, None] = {}

    def begin(self, key: str, tool_name: str) -> None:
        """Note that a call begins.

        Raises:
            GateError: it began before.
        """
        if key in self._keys:
            raise GateError(f"The call of {tool_name!r} began before; it does not run twice.")
        self._keys[key] = None
        if len(self._keys) > self._limit:
            del self._keys[next(iter(self._keys))]


class Fence:
    """Stands before the tools of one run.

    What goes wrong at a gate ends the run, but not at once: the SDK would cancel the approved calls beside
    it. They come to their end, and the run fails before the model is asked again.
    """

    def __init__(self, gate: Gate | None, once: Once, *, notify_edited_args: bool) -> None:
        self.approved: dict[str, Yes] = {}
        self.going_on: dict[str, dict[str, Any] | None] = {}
        """Calls of agent tools that had their yes in an earlier run and go on in this one.

        With each the arguments that it runs with, where a person changed them.
        """
        self.failed: dict[str, str] = {}
        """What the tools of this run raised, by call id."""
        self.stopped: set[str] = set()
        """Calls that were not let through: they did not run, so they get no result."""
        self.faults: list[Exception] = []
        self._gate = gate
        self._once = once
        self._notify = notify_edited_args
        self._begun: set[str] = set()

    def around(self, tool: FunctionTool, *, asks: bool) -> FunctionTool:
        """A copy of a tool that runs behind this fence. `asks`: no call of it runs without a yes."""

        def guard(invoke: Invoke) -> Invoke:
            async def call(ctx: ToolContext[Any], text: str) -> Any:
                if asks and ctx.tool_call_id not in {*self.approved, *self.going_on}:
                    return self._stop(
                        ctx.tool_call_id, GateError(f"Nobody approved this call of {tool.name!r}.")
                    )
                return await self._run(tool, invoke, ctx, text)

            return call

        made = guarded(tool, guard)
        # The first of the guardrails: those of the application and the hooks judge what will run.
        put: ToolInputGuardrail[Any] = ToolInputGuardrail(
            guardrail_function=partial(self._put_arguments, tool), name="approved_arguments"
        )
        made.tool_input_guardrails = [put, *(tool.tool_input_guardrails or ())]
        return made

    def edited(self, call_id: str) -> dict[str, Any] | None:
        """The arguments of a call that a person changed; `None` where nobody did."""
        yes = self.approved.get(call_id)
        return yes.args if yes is not None and yes.edited else None

    def check(self) -> None:
        """Raise what went wrong at a tool, if anything did. A stop at the gate goes before a tool's error."""
        for fault in sorted(self.faults, key=lambda fault: not isinstance(fault, GateError)):
            raise fault

    async def _run(self, tool: FunctionTool, invoke: Invoke, ctx: ToolContext[Any], text: str) -> Any:
        call_id = ctx.tool_call_id
        yes = self.approved.get(call_id)
        if yes is None:
            return await self._watched(call_id, invoke, ctx, text)
        try:
            answer = await self._let_through(tool, yes, ctx, text)
        except Exception as error:  # whatever keeps the gate from saying yes is a no
            return self._stop(call_id, error)
        if (other := _other_text(tool, yes)) is not None:
            text = other
            set_arguments(ctx, text)

        async def body() -> Any:
            with answering(answer):
                return await invoke(ctx, text)

        return await self._approved(tool, yes, ctx, body)

    def _put_arguments(self, tool: FunctionTool, data: ToolInputGuardrailData) -> ToolGuardrailFunctionOutput:
        yes = self.approved.get(data.context.tool_call_id)
        if yes is not None and yes.name == tool.name and (other := _other_text(tool, yes)) is not None:
            set_arguments(data.context, other)
        return ToolGuardrailFunctionOutput.allow()

    async def _watched(self, call_id: str, invoke: Invoke, ctx: ToolContext[Any], text: str) -> Any:
        try:
            result = await invoke(ctx, text)
        except asyncio.CancelledError:
            self.failed[call_id] = STOPPED
            raise
        except Exception as error:
            self.failed[call_id] = named(error)
            raise
        args = self.going_on.get(call_id)
        if args is None or not self._notify or nested_run_waits(ctx):
            return result
        return _noticed(ctx, result, args)

    async def _let_through(
        self, tool: FunctionTool, yes: Yes, ctx: ToolContext[Any], text: str
    ) -> CurrentAnswer:
        call_id = ctx.tool_call_id
        if call_id in self._begun:
            raise GateError(f"The call {call_id!r} began in this run; it does not run twice.")
        if tool.name != yes.name:
            raise GateError(f"{yes.name!r} was approved, {tool.name!r} would run.")
        if not yes.edited and not json_text.same(arguments(text), yes.args):
            raise GateError(f"The arguments of {tool.name!r} are not the ones that were approved.")
        answer = yes.answer
        if yes.question:
            pass
        elif self._gate is not None:
            answer = await self._gate.begin(call_id, tool.name, yes.args)
        else:
            self._once.begin(answer.idempotency_key, tool.name)
        self._begun.add(call_id)
        return answer

    async def _approved(
        self, tool: FunctionTool, yes: Yes, ctx: ToolContext[Any], body: Callable[[], Awaitable[Any]]
    ) -> Any:
        call_id = ctx.tool_call_id
        try:
            result = await _to_its_end(body)
        except asyncio.CancelledError:
            self.failed[call_id] = STOPPED  # nobody knows whether it took effect, so the gate is told nothing
            raise
        except Exception as error:
            self.failed[call_id] = named(error)
            await self._note_failed(yes, call_id, error)
            if not (fails_by_default(tool) or raises(tool)):
                raise
            if raises(tool):
                self.faults.append(error)
            # The SDK's own words ask the model to try again; nobody said yes to that.
            text = failure(error)
            return with_notice(text, yes.args) if self._tells_edit(yes) else text
        if agent_of_tool(tool) is not None and nested_run_waits(ctx):
            # It is not over, but its yes is used up: going on needs no second one.
            await self._note_done(yes, call_id, "")
            return result
        if self._tells_edit(yes):
            result = _noticed(ctx, result, yes.args)
        await self._note_done(yes, call_id, text_of(_as_shown(ctx, result)))
        return result

    def _stop(self, call_id: str, error: Exception) -> str:
        self.faults.append(error)
        self.stopped.add(call_id)
        return named(error)  # goes nowhere: the result of a stopped call is dropped

    async def _note_done(self, yes: Yes, call_id: str, text: str) -> None:
        if self._gate is not None and not yes.question:
            try:
                await self._gate.done(call_id, text)
            except Exception as error:  # the tool ran: its result must still be told
                self.faults.append(error)

    async def _note_failed(self, yes: Yes, call_id: str, error: Exception) -> None:
        if self._gate is not None and not yes.question:
            try:
                await self._gate.failed(call_id, named(error))
            except Exception as fault:
                self.faults.append(fault)

    def _tells_edit(self, yes: Yes) -> bool:
        return yes.edited and self._notify


def _other_text(tool: FunctionTool, yes: Yes) -> str | None:
    """The arguments that a tool is given in place of the model's own text, if any."""
    exact = exact_text(yes.args, tool.params_json_schema)
    return exact if yes.edited or exact != json_text.write(yes.args) else None


async def _to_its_end(body: Callable[[], Awaitable[Any]]) -> Any:
    """The result of a tool. One cancelled from inside, and not with its run, has failed like any other."""
    try:
        return await body()
    except asyncio.CancelledError as error:
        task = asyncio.current_task()
        if task is None or task.cancelling():
            raise
        raise RuntimeError("something that the tool waited for was cancelled") from error


def _noticed(ctx: ToolContext[Any], result: Any, args: dict[str, Any]) -> Any:
    """A result with the edit notice, in a form that the SDK shows to the model as a whole."""
    content = None if result is None else _as_shown(ctx, result)
    if content is None or isinstance(content, str):
        return with_notice(content, args)
    parts = cast("list[Any]", result) if isinstance(result, list) else [result]
    return [*parts, ToolOutputText(text=edit_notice(args))]


def _as_shown(ctx: ToolContext[Any], result: Any) -> Content:
    assert ctx.tool_call is not None, "the SDK runs a tool for a call"
    return shown(ItemHelpers.tool_call_output_item(ctx.tool_call, result)["output"])
