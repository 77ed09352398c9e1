"""What a thread shows: messages, tool calls, reasoning, activities, decisions. Frozen; made by the fold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal

RunStatus = Literal["idle", "running", "awaiting_input", "cancelled", "error"]

CallStatus = Literal[
    "streaming",  # its arguments are still being written
    "running",  # called, no result yet
    "pending_approval",  # a person must say yes or no
    "pending_input",  # a person or the app's own code must give the result
    "approved",  # decided with yes, not begun yet
    "sent",  # decided with yes and handed to an agent without a gate; no result yet
    "done",  # the tool gave a result
    "failed",  # the tool raised, or the run broke off before a result came
    "rejected",
    "cancelled",
    "expired",
    "responded",  # a person gave the result in the tool's place
]

Role = Literal["user", "assistant", "system", "developer", "tool", "reasoning", "activity", "decision"]

Verdict = Literal["approved", "edited", "rejected", "responded", "answered", "cancelled", "expired"]

NO_RESULT = (
    "No result: the run ended while this tool was running. It may or may not have taken effect. "
    "Do not repeat the call unless the user asks for it."
)
"""What a model is told about a call that broke off. It stands in the run's input only, never in the record:
a tool's result is what the tool gave."""


def _nothing() -> Mapping[str, Any]:
    return MappingProxyType({})


@dataclass(frozen=True, slots=True, kw_only=True)
class DecisionNote:
    """A decision as the transcript keeps it: who decided what, when, with the values before and after.

    `before_text` and `after_text` are JSON texts: the proposed arguments and the ones that ran (equal unless
    edited), or for a question nothing and the answer. `card_text` is the form card that was shown. `at` is an
    ISO 8601 time.
    """

    interrupt_id: str
    verdict: Verdict
    by: str = ""
    at: str = ""
    reason: str = ""
    message: str = ""
    tool_name: str = ""
    tool_call_id: str = ""
    before_text: str = ""
    after_text: str = ""
    card_text: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolCall:
    """One call of a tool. `args_text` is the JSON text as the model wrote it, possibly broken.

    `again_text` are the arguments that a person had set, where the agent says the call again with them while
    its run goes on.

    `result` is what can be read of the result; `result_content` keeps the AG-UI content parts where it holds
    more.
    """

    id: str
    name: str
    args_text: str = ""
    again_text: str = ""
    status: CallStatus = "streaming"
    result: str | None = None
    result_content: Any = None
    result_message_id: str = ""
    error: str = ""
    run_id: str = ""
    decision: DecisionNote | None = None
    encrypted_value: str | None = None
    result_encrypted_value: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One entry of the transcript.

    `content` keeps the AG-UI content parts where a message holds more than text, the activity's content for
    the role `activity`; `text` is what can be read. `subagent` is the name of the sub-agent that said it.
    """

    id: str
    role: Role
    text: str = ""
    tool_calls: tuple[ToolCall, ...] = ()
    content: Any = None
    name: str = ""
    activity_type: str = ""
    subagent: str = ""
    run_id: str = ""
    streaming: bool = False
    decision: DecisionNote | None = None
    encrypted_value: str | None = None
    metadata: Mapping[str, Any] = field(default_factory=_nothing)


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """A named step of a run, in the order of its start."""

    name: str
    status: Literal["running", "done"] = "running"
    run_id: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunFault:
    """Why the last run ended badly: `code` is stable (may be empty), `message` is for a person."""

    message: str
    code: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """Tokens so far, summed over the thread's runs."""

    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0
    reasoning_tokens: int = 0
    cached_input_tokens: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Conversation:
    """A thread at one moment. `state` is the shared state as the agent last gave it."""

    messages: tuple[Message, ...] = ()
    run_status: RunStatus = "idle"
    run_id: str = ""
    steps: tuple[Step, ...] = ()
    state: Any = None
    usage: Usage = Usage()
    fault: RunFault | None = None
    revision: int = 0
    """Grows with every change that is not a piece of streamed text."""
