"""Agents for the tests of the engine."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

from reflex_agentkit.agents.gate import answering, current_answer, current_gate
from reflex_agentkit.testing.streams import approval, calls, gives, pauses, says

BOOK_SCHEMA = {
    "type": "object",
    "properties": {"city": {"type": "string"}, "nights": {"type": "integer", "maximum": 30}},
    "required": ["city", "nights"],
    "additionalProperties": False,
}


class Booker:
    """Proposes calls of `book`, runs the approved ones through the gate, and says what came of it.

    `ran` counts in the tool's body. `after_tool` is called between the tool and the closing words, `in_tool`
    inside.
    """

    def __init__(self, *proposals: dict[str, Any]) -> None:
        self.proposals = proposals or ({"city": "Lisbon", "nights": 2},)
        self.ran: list[dict[str, Any]] = []
        self.answers: list[Any] = []
        self.inputs: list[RunAgentInput] = []
        self.in_tool: Any = None
        self.after_tool: Any = None

    def call_id(self, place: int) -> str:
        return f"call-{place}"

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        self.inputs.append(run_input)
        ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
        yield RunStartedEvent(**ids)
        if run_input.resume is None and run_input.messages[-1].role == "user":
            async for event in self._propose():
                yield event.model_copy(update=ids) if isinstance(event, RunFinishedEvent) else event
            return
        proposed = {call.id for m in run_input.messages for call in getattr(m, "tool_calls", None) or []}
        for entry in run_input.resume or []:
            call_id = entry.interrupt_id.removeprefix("int-")
            assert call_id in proposed
            place = int(call_id.removeprefix("call-"))
            payload = (
                entry.payload if entry.status == "resolved" else {"approved": False, "reason": "cancelled"}
            )
            if payload["approved"]:
                result = await self._tool(call_id, payload.get("editedArgs") or self.proposals[place])
            else:
                result = f"Refused: {payload.get('reason')}"
            for event in gives(call_id, result):
                yield event
        if self.after_tool is not None:
            await self.after_tool()
        for event in says(f"closing-{len(self.inputs)}", "All ", "done."):
            yield event
        yield RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    async def _propose(self) -> AsyncIterator[BaseEvent]:
        for place, args in enumerate(self.proposals):
            for event in calls(self.call_id(place), "book", args):
                yield event
        asked = [approval(self.call_id(p), args_schema=BOOK_SCHEMA) for p in range(len(self.proposals))]
        for event in pauses(*asked):
            yield event

    async def _tool(self, call_id: str, args: dict[str, Any]) -> str:
        gate = current_gate()
        assert gate is not None
        with answering(await gate.begin(call_id, "book", args)):
            self.ran.append(args)
            self.answers.append(current_answer())
            if self.in_tool is not None:
                try:
                    await self.in_tool()
                except Exception as error:
                    await gate.failed(call_id, str(error))
                    raise
        result = f"Booked {args['nights']} nights in {args['city']}."
        await gate.done(call_id, result)
        return result
