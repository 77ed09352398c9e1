"""Where the thread's runs stand: begun, ended how, at which step, at what cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ag_ui.core import (
    Interrupt,
    RunErrorEvent,
    RunFinishedCancelledOutcome,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    SubagentStartedEvent,
    TokenUsage,
)

from reflex_agentkit.protocol.conversation import RunFault, Step
from reflex_agentkit.protocol.fold import snapshots, tools
from reflex_agentkit.protocol.fold.draft import CallDraft, Draft
from reflex_agentkit.protocol.pause import asks_yes_or_no, pending_call_ids


def started(draft: Draft, event: RunStartedEvent) -> bool:
    draft.run_status, draft.run_id, draft.fault = "running", event.run_id, None
    draft.steps.clear()
    tools.forget_said_again(draft)
    if event.input is not None:
        for message in event.input.messages:
            snapshots.add_unseen(draft, message)
        if draft.state is None:
            draft.state = event.input.state
    return True


def finished(draft: Draft, event: RunFinishedEvent) -> bool:
    _close(draft)
    _count(draft, event.usage)
    match event.outcome:
        case RunFinishedInterruptOutcome(interrupts=interrupts):
            _ask(draft, interrupts)
            _wait(draft, pending_call_ids(event))
            draft.run_status = "awaiting_input"
        case RunFinishedCancelledOutcome():
            _break_off(draft)
            draft.run_status = "cancelled"
        case RunFinishedSuccessOutcome() | None:
            waiting = _wait(draft, pending_call_ids(event))
            _assume_done(draft)
            draft.run_status = "awaiting_input" if waiting else "idle"
    return True


def failed(draft: Draft, event: RunErrorEvent) -> bool:
    _close(draft)
    _count(draft, event.usage)
    _break_off(draft)
    draft.run_status = "error"
    draft.fault = RunFault(message=event.message, code=event.code or "")
    return True


def step_started(draft: Draft, event: StepStartedEvent) -> bool:
    draft.steps.append(Step(name=event.step_name, run_id=draft.run_id))
    return True


def step_finished(draft: Draft, event: StepFinishedEvent) -> bool:
    for place in reversed(range(len(draft.steps))):
        step = draft.steps[place]
        if step.name == event.step_name and step.status == "running":
            draft.steps[place] = replace(step, status="done")
            return True
    return False


def subagent_started(draft: Draft, event: SubagentStartedEvent) -> bool:
    draft.subagents[event.subagent_run_id] = event.name
    return True


def _close(draft: Draft) -> None:
    """Nothing is written past the end of a run, and no step goes on."""
    for entry_id in list(draft.streaming):
        entry = draft.shown(entry_id)
        if entry is not None:
            draft.settle(entry)
    draft.restated.clear()
    for call in [call for call in draft.open_calls if call.status == "sent"]:
        del draft.open_calls[
            call
        ]  # it still takes its result, but what is proposed from now on is a new call
    draft.early_secrets.clear()
    draft.steps[:] = [replace(step, status="done") for step in draft.steps]


def _ask(draft: Draft, interrupts: Sequence[Interrupt]) -> None:
    for interrupt in interrupts:
        call = tools.asked_about(draft, interrupt.tool_call_id or "")
        if call is not None and call.result is None:
            _pending(draft, call, approval=asks_yes_or_no(interrupt))


def _wait(draft: Draft, call_ids: Sequence[str]) -> bool:
    """The calls whose result must come from outside; whether there are any."""
    calls = [call for call_id in call_ids if (call := draft.calls.get(call_id)) and call.result is None]
    for call in calls:
        _pending(draft, call, approval=False)
    return bool(calls)


def _pending(draft: Draft, call: CallDraft, *, approval: bool) -> None:
    call.status = "pending_approval" if approval else "pending_input"
    draft.open_calls[call] = None
    draft.touch(call.holder)


def _break_off(draft: Draft) -> None:
    """An approved call keeps its yes: the next run takes it up again."""
    for call in list(draft.open_calls):
        if call.status in ("streaming", "running"):
            _close_call(draft, call)
            call.status = "failed"


def _assume_done(draft: Draft) -> None:
    # The run succeeded, so the agent has what it needed; many agents never tell a result. What was sent to an
    # agent without a gate stays so: of its call only a result would tell anything.
    for call in list(draft.open_calls):
        if call.status in ("running", "approved"):
            _close_call(draft, call)
            call.status = "done"


def _close_call(draft: Draft, call: CallDraft) -> None:
    del draft.open_calls[call]
    draft.touch(call.holder)


def _count(draft: Draft, usages: Sequence[TokenUsage] | None) -> None:
    usage = draft.usage
    for entry in usages or ():
        given, made = entry.input_tokens or 0, entry.output_tokens or 0
        total = entry.total_tokens if entry.total_tokens is not None else given + made
        usage = replace(
            usage,
            input_tokens=usage.input_tokens + given,
            output_tokens=usage.output_tokens + made,
            total_tokens=usage.total_tokens + total,
            reasoning_tokens=usage.reasoning_tokens + (entry.reasoning_tokens or 0),
            cached_input_tokens=usage.cached_input_tokens + (entry.cached_input_tokens or 0),
        )
    draft.usage = usage
