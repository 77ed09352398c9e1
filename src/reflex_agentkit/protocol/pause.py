"""From the end of a run to what it asks: every interrupt as a `PendingInterrupt`.

An approval names a tool call and asks yes or no; any other interrupt is a question. The arguments of an
approval come from the call as the thread recorded it. What cannot be read cannot be approved.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, cast

from ag_ui.core import (
    CustomEvent,
    Interrupt,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    Tool,
)

from reflex_agentkit.errors import ProtocolError
from reflex_agentkit.protocol.conversation import Conversation, ToolCall
from reflex_agentkit.protocol.form_answers import schema_of_form
from reflex_agentkit.protocol.legacy import LEGACY_INTERRUPT, read_legacy
from reflex_agentkit.protocol.payload import args_schema_of
from reflex_agentkit.protocol.pending import QUESTION_DECISIONS, PendingInterrupt
from reflex_agentkit.protocol.proposal import (
    approval_decisions,
    asks_yes_or_no,
    deadline_of,
    form_of,
    payload_of,
    proposal,
)

__all__ = [
    "CLIENT_TOOL",
    "LEGACY_INTERRUPT",
    "Asked",
    "asks_yes_or_no",
    "pending_call_ids",
    "read_interrupt",
    "read_pause",
]

CLIENT_TOOL: Final = "client_tool"
"""The reason of a question that is a client tool call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """One interrupt as the agent gave it.

    `pending.id` is `wire_id` until the desk gives it an id of its own. `client_call` marks a call of a client
    tool: its answer goes back as a tool message, not as a resume entry.
    """

    pending: PendingInterrupt
    wire_id: str
    client_call: bool = False


def read_pause(
    finished: RunFinishedEvent,
    *,
    conversation: Conversation,
    legacy: Sequence[CustomEvent] = (),
    client_tools: Sequence[Tool] = (),
    asking: Collection[str] = (),
    thread_id: str,
    run_id: str,
    opened_at: datetime,
) -> tuple[Asked, ...]:
    """What the end of a run leaves open, in the order it was asked; empty where nothing is.

    `legacy` are the run's `on_interrupt` events; they count only where the run's outcome names no interrupt.
    `client_tools` are the tools that the run was offered, `asking` the names of those that a person answers.
    """
    scene = _Scene(conversation, thread_id, run_id, opened_at)
    outcome = finished.outcome
    if isinstance(outcome, RunFinishedCancelledOutcome):
        return ()
    if isinstance(outcome, RunFinishedInterruptOutcome):
        if not outcome.interrupts:
            raise ProtocolError("the run was interrupted, but names no interrupt; nobody could answer it")
        interrupts = [(interrupt, payload_of(interrupt)) for interrupt in outcome.interrupts]
    else:
        interrupts = [read_legacy(event, place, run_id) for place, event in enumerate(legacy)]
    _no_duplicates([interrupt.id for interrupt, _ in interrupts])
    asked = [
        Asked(pending=scene.pending(interrupt, payload), wire_id=interrupt.id)
        for interrupt, payload in interrupts
    ]
    named = {interrupt.tool_call_id for interrupt, _ in interrupts}
    tools = {tool.name: tool for tool in client_tools}
    for call in scene.unanswered(pending_call_ids(finished), tools):
        if call.id not in named:
            ask = call.name in asking or call.name not in tools
            pending = scene.client_question(call, tools.get(call.name), ask=ask)
            asked.append(Asked(pending=pending, wire_id=call.id, client_call=True))
    return tuple(asked)


def read_interrupt(interrupt: Interrupt) -> PendingInterrupt:
    """What one interrupt asks by what it says itself, where no thread is at hand: for an agent on its own."""
    return _Scene().pending(interrupt, payload_of(interrupt))


