"""The shapes that Reflex vars have: plain dataclasses that a browser is sent.

Numbers of arguments travel inside texts (`args_text`), since a browser would change a large one; `args`
beside it is for renderers that show a field (`call.args["city"]`).
"""

from __future__ import annotations

import dataclasses
from typing import Any


@dataclasses.dataclass
class OptionView:
    """A choice of a form card; `value_text` is its value as JSON text."""

    value_text: str = ""
    label: str = ""


@dataclasses.dataclass
class FieldView:
    """A field of a form card, as `protocol.forms.FormField`; what it does not have is an empty text."""

    name: str = ""
    label: str = ""
    kind: str = "text"
    whole: bool = False
    options: list[OptionView] = dataclasses.field(default_factory=list[OptionView])
    default_text: str = ""
    required: bool = False
    placeholder: str = ""
    help: str = ""
    currency: str = ""
    minimum: str = ""
    maximum: str = ""


@dataclasses.dataclass
class CardView:
    """A form card. `schema_text` is the JSON Schema of its values.

    `left_out_text` is a JSON list of what stands among its fields and cannot be shown as one.
    """

    form_type: str = ""
    tool: str = ""
    title: str = ""
    context_text: str = ""
    fields: list[FieldView] = dataclasses.field(default_factory=list[FieldView])
    left_out_text: str = ""
    approve: str = ""
    decline: str = ""
    schema_text: str = ""


@dataclasses.dataclass
class DecisionView:
    """A decision in the transcript. `verdict` is empty where there is none; `at` is an ISO 8601 time.

    `card` is the form card that was answered.
    """

    interrupt_id: str = ""
    verdict: str = ""
    by: str = ""
    at: str = ""
    reason: str = ""
    message: str = ""
    tool_name: str = ""
    before_text: str = ""
    after_text: str = ""
    card: CardView | None = None


@dataclasses.dataclass
class ToolCallView:
    """A tool call. `status` is a `CallStatus`; `args_text` is indented JSON, or raw text if it is none."""

    id: str = ""
    name: str = ""
    args: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    args_text: str = ""
    status: str = "running"
    result: str = ""
    error: str = ""
    decision: DecisionView = dataclasses.field(default_factory=DecisionView)


@dataclasses.dataclass
class MessageView:
    """An entry of the transcript; `role` is a `conversation.Role`."""

    id: str = ""
    role: str = "user"
    text: str = ""
    tool_calls: list[ToolCallView] = dataclasses.field(default_factory=list[ToolCallView])
    decision: DecisionView = dataclasses.field(default_factory=DecisionView)
    subagent: str = ""
    activity_type: str = ""


@dataclasses.dataclass
class LiveView:
    """A message that is being written now; its text comes over the live channel, by this id."""

    id: str = ""
    role: str = "assistant"


@dataclasses.dataclass
class InterruptView:
    """A pending interrupt as the page shows it: the fields of `PendingInterrupt`, times as ISO 8601 texts.

    `digest` seals what is shown and goes back with the answer; `position` counts from 1 of `total`.
    `args_text` is indented JSON, the raw text where `readable` is false. The schemas are also given as JSON
    texts, which the editor checks with. `card` is the form card of `form`, where it can be shown as one.
    """

    id: str = ""
    kind: str = "question"
    reason: str = ""
    message: str = ""
    payload: Any = None
    payload_text: str = ""
    tool_call_id: str = ""
    tool_name: str = ""
    args: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    args_text: str = ""
    readable: bool = True
    args_schema: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    args_schema_text: str = ""
    response_schema: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    response_schema_text: str = ""
    allowed_decisions: list[str] = dataclasses.field(default_factory=list[str])
    form: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    card: CardView | None = None
    opened_at: str = ""
    expires_at: str = ""
    thread_id: str = ""
    run_id: str = ""
    metadata: dict[str, Any] = dataclasses.field(default_factory=dict[str, Any])
    digest: str = ""
    position: int = 1
    total: int = 1


@dataclasses.dataclass
class StepView:
    """A step of the run; `status` is `running` or `done`."""

    name: str = ""
    status: str = "running"


@dataclasses.dataclass
class UsageView:
    """Tokens of the thread so far."""

    input_tokens: int = 0
    output_tokens: int = 0
    total_tokens: int = 0


@dataclasses.dataclass
class ThreadView:
    """A row of the thread list; `updated_at` is an ISO 8601 time."""

    id: str = ""
    title: str = ""
    updated_at: str = ""


@dataclasses.dataclass
class NoticeView:
    """Something a person must know beside the transcript: a stable `code` and a sentence; both may be empty.

    `path` names the place in an answer that was refused, `interrupt_id` the request that it was for. `number`
    grows with each notice of a tab, so that the page can tell the same words said twice.
    """

    code: str = ""
    text: str = ""
    path: str = ""
    interrupt_id: str = ""
    number: int = 0
