"""Recorded streams, played into a thread as the server does: checked, with a person's words and decisions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ag_ui.core import BaseEvent, CustomEvent, RunFinishedEvent, RunStartedEvent, Tool, UserMessage

from reflex_agentkit.errors import EventOrderError, ProtocolError
from reflex_agentkit.protocol import answers, json_text, wire
from reflex_agentkit.protocol.conversation import Conversation, DecisionNote
from reflex_agentkit.protocol.fold.dispatch import Fold
from reflex_agentkit.protocol.notes import decided_event
from reflex_agentkit.protocol.order import StreamOrder
from reflex_agentkit.protocol.pause import LEGACY_INTERRUPT, Asked, read_pause

CORPUS = Path(__file__).parents[1] / "corpus"
STREAMS = CORPUS / "streams"
SHARED = Path(__file__).parents[3] / "shared" / "cases" / "streams"
NOW = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)


@dataclass(frozen=True)
class Stream:
    """One recorded stream: what was asked for, and the events as lines."""

    name: str
    asked_for: dict[str, Any]
    lines: tuple[str, ...]


def read_stream(path: Path) -> Stream:
    head, *lines = path.read_text(encoding="utf-8").splitlines()
    return Stream(path.stem, json.loads(head)["input"], tuple(line for line in lines if line))


def steps(case: str, folder: Path = STREAMS) -> list[Stream]:
    """The streams of a case, one a run."""
    return [read_stream(path) for path in sorted(folder.glob(f"{case}.*.jsonl"))]


@dataclass
class Thread:
    """A thread that streams are played into."""

    fold: Fold = field(default_factory=Fold)
    asked: tuple[Asked, ...] = ()

    @property
    def conversation(self) -> Conversation:
        return self.fold.conversation()

    def play(self, stream: Stream) -> str:
        """Play one run; whether it was taken or refused."""
        self._decide(stream.asked_for.get("resume") or ())
        order = StreamOrder(thread_id=stream.asked_for["threadId"], run_id=stream.asked_for["runId"])
        legacy: list[CustomEvent] = []
        try:
            for event in _events(stream):
                for item in order.admit(event):
                    self._take(item, stream, legacy)
            order.finish()
        except (EventOrderError, ProtocolError):
            return "refused"
        return "taken"

    def _take(self, event: BaseEvent, stream: Stream, legacy: list[CustomEvent]) -> None:
        if isinstance(event, CustomEvent) and event.name == LEGACY_INTERRUPT:
            legacy.append(event)
        if isinstance(event, RunStartedEvent):
            event = _with_words(event, stream)
        if isinstance(event, RunFinishedEvent):
            tools = [Tool.model_validate(tool) for tool in stream.asked_for.get("tools") or ()]
            self.asked = read_pause(
                event,
                conversation=self.conversation,
                legacy=legacy,
                client_tools=tools,
                asking={tool.name for tool in tools},
                thread_id=event.thread_id,
                run_id=event.run_id,
                opened_at=NOW,
            )
        self.fold.apply(event)

    def _decide(self, resume: Any) -> None:
        """What the desk would have noted about the answers that a run carries."""
        open_ = {one.wire_id: one.pending for one in self.asked}
        for given in resume:
            pending = open_.get(given["interruptId"])
            if pending is None:
                continue
            entry = wire.read_input({**_EMPTY_INPUT, "resume": [given]}).resume[0]
            checked = answers.check_answer(pending, answers.read_entry(pending, entry))
            note = DecisionNote(
                interrupt_id=pending.id,
                verdict=checked.verdict,
                by="Ann",
                tool_call_id=pending.tool_call_id or "",
                before_text=pending.args_text,
                after_text=json_text.write(checked.edited_args) if checked.edited_args else "",
            )
            self.fold.apply(decided_event(note))


_EMPTY_INPUT: dict[str, Any] = {"threadId": "t", "runId": "r", "messages": []}


def _events(stream: Stream) -> Iterator[BaseEvent]:
    for line in stream.lines:
        event = wire.read_event(line)
        if event is not None:
            yield event


def _with_words(event: RunStartedEvent, stream: Stream) -> RunStartedEvent:
    run_input = wire.read_input(stream.asked_for)
    kept = [
        message
        for message in run_input.messages
        if isinstance(message, UserMessage) or message.role == "tool"
    ]
    return event.model_copy(update={"input": run_input.model_copy(update={"messages": kept})})


def outcome(thread: Thread, verdict: str) -> dict[str, Any]:
    """What a thread shows after a run, short enough to be compared with what is right."""
    conversation = thread.conversation
    return {
        "verdict": verdict,
        "status": conversation.run_status,
        "calls": [
            f"{call.name} {call.args_text} {call.status}" + (f": {call.result}" if call.result else "")
            for message in conversation.messages
            for call in message.tool_calls
        ],
        "open": [
            f"{one.pending.kind} {one.pending.tool_name or one.pending.message}" for one in thread.asked
        ],
        "said": [m.text for m in conversation.messages if m.role == "assistant" and m.text],
    }
