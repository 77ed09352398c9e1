"""What people answered, for the flow's methods."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from crewai.flow.human_feedback import HumanFeedbackResult

from reflex_agentkit.adapters._notice import cancellation, failure, named, rejection, with_notice
from reflex_agentkit.adapters.crewai.asked import Given, shown
from reflex_agentkit.adapters.crewai.scene import Result, Scene, ToolStatus, current_scene
from reflex_agentkit.agents.gate import answering
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.payload import read_payload

HANDED_OUT: Final = (
    "in doubt: this call was released before, and its step began again. It may have taken effect; "
    "it does not run twice under one approval."
)
"""The reason of a decision that stands for a yes which was handed out in an earlier run."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What became of a call: the text that the model is told, and whether the tool ran.

    `status` is `done`, `failed` (it ran and raised), `rejected`, `responded` (a person answered in its
    place), `cancelled`, `expired` or `in_doubt` (it was released before, and nobody knows whether it ran).
    """

    text: str
    status: ToolStatus

    @property
    def ran(self) -> bool:
        return self.status in ("done", "failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalDecision:
    """What a person decided about a call.

    `args` are the arguments to run with: the edited ones where the person edited them, else those that
    were proposed. `reason` is that of a rejection, or `cancelled` or `expired` where nobody decided.
    `response` is what the person answered in the tool's place.
    """

    tool_call_id: str
    tool_name: str
    approved: bool
    args: dict[str, Any]
    reason: str | None = None
    edited: bool = False
    response: str | None = None
    payload: Any = field(default=None, repr=False)

    def tool_result(self, result: Any) -> Any:
        """The tool's result for the model: with the edit notice if the person changed the arguments."""
        return with_notice(result, self.args) if self.edited else result

    async def run(self, tool: Callable[..., Any]) -> ToolOutcome:
        """Call `tool(**args)` if the call was approved, and tell its result; else tell the refusal.

        The tool runs at most once under one approval: where a flow goes on after a fault, the result that
        is known is given again. A tool that raises fails this call and not the flow. While it runs,
        `current_answer()` gives the whole answer and the call's idempotency key.
        """
        scene = current_scene()
        if (settled := self._settled(scene)) is not None:
            return settled
        try:
            with answering(scene.handed.get(self.tool_call_id)):
                given = tool(**self.args)
                result = await given if inspect.isawaitable(given) else given
        except Exception as error:
            return self._failed(scene, error)
        return self._done(scene, result)

    def run_sync(self, tool: Callable[..., Any]) -> ToolOutcome:
        """`run` for a flow's method that is not a coroutine."""
        scene = current_scene()
        if (settled := self._settled(scene)) is not None:
            return settled
        try:
            with answering(scene.handed.get(self.tool_call_id)):
                result = tool(**self.args)
        except Exception as error:
            return self._failed(scene, error)
        return self._done(scene, result)

    def _settled(self, scene: Scene) -> ToolOutcome | None:
        """What became of the call without running it; `None` where it is to run now."""
        known = scene.results.get(self.tool_call_id)
        if known is None and not self.approved:
            known = refusal(self)
            scene.tell_result(self.tool_call_id, known)
        return ToolOutcome(text=known.text, status=known.status) if known is not None else None

    def _done(self, scene: Scene, result: Any) -> ToolOutcome:
        text = as_text(self.tool_result(result))
        scene.tell_result(self.tool_call_id, Result(text=text))
        return ToolOutcome(text=text, status="done")

    def _failed(self, scene: Scene, error: Exception) -> ToolOutcome:
        text = failure(error)
        scene.tell_result(self.tool_call_id, Result(text=text, status="failed", error=named(error)))
        return ToolOutcome(text=text, status="failed")


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionAnswer:
    """What a person answered to a question, exactly as it was given.

    `cancelled` is `cancelled` or `expired` where there is no answer, else `None`.
    """

    value: Any
    cancelled: str | None = None
    tool_call_id: str | None = None

    @property
    def text(self) -> str:
        """What a model is told: a text as it is, any other value as JSON, or that there is no answer."""
        if self.cancelled is not None:
            return cancellation(expired=self.cancelled == "expired")
        return as_text(self.value)


def answers(result: HumanFeedbackResult) -> list[ApprovalDecision | QuestionAnswer]:
    """The answers to a pause, in the order in which they were asked for.

    `result` is what CrewAI gives to the listener. Where `tool_request` asked it is an `ApprovalDecision`,
    else a `QuestionAnswer`.

    Raises:
        ConfigurationError: no `CrewAIFlowAGUIAgent` runs the flow, or it is the result of another pause.
    """
    scene = current_scene()
    if scene.method is None or result.method_name != scene.method:
        raise ConfigurationError(
            f"This run carries no answer to {result.method_name!r}. Read the answers in the listener of the "
            "method that asked."
        )
    return [_answer(scene, one) for one in scene.given]


def approvals(result: HumanFeedbackResult) -> list[ApprovalDecision]:
    """The decisions about tool calls among `answers(result)`."""
    return [one for one in answers(result) if isinstance(one, ApprovalDecision)]


def decision_of(given: Given, stopped: str | None) -> ApprovalDecision:
    """The decision about a call. `stopped` says why one that was approved is not released."""
    request = given.request
    call: dict[str, Any] = {"tool_call_id": request.tool_call_id or "", "tool_name": request.tool_name}
    proposed = dict(request.args or {})
    if given.why is not None:
        return ApprovalDecision(**call, approved=False, args=proposed, reason=given.why)
    said = read_payload(given.payload)
    if not said.approved or stopped is not None:
        return ApprovalDecision(
            **call, approved=False, args=proposed, reason=stopped or said.reason, response=said.response
        )
    edited = said.editedArgs if said.editedArgs is not None else proposed
    changed = not json_text.same(edited, proposed)
    return ApprovalDecision(**call, approved=True, args=edited, edited=changed, payload=given.payload)


def refusal(decision: ApprovalDecision) -> Result:
    """What a model is told about a call that does not run."""
    if decision.response is not None:
        return Result(text=decision.response, status="responded")
    if decision.reason in ("cancelled", "expired"):
        expired = decision.reason == "expired"
        return Result(text=cancellation(expired=expired), status="expired" if expired else "cancelled")
    if (decision.reason or "").startswith("in doubt"):
        return Result(text=rejection(decision.reason), status="in_doubt")
    return Result(text=rejection(decision.reason), status="rejected")


def payload_of(given: Given, stopped: str | None) -> Any:
    """An answer as CrewAI's feedback tells it. A yes that is not released is told as a no."""
    if given.why is not None:
        return None
    return {"approved": False, "reason": stopped} if stopped is not None else given.payload


def as_text(value: Any) -> str:
    """A value as the text that a tool's result is."""
    return value if isinstance(value, str) else json_text.write(shown(value))


def _answer(scene: Scene, given: Given) -> ApprovalDecision | QuestionAnswer:
    request = given.request
    if request.kind == "tool":
        return decision_of(given, scene.stopped.get(request.tool_call_id or ""))
    return QuestionAnswer(value=given.payload, cancelled=given.why, tool_call_id=request.tool_call_id)


def released(given: Sequence[Given]) -> list[ApprovalDecision]:
    """The approved calls among the answers to a pause."""
    decisions = [decision_of(one, None) for one in given if one.request.kind == "tool"]
    return [one for one in decisions if one.approved]
