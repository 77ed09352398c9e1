"""The start of a run, from stored facts: what it is given, and what is stored before its agent is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ag_ui.core import BaseEvent, RunAgentInput, RunStartedEvent, ToolCallResultEvent, UserMessage

from reflex_agentkit.clock import Clock
from reflex_agentkit.ids import Ids
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.records.decision import InterruptRecord, InterruptState
from reflex_agentkit.records.thread import RunRecord
from reflex_agentkit.review.lifecycle import after
from reflex_agentkit.runs.compose import PROTOCOL_VERSION, answer_text, compose
from reflex_agentkit.runs.setting import Setting
from reflex_agentkit.store.base import Change, Move, Store

ANSWERED: frozenset[InterruptState] = frozenset({"decided", "sent", "cancelled", "expired"})
"""States in which an interrupt may have an answer that its agent has not taken."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A run whose start is stored. `answered` are the decisions that it carries, as they are stored now."""

    run: RunRecord
    run_input: RunAgentInput
    answered: Sequence[InterruptRecord]


class Preparation:
    """Prepares the runs of an engine."""

    def __init__(self, store: Store, clock: Clock, ids: Ids) -> None:
        self._store = store
        self._clock = clock
        self._ids = ids

    async def unsent(self, thread_id: str) -> list[InterruptRecord]:
        """The decisions of a thread that its agent has not taken yet."""
        records = await self._store.interrupts(thread_id, states=ANSWERED)
        return [record for record in records if record.decision is not None and not record.settled]

    async def prepare(
        self,
        thread_id: str,
        conversation: Conversation,
        setting: Setting,
        said: Sequence[UserMessage],
        retried: RunRecord | None,
    ) -> Prepared:
        """Store the start of a run: its opening event, the answers that go with it, its record.

        `said` are the messages that the person sends with it, `retried` the run that it tries again.
        """
        answered = await self.unsent(thread_id)
        run = RunRecord(
            id=self._ids.new("run"),
            thread_id=thread_id,
            state="running",
            started_at=self._clock.now(),
            parent_run_id=retried.id if retried else next((r.pending.run_id for r in answered), None),
        )
        run_input = compose(
            conversation,
            thread_id=thread_id,
            run_id=run.id,
            parent_run_id=run.parent_run_id,
            said=said,
            answered=answered,
            tools=setting.tools,
            noted=await self._noted(thread_id, conversation),
            retried_run_id=retried.id if retried else None,
        )
        sent = [_sent(record, run.id) for record in answered]
        change = Change(
            thread_id=thread_id,
            events=[_started(run, said), *self._client_results(answered)],
            run=run,
            moves=[Move(to=to, expected={record.state}) for record, to in zip(answered, sent, strict=True)],
            title=await self._title(thread_id, said),
        )
        await self._store.commit(change, at=self._clock.now())
        return Prepared(run=run, run_input=run_input, answered=sent)

    async def _noted(self, thread_id: str, conversation: Conversation) -> dict[str, str]:
        """Results that the gate noted for calls of which the transcript has none.

        An agent may use the id of a call again: what was noted about an older call is not the new one's.
        """
        latest = {call.id: call for message in conversation.messages for call in message.tool_calls}
        if all(call.result is not None for call in latest.values()):
            return {}
        begun = {run.id: place for place, run in enumerate(await self._store.runs(thread_id))}
        noted: dict[str, str] = {}
        for record in await self._store.interrupts(thread_id):
            call_id = record.pending.tool_call_id or ""
            call = latest.get(call_id)
            if call is None or begun.get(call.run_id, 0) > begun.get(record.pending.run_id, 0):
                continue
            noted.pop(call_id, None)
            if record.state == "done" and record.result_text is not None:
                noted[call_id] = record.result_text
            elif record.state == "done" and record.error is not None:
                noted[call_id] = f"The tool failed: {record.error}"
        return noted

    def _client_results(self, answered: Sequence[InterruptRecord]) -> list[BaseEvent]:
        return [
            ToolCallResultEvent(
                message_id=self._ids.new("msg"),
                tool_call_id=record.pending.tool_call_id or "",
                content=answer_text(record),
                role="tool",
            )
            for record in answered
            if record.client_call
        ]

    async def _title(self, thread_id: str, said: Sequence[UserMessage]) -> str | None:
        thread = await self._store.thread(thread_id)
        if thread is None or thread.title or not said:
            return None
        words = said[0].content if isinstance(said[0].content, str) else ""
        return " ".join(words.split())[:80] or None


def _sent(record: InterruptRecord, run_id: str) -> InterruptRecord:
    """The record once its answer goes with a run.

    A client tool's answer stands in the log, so it is settled.
    """
    state = after("send", record.state)
    return replace(record, state=state, carried_by=run_id, settled=record.client_call)


def _started(run: RunRecord, said: Sequence[UserMessage]) -> RunStartedEvent:
    """The event that opens a run in the log; its input holds what was said with it and nothing older."""
    return RunStartedEvent(
        thread_id=run.thread_id,
        run_id=run.id,
        parent_run_id=run.parent_run_id,
        protocol_version=PROTOCOL_VERSION,
        input=RunAgentInput(
            thread_id=run.thread_id, run_id=run.id, parent_run_id=run.parent_run_id, messages=list(said)
        ),
    )