def pending_call_ids(finished: RunFinishedEvent) -> tuple[str, ...]:
    """The calls that a run left for the application to answer, as far as its end names them.

    An interrupted run has no field for them; there they stand in the event's metadata, as
    `pendingToolCallIds`.
    """
    if isinstance(finished.outcome, RunFinishedSuccessOutcome) and finished.outcome.pending_tool_call_ids:
        return tuple(finished.outcome.pending_tool_call_ids)
    noted: Any = (finished.metadata or {}).get("pendingToolCallIds")
    if not isinstance(noted, list):
        return ()
    return tuple(str(call_id) for call_id in cast("list[Any]", noted))


@dataclass(slots=True)
class _Scene:
    """Where and when something is asked."""

    conversation: Conversation = field(default_factory=Conversation)
    thread_id: str = ""
    run_id: str = ""
    opened_at: datetime | None = None

    def pending(self, interrupt: Interrupt, payload: Any) -> PendingInterrupt:
        metadata = dict(interrupt.metadata or {})
        if interrupt.subagent_run_id:
            metadata["subagentRunId"] = interrupt.subagent_run_id
        approval = asks_yes_or_no(interrupt)
        call = self._call(interrupt.tool_call_id)
        name, args, text = proposal(call, metadata)
        schema, form = interrupt.response_schema, form_of(metadata, payload)
        if approval:
            known = args is not None and name is not None
            metadata["tool_input"] = args
            decisions = approval_decisions(metadata, schema, known=known)
        else:
            decisions = QUESTION_DECISIONS
            schema = schema or schema_of_form(form)
        return PendingInterrupt(
            id=interrupt.id,
            kind="approval" if approval else "question",
            reason=interrupt.reason,
            message=interrupt.message or "",
            payload=payload,
            tool_call_id=interrupt.tool_call_id,
            tool_name=name,
            args=args,
            args_text=text,
            args_schema=args_schema_of(schema) if approval else None,
            response_schema=schema,
            allowed_decisions=decisions,
            form=form,
            opened_at=self.opened_at,
            expires_at=deadline_of(interrupt),
            thread_id=self.thread_id,
            run_id=self.run_id,
            metadata=metadata,
        )

    def client_question(self, call: ToolCall, tool: Tool | None, *, ask: bool) -> PendingInterrupt:
        _, args, text = proposal(call, {})
        given: Any = (tool.metadata or {}).get("responseSchema") if tool else None
        form = form_of({}, args)
        schema = cast("dict[str, Any]", given) if isinstance(given, dict) else schema_of_form(form)
        said: Any = (args or {}).get("message") or (args or {}).get("question")
        return PendingInterrupt(
            id=call.id,
            kind="question",
            reason=CLIENT_TOOL,
            message=said if isinstance(said, str) else "",
            payload=args,
            tool_call_id=call.id,
            tool_name=call.name,
            args=args,
            args_text=text,
            response_schema=schema,
            allowed_decisions=QUESTION_DECISIONS,
            form=form,
            opened_at=self.opened_at,
            thread_id=self.thread_id,
            run_id=self.run_id,
            metadata={"client_tool": True, "ask": ask},
        )

    def unanswered(self, named: Collection[str], tools: Mapping[str, Tool]) -> Iterator[ToolCall]:
        """The calls left for the application: those named, and those of client tools in this run."""
        latest: dict[str, ToolCall] = {}
        for message in self.conversation.messages:
            for call in message.tool_calls:
                latest[call.id] = call
        for call in latest.values():
            ours = call.name in tools and call.run_id == self.run_id
            if call.result is None and (call.id in named or ours):
                yield call

    def _call(self, call_id: str | None) -> ToolCall | None:
        if not call_id:
            return None
        for message in reversed(self.conversation.messages):
            for call in reversed(message.tool_calls):
                if call.id == call_id:
                    return call
        return None


def _no_duplicates(ids: Sequence[str]) -> None:
    seen: set[str] = set()
    for one in ids:
        if not one:
            raise ProtocolError("an interrupt has an empty id; nobody could answer it")
        if one in seen:
            raise ProtocolError(f"the interrupt id {one!r} is given twice; an answer could mean either")
        seen.add(one)
