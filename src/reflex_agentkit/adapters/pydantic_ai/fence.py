"""The fence around tools: a call that needed a yes runs as it was approved, once, and its end is kept."""

from __future__ import annotations

from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, cast

from pydantic import ValidationError
from pydantic_ai import ModelRetry, RunContext, ToolDefinition, ToolReturn
from pydantic_ai.capabilities import AbstractCapability, CapabilityOrdering
from pydantic_ai.exceptions import (
    ApprovalRequired,
    CallDeferred,
    RunCancelled,
    SkipToolExecution,
    ToolFailed,
    ToolFailedError,
    ToolRetryError,
)
from pydantic_ai.messages import ModelRequest, ToolCallPart, ToolReturnPart
from pydantic_ai.ui.ag_ui import AGUIAdapter

from reflex_agentkit.adapters._notice import edit_notice, failure, named, with_notice
from reflex_agentkit.adapters.pydantic_ai.approvals import Yes
from reflex_agentkit.adapters.pydantic_ai.numbers import RawArgs, arguments, exact
from reflex_agentkit.agents.gate import CurrentAnswer, Gate, answering
from reflex_agentkit.errors import GateError, InvalidJSONError
from reflex_agentkit.protocol import json_text

HANDED_ON = (CallDeferred, ApprovalRequired)
TOLD_BY_PYDANTIC_AI = (ToolRetryError, ToolFailedError, ModelRetry, ToolFailed, RunCancelled, ValidationError)


