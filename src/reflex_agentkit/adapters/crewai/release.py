"""The gate before approved calls: asked when a decision is handed to the flow, since the flow runs the tool.

A yes is handed out once. A flow that goes on after a fault is told the result that is known, or that the call
is in doubt; then it gets no second yes.
"""

from __future__ import annotations

import hashlib

from reflex_agentkit.adapters.crewai.decisions import (
    HANDED_OUT,
    ApprovalDecision,
    decision_of,
    refusal,
    released,
)
from reflex_agentkit.adapters.crewai.journal import Journal
from reflex_agentkit.adapters.crewai.plan import Answer
from reflex_agentkit.adapters.crewai.scene import Handed, Result, Scene, Stop
from reflex_agentkit.agents.gate import CurrentAnswer, Gate
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text


async def hand_out(plan: Answer, scene: Scene, journal: Journal, gate: Gate | None, thread_id: str) -> None:
    """Ask the gate about every approved call, and put into the scene what is released and what is not."""
    scene.method, scene.given = plan.context.method_name, plan.given
    scene.results.update(plan.known)
    for decision in released(plan.given):
        call_id = decision.tool_call_id
        if call_id in plan.known:
            reason = f"in doubt: it ran before, and gave: {plan.known[call_id].text}"
            scene.stopped[call_id] = Stop(reason=reason, status="in_doubt")
            continue
        before = call_id in journal.released
        try:
            if gate is not None:
                answer = await gate.begin(call_id, decision.tool_name, decision.args)
            elif before:
                raise GateError(HANDED_OUT)
            else:
                answer = _answer_of(decision, plan, thread_id)
        except GateError as error:
            stop = Stop(reason=HANDED_OUT, status="in_doubt") if before else None
            scene.stopped[call_id] = stop or Stop(reason=str(error), status="stopped")
            continue
        scene.handed[call_id] = Handed(args=decision.args, answer=answer)
    journal.released = sorted({*journal.released, *scene.handed})


def untold(scene: Scene) -> list[tuple[str, Result]]:
    """The refusals that the flow did not tell by itself."""
    found: list[tuple[str, Result]] = []
    for given in scene.given:
        call_id = given.request.tool_call_id or ""
        if given.request.kind == "tool" and call_id not in scene.results:
            decision = decision_of(given, scene.stopped.get(call_id))
            if not decision.approved:
                found.append((call_id, refusal(decision)))
    return found


def _answer_of(decision: ApprovalDecision, plan: Answer, thread_id: str) -> CurrentAnswer:
    asked_by = next(
        one.id
        for one in plan.given
        if one.request.kind == "tool" and one.request.tool_call_id == decision.tool_call_id
    )
    named = json_text.canonical([thread_id, asked_by, decision.tool_call_id])
    return CurrentAnswer(payload=decision.payload, idempotency_key=hashlib.sha256(named.encode()).hexdigest())
