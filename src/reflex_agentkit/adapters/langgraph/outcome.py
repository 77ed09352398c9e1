"""How a run ends: what is asked, and what is told before that."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, cast

from ag_ui.core import (
    BaseEvent,
    Interrupt,
    Message,
    MessagesSnapshotEvent,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    StateSnapshotEvent,
)
from ag_ui_langgraph.utils import langchain_messages_to_agui

from reflex_agentkit.adapters._notice import named
from reflex_agentkit.adapters.langgraph.baseline import SHORT, Baseline
from reflex_agentkit.adapters.langgraph.thread import Standing
from reflex_agentkit.adapters.langgraph.values import shared
from reflex_agentkit.errors import ConfigurationError, GateError, InvalidAnswerError
from reflex_agentkit.protocol.proposal import asks_yes_or_no


def finished(thread_id: str, run_id: str, interrupts: Sequence[Interrupt], usage: Any) -> RunFinishedEvent:
    """The end of a run that did not fail."""
    outcome = (
        RunFinishedInterruptOutcome(interrupts=list(interrupts))
        if interrupts
        else RunFinishedSuccessOutcome()
    )
    return RunFinishedEvent(thread_id=thread_id, run_id=run_id, outcome=outcome, usage=usage or None)


def failed(error: Exception) -> RunErrorEvent:
    """The end of a run that failed, with a stable code where it has one."""
    code: str | None = None
    if isinstance(error, InvalidAnswerError):
        code = error.code
    elif isinstance(error, GateError | ConfigurationError):
        code = "gate" if isinstance(error, GateError) else "configuration"
    return RunErrorEvent(message=str(error).strip() or named(error), code=code)


def state_of(values: Mapping[str, Any], keys: Sequence[str]) -> dict[str, Any]:
    """The shared state: what the graph gives out, without what AG-UI carries in another way."""
    return shared({key: values[key] for key in keys if key in values})


def asked_args(interrupts: Sequence[Interrupt]) -> dict[str, dict[str, Any]]:
    """What each call is asked about with, by call id; a node may ask about others than the model proposed."""
    found: dict[str, dict[str, Any]] = {}
    for one in interrupts:
        args: Any = (one.metadata or {}).get("tool_input")
        if one.tool_call_id and asks_yes_or_no(one) and isinstance(args, dict):
            found[one.tool_call_id] = cast("dict[str, Any]", args)
    return found


def snapshots(
    standing: Standing,
    baseline: Baseline,
    *,
    keys: Sequence[str],
    told: MessagesSnapshotEvent | None,
    undelivered: Sequence[Message],
    interrupts: Sequence[Interrupt],
) -> Iterator[BaseEvent]:
    """What is told before the end.

    The state always before a pause; all messages before a pause too, but where there are many only if one
    of them is news. A call that is asked about has the arguments there that the question is about.
    """
    pausing = bool(interrupts)
    if pausing:
        yield StateSnapshotEvent(snapshot=state_of(standing.values, keys))
    messages = told.messages if told is not None else langchain_messages_to_agui(standing.messages)
    whole = baseline.asked_about(baseline.whole(messages, undelivered), asked_args(interrupts))
    if (pausing and len(whole) <= SHORT) or baseline.has_news(whole):
        yield MessagesSnapshotEvent(messages=whole)