class Fence(AbstractCapability[Any]):
    """Stands before the tools of one run.

    A tool that raises after a yes does not break off the run at once: PydanticAI would cancel the approved
    calls beside it and invent a result for each. Its failure becomes its result, the others come to their
    end, and then the run fails with what was raised.
    """

    def __init__(self, approved: Mapping[str, Yes], gate: Gate | None, *, notify_edited_args: bool) -> None:
        self.approved = approved
        self.schemas: dict[str, dict[str, Any]] = {}
        """The argument schema of each validated call, by call id."""
        self.faults: list[Exception] = []
        self.stopped: set[str] = set()
        """Calls that were not let through: they did not run, so they get no result."""
        self._gate = gate
        self._notify = notify_edited_args
        self._begun: set[str] = set()

    def get_ordering(self) -> CapabilityOrdering:
        """Outermost, so that what the gate notes is the result that the model is given."""
        return CapabilityOrdering(position="outermost")

    async def wrap_tool_validate(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 (the name is PydanticAI's)
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,
        args: RawArgs,
        handler: Any,
    ) -> dict[str, Any]:
        """Keep the call's schema for the pause, and validate what a person decides on without rounding it."""
        self.schemas[call.tool_call_id] = tool_def.parameters_json_schema
        if tool_def.kind == "unapproved" or call.tool_call_id in self.approved:
            with _told_to_the_model():
                args = exact(args)
        return await handler(args)

    async def wrap_tool_execute(
        self,
        ctx: RunContext[Any],
        *,
        call: ToolCallPart,
        tool_def: ToolDefinition,  # noqa: ARG002 (the name is PydanticAI's)
        args: dict[str, Any],
        handler: Any,
    ) -> Any:
        """Run an approved call behind the gate.

        The gate compares JSON arguments, as the model wrote them or the person edited them. What validation
        makes of them (models, dates, decimals) is not compared: it has no one JSON form.
        """
        yes = self.approved.get(call.tool_call_id) if ctx.tool_call_approved else None
        if yes is None:
            try:
                return await handler(args)
            except ApprovalRequired:
                with _told_to_the_model():
                    arguments(call.args)
                raise
        answer = await self._let_through(call, yes)
        try:
            with answering(answer):
                result = await handler(args)
        except HANDED_ON:
            await self._note_done(call, "")
            raise
        except SkipToolExecution as skipped:
            result = skipped.result
        except TOLD_BY_PYDANTIC_AI as error:
            await self._note_failed(call, error)
            if self._tells_edit(yes):
                _tell_edit(error, yes.args)
            raise
        except Exception as error:
            self.faults.append(error)
            await self._note_failed(call, error)
            text = failure(error)
            raise ToolFailed(with_notice(text, yes.args) if self._tells_edit(yes) else text) from error
        return await self._finish(call, yes, result)

    async def before_model_request(
        self,
        ctx: RunContext[Any],  # noqa: ARG002 (the name is PydanticAI's)
        request_context: Any,
    ) -> Any:
        """End the run before the model is asked, once every call of the step has its result."""
        self.check()
        return request_context

    def check(self) -> None:
        """Raise what went wrong at a tool, if anything did. A stop at the gate goes before a tool's error."""
        for fault in sorted(self.faults, key=lambda fault: not isinstance(fault, GateError)):
            raise fault

    async def _let_through(self, call: ToolCallPart, yes: Yes) -> CurrentAnswer:
        try:
            actual = arguments(call.args)
            if call.tool_call_id in self._begun:
                raise GateError(f"The call {call.tool_call_id!r} began in this run; it does not run twice.")
            if not json_text.same(actual, yes.args):
                raise GateError(f"The arguments of {call.tool_name!r} are not the ones that were approved.")
            answer = yes.answer
            if self._gate is not None:
                answer = await self._gate.begin(call.tool_call_id, call.tool_name, actual)
        except Exception as error:
            # Whatever keeps the gate from saying yes is a no. This text goes nowhere: the result is dropped.
            self.faults.append(error)
            self.stopped.add(call.tool_call_id)
            raise ToolFailed(named(error)) from error
        self._begun.add(call.tool_call_id)
        return answer

    async def _finish(self, call: ToolCallPart, yes: Yes, result: Any) -> Any:
        if self._tells_edit(yes):
            result = _noticed(result, yes.args)
        try:
            text = result_text(call, result)
        except Exception as error:
            self.faults.append(error)
            text = f"The tool ran, but its result could not be kept. {named(error)}"
            await self._note_done(call, text)
            raise ToolFailed(text) from error
        await self._note_done(call, text)
        return result

    async def _note_done(self, call: ToolCallPart, text: str) -> None:
        if self._gate is not None:
            try:
                await self._gate.done(call.tool_call_id, text)
            except Exception as error:  # the tool ran: its result must still be told
                self.faults.append(error)

    async def _note_failed(self, call: ToolCallPart, error: Exception) -> None:
        if self._gate is not None:
            try:
                await self._gate.failed(call.tool_call_id, named(error))
            except Exception as fault:
                self.faults.append(fault)

    def _tells_edit(self, yes: Yes) -> bool:
        return yes.edited and self._notify


@contextmanager
def _told_to_the_model() -> Generator[None]:
    """Nobody can decide on arguments that cannot be read: the model is asked to write them again."""
    try:
        yield
    except InvalidJSONError as error:
        raise ModelRetry(f"The arguments must be one JSON object with exact values: {error}") from None


def _noticed(result: Any, args: dict[str, Any]) -> Any:
    if isinstance(result, ToolReturn):
        told = cast("ToolReturn[Any]", result)
        return replace(told, return_value=_noticed(told.return_value, args))
    items = ToolReturnPart(tool_name="", content=result)
    if items.files:
        # PydanticAI shows a file to the model only where it stands alone or right in a list.
        return [*items.content_items(), edit_notice(args)]
    return with_notice(result, args)


def _tell_edit(error: Exception, args: dict[str, Any]) -> None:
    """What a tool tells the model when it failed or wants another try, with the edit notice."""
    if isinstance(error, ToolRetryError):
        error.tool_retry.content = _noticed_text(error.tool_retry.content, args)
    elif isinstance(error, ToolFailedError):
        error.tool_failed.content = _noticed_text(error.tool_failed.content, args)
    elif isinstance(error, ModelRetry | ToolFailed):
        error.message = _noticed_text(error.message, args)


def _noticed_text(content: Any, args: dict[str, Any]) -> Any:
    # Anything but a text is PydanticAI's own list of what did not validate, which has to keep its shape.
    return with_notice(content, args) if isinstance(content, str) else content


def result_text(call: ToolCallPart, result: Any) -> str:
    """A tool's result as the text that stands in TOOL_CALL_RESULT."""
    value: Any = cast("ToolReturn[Any]", result).return_value if isinstance(result, ToolReturn) else result
    part = ToolReturnPart(tool_name=call.tool_name, content=value, tool_call_id=call.tool_call_id)
    message: Any = AGUIAdapter[Any, Any].dump_messages([ModelRequest(parts=[part])])[0]
    return message.content
