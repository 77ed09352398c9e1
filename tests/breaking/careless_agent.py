"""An agent that proposes calls, runs approved ones through the gate, and breaks off wherever chance says."""

from __future__ import annotations

import asyncio
import random
from collections import Counter
from datetime import timedelta
from typing import Any

from ag_ui.core import RunFinishedEvent, RunFinishedSuccessOutcome, RunStartedEvent

from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.errors import GateError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.testing.streams import approval, calls, gives, pauses, question, says
from tests.breaking.slow_store import turns


class CarelessAgent:
    """`ran` holds the arguments of every execution, by the number in them that each proposal has of its own.

    `same_ids`: call ids come again in every pause. `deaf`: it goes on when it is told to stop.
    """

    def __init__(
        self, chance: random.Random, *, clock: Any, same_ids: bool, deaf: bool, expires: bool
    ) -> None:
        self.ran: list[dict[str, Any]] = []
        self.stopped_at_the_gate = 0
        self._chance = chance
        self._clock = clock
        self._same_ids = same_ids
        self._deaf = deaf
        self._expires = expires
        self._made = Counter[str]()

    async def run(self, run_input):
        ids = {"thread_id": run_input.thread_id, "run_id": run_input.run_id}
        yield RunStartedEvent(**ids)
        await self._turns()
        proposed = {c.id: c for m in run_input.messages for c in getattr(m, "tool_calls", None) or []}
        for entry in run_input.resume or []:
            call = proposed.get(entry.interrupt_id.removeprefix("int-"))
            if call is None:
                continue
            result = await self._decided(call, entry)
            for event in gives(call.id, result):
                yield event
            await self._perhaps_fail()
        if self._chance.random() < 0.6:
            async for event in self._propose():
                yield event.model_copy(update=ids) if isinstance(event, RunFinishedEvent) else event
            return
        for event in says(f"m-{run_input.run_id}", "Done."):
            yield event
            await self._turns()
        yield RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    async def _propose(self):
        asked, deadline = [], None
        if self._expires:
            deadline = (self._clock.now() + timedelta(seconds=1)).isoformat()
        for place in range(self._chance.randrange(1, 4)):
            self._made["call"] += 1
            number = self._made["call"]
            call_id = f"call-{place if self._same_ids else number}"
            for event in calls(call_id, "pay", {"number": number}):
                yield event
            await self._turns()
            expires = {"expires_at": deadline} if deadline and self._chance.random() < 0.5 else {}
            asked.append(approval(call_id, **expires))
        if self._chance.random() < 0.3:
            asked.append(question("q"))
        for event in pauses(*asked):
            yield event

    async def _decided(self, call: Any, entry: Any) -> str:
        if entry.status != "resolved" or not entry.payload["approved"]:
            return "Refused."
        await self._perhaps_fail()
        args = entry.payload.get("editedArgs") or json_text.read(call.function.arguments)
        gate = current_gate()
        assert gate is not None
        try:
            await gate.begin(call.id, "pay", args)
        except GateError:
            self.stopped_at_the_gate += 1
            raise
        self.ran.append(args)
        await self._turns()
        await gate.done(call.id, "Paid.")
        await self._perhaps_fail()
        return "Paid."

    async def _perhaps_fail(self) -> None:
        await self._turns()
        if self._chance.random() < 0.1:
            raise ConnectionError("the model is away")

    async def _turns(self) -> None:
        for _ in range(self._chance.randrange(4)):
            try:
                await turns(self._chance)
            except asyncio.CancelledError:
                if not self._deaf:
                    raise
