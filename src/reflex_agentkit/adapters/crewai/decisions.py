"""What people answered, for the flow's methods."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Any, Final

from crewai.flow.human_feedback import HumanFeedbackResult

from reflex_agentkit.adapters._notice import (
    NOT_AGAIN,
    cancellation,
    failure,
    interruption,
    named,
    rejection,
    with_notice,
)
from reflex_agentkit.adapters.crewai.asked import Given, shown
from reflex_agentkit.adapters.crewai.scene import (
    RefusedStatus,
    Result,
    Scene,
    Stop,
    ToolStatus,
    current_scene,
    is_own_fault,
    on_a_loop,
)
from reflex_agentkit.agents.gate import answering
from reflex_agentkit.errors import ConfigurationError, GateError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.payload import read_payload

HANDED_OUT: Final = (
    "in doubt: this call was released before, and its step began again. It may have taken effect; "
    "it does not run twice under one approval."
)
"""The reason of a decision that stands for a yes which was handed out in an earlier run."""

_UNKNOWN: Final = Result(text=interruption(), status="in_doubt")
"""A call that began and whose result this code cannot wait for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToolOutcome:
    """What became of a call: the text that the model is told, and whether the tool ran.

    `status` is `done`, `failed` (it ran and raised), `rejected`, `responded` (a person answered in its
    place), `cancelled`, `expired`, `in_doubt` (it was released before, and nobody knows whether it ran) or
    `stopped` (it was approved, and the gate did not let it begin).
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
    were proposed. `reason` is that of a rejection, `cancelled` or `expired` where nobody decided, or why a
    call that was approved does not run. `response` is what the person answered in the tool's place. `status`
    is that of the outcome where the call does not run.
    """

    tool_call_id: str
    tool_name: str
    approved: bool
    args: dict[str, Any]
    reason: str | None = None
    edited: bool = False
    response: str | None = None
    status: RefusedStatus | None = None
    payload: Any = field(default=None, repr=False)

    def tool_result(self, result: Any) -> Any:
        """The tool's result for the model: with the edit notice if the person changed the arguments."""
        return with_notice(result, self.args) if self.edited else result

    async def run(self, tool: Callable[..., Any]) -> ToolOutcome:
        """Call `tool(**args)` if the call was approved, and tell its result; else tell the refusal.

        The tool runs at most once under one approval: where a flow goes on after a fault, or where two of its
        methods run the call, the one result is given again. A tool that raises fails this call and not the
        flow. While it runs, `current_answer()` gives the whole answer and the call's idempotency key.

        Raises:
            GateError: the arguments are not the approved ones, or this run carries no yes to the call.
        """
        scene = current_scene()
        call, ours = self._begun(scene)
        if not ours:
            return _outcome(await asyncio.wrap_future(call))
        try:
            with answering(scene.handed[self.tool_call_id].answer):
                given = tool(**copy.deepcopy(self.args))
                result = await given if inspect.isawaitable(given) else given
        except BaseException as error:
            return self._failed(scene, call, error)
        return self._done(scene, call, result)

    def run_sync(self, tool: Callable[..., Any]) -> ToolOutcome:
        """`run` for a flow's method that is not a coroutine."""
        scene = current_scene()
        call, ours = self._begun(scene)
        if not ours:
            return _outcome(call.result() if call.done() or not on_a_loop() else _UNKNOWN)
        try:
            with answering(scene.handed[self.tool_call_id].answer):
                result = tool(**copy.deepcopy(self.args))
        except BaseException as error:
            return self._failed(scene, call, error)
        return self._done(scene, call, result)

    def _begun(self, scene: Scene) -> tuple[Future[Result], bool]:
        """What the call gives, and whether its tool is to run now."""
        if self.approved:
            self._check(scene)
        call, ours = scene.begin(self.tool_call_id)
        if not ours:
            return call, False
        known = scene.results.get(self.tool_call_id)
        if known is None and not self.approved:
            known = refusal(self)
            scene.tell_result(self.tool_call_id, known)
        if known is not None:
            call.set_result(known)
        return call, known is None

    def _check(self, scene: Scene) -> None:
        """Hold the call against what was released. A decision is a value, and any code can make one."""
        handed = scene.handed.get(self.tool_call_id)
        why = None
        if handed is None:
            why = "this run carries no yes to it; run it in the listener of the method that asked"
        elif not json_text.same(handed.args, self.args):
            why = "its arguments are not the ones that were approved; leave `args` as they are"
        elif scene.over and self.tool_call_id not in scene.results:
            why = "its run was ended"
        if why is not None:
            raise GateError(f"The call {self.tool_call_id!r} of {self.tool_name!r} does not run: {why}.")

    def _done(self, scene: Scene, call: Future[Result], result: Any) -> ToolOutcome:
        return self._over(scene, call, Result(text=as_text(self.tool_result(result))))

    def _failed(self, scene: Scene, call: Future[Result], error: BaseException) -> ToolOutcome:
        if not is_own_fault(error):
            call.set_result(_UNKNOWN)
            raise error
        return self._over(scene, call, Result(text=failure(error), status="failed", error=named(error)))

    def _over(self, scene: Scene, call: Future[Result], result: Result) -> ToolOutcome:
        scene.tell_result(self.tool_call_id, result)
        call.set_result(result)
        return _outcome(result)


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


def decision_of(given: Given, stop: Stop | None) -> ApprovalDecision:
    """The decision about a call. `stop` says why one that was approved is not released."""
    request = given.request
    call: dict[str, Any] = {"tool_call_id": request.tool_call_id or "", "tool_name": request.tool_name}
    proposed = copy.deepcopy(request.args or {})
    if given.why is not None:
        return ApprovalDecision(**call, approved=False, args=proposed, reason=given.why, status=given.why)
    said = read_payload(given.payload)
    if said.approved and stop is not None:
        return ApprovalDecision(**call, approved=False, args=proposed, reason=stop.reason, status=stop.status)
    if not said.approved:
        status = "rejected" if said.response is None else "responded"
        call |= {"reason": said.reason, "response": said.response}
        return ApprovalDecision(**call, approved=False, args=proposed, status=status)
    edited = copy.deepcopy(said.editedArgs) if said.editedArgs is not None else proposed
    changed = not json_text.same(edited, proposed)
    return ApprovalDecision(**call, approved=True, args=edited, edited=changed, payload=given.payload)


def refusal(decision: ApprovalDecision) -> Result:
    """What a model is told about a call that does not run."""
    status = decision.status or "rejected"
    if status in ("in_doubt", "stopped"):
        # Nobody refused it, so a model must not be told so.
        return Result(text=f"{decision.reason}\n{NOT_AGAIN}", status=status)
    if status in ("cancelled", "expired"):
        return Result(text=cancellation(expired=status == "expired"), status=status)
    if decision.response is not None:
        return Result(text=decision.response, status="responded")
    return Result(text=rejection(decision.reason), status="rejected")


def payload_of(given: Given, stop: Stop | None) -> Any:
    """An answer as CrewAI's feedback tells it. A yes that is not released is told as a no."""
    if given.why is not None:
        return None
    stopped = stop is not None and given.request.kind == "tool" and read_payload(given.payload).approved
    return {"approved": False, "reason": stop.reason} if stop is not None and stopped else given.payload


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


def _outcome(result: Result) -> ToolOutcome:
    return ToolOutcome(text=result.text, status=result.status)
