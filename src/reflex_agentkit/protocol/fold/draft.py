"""A conversation while it is being written: what the fold changes, and the frozen picture of it.

A piece of text costs the same however long the message and however many the messages: it is put on a list.
Frozen messages are kept and made anew only where something changed.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Literal, TypeAlias

from reflex_agentkit.protocol.conversation import (
    CallStatus,
    Conversation,
    DecisionNote,
    Message,
    Role,
    RunFault,
    RunStatus,
    Step,
    ToolCall,
    Usage,
)

Family: TypeAlias = Literal["message", "reasoning", "activity", "decision"]
"""Ids are unique within one of these; a reasoning message may share its id with a text message."""


class Text:
    """A text that grows in pieces."""

    __slots__ = ("_pieces", "_starts", "length")

    def __init__(self, text: str = "") -> None:
        self._pieces: list[str] = [text] if text else []
        self._starts: list[int] = [0] if text else []
        self.length = len(text)

    def append(self, piece: str) -> None:
        """Add a piece at the end."""
        if piece:
            self._pieces.append(piece)
            self._starts.append(self.length)
            self.length += len(piece)

    def whole(self) -> str:
        """All of it."""
        if len(self._pieces) > 1:
            self._pieces, self._starts = ["".join(self._pieces)], [0]
        return self._pieces[0] if self._pieces else ""

    def since(self, offset: int) -> str:
        """What comes after the first `offset` code points."""
        if offset >= self.length:
            return ""
        place = max(0, bisect_right(self._starts, offset) - 1)
        first = self._pieces[place][max(0, offset) - self._starts[place] :]
        return "".join([first, *self._pieces[place + 1 :]])


@dataclass(slots=True, eq=False, kw_only=True)
class CallDraft:
    """A tool call that may still change."""

    id: str
    name: str
    holder: MessageDraft
    run_id: str
    args: Text = field(default_factory=Text)
    again_text: str = ""
    status: CallStatus = "streaming"
    result: str | None = None
    result_content: Any = None
    result_message_id: str = ""
    error: str = ""
    decision: DecisionNote | None = None
    encrypted_value: str | None = None
    result_encrypted_value: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def frozen(self) -> ToolCall:
        """The call as it stands now."""
        return ToolCall(
            id=self.id,
            name=self.name,
            args_text=self.args.whole(),
            again_text=self.again_text,
            status=self.status,
            result=self.result,
            result_content=self.result_content,
            result_message_id=self.result_message_id,
            error=self.error,
            run_id=self.run_id,
            decision=self.decision,
            encrypted_value=self.encrypted_value,
            result_encrypted_value=self.result_encrypted_value,
            metadata=MappingProxyType(dict(self.metadata)),
        )


@dataclass(slots=True, eq=False, kw_only=True)
class MessageDraft:
    """An entry of the transcript that may still change. `place` is its place in the transcript."""

    id: str
    role: Role
    place: int
    run_id: str = ""
    name: str = ""
    subagent: str = ""
    owner: str | None = None
    text: Text = field(default_factory=Text)
    calls: list[CallDraft] = field(default_factory=list[CallDraft])
    content: Any = None
    activity_type: str = ""
    streaming: bool = False
    decision: DecisionNote | None = None
    encrypted_value: str | None = None
    metadata: dict[str, Any] = field(default_factory=dict[str, Any])

    def frozen(self) -> Message:
        """The entry as it stands now."""
        return Message(
            id=self.id,
            role=self.role,
            text=self.text.whole(),
            tool_calls=tuple(call.frozen() for call in self.calls),
            content=self.content,
            name=self.name,
            activity_type=self.activity_type,
            subagent=self.subagent,
            run_id=self.run_id,
            streaming=self.streaming,
            decision=self.decision,
            encrypted_value=self.encrypted_value,
            metadata=MappingProxyType(dict(self.metadata)),
        )


class Draft:
    """A thread while it is folded. The modules beside this one change it, one family of events each."""

    def __init__(self) -> None:
        self.entries: list[MessageDraft] = []
        self.calls: dict[str, CallDraft] = {}
        self.open_calls: dict[CallDraft, None] = {}
        self.restated: dict[str, tuple[Text, Any]] = {}
        self.said_as_decided: dict[CallDraft, Any] = {}
        self.results: dict[str, CallDraft] = {}
        self.early_secrets: dict[str, str] = {}
        self.streaming: dict[str, Role] = {}
        self.subagents: dict[str, str] = {}
        self.run_status: RunStatus = "idle"
        self.run_id = ""
        self.steps: list[Step] = []
        self.state: Any = None
        self.usage = Usage()
        self.fault: RunFault | None = None
        self._found: dict[tuple[Family, str], MessageDraft] = {}
        self._shown: dict[str, MessageDraft] = {}
        self._frozen: list[Message] = []
        self._dirty: set[int] = set()

    def find(self, family: Family, wire_id: str) -> MessageDraft | None:
        """The entry that an id on the wire names."""
        return self._found.get((family, wire_id))

    def shown(self, entry_id: str) -> MessageDraft | None:
        """The entry that is shown under an id."""
        return self._shown.get(entry_id)

    def alias(self, family: Family, wire_id: str, entry: MessageDraft) -> None:
        """Let another id on the wire name the same entry."""
        self._found[family, wire_id] = entry

    def add(self, family: Family, wire_id: str, role: Role, owner: str | None = None) -> MessageDraft:
        """A new entry at the end. Its own id differs from the one on the wire only where that is taken."""
        entry_id, turn = wire_id, 1
        while entry_id in self._shown:
            turn += 1
            entry_id = f"{wire_id}#{role}" if turn == 2 else f"{wire_id}#{role}-{turn}"
        entry = MessageDraft(
            id=entry_id,
            role=role,
            place=len(self.entries),
            run_id=self.run_id,
            owner=owner,
            subagent=self.subagents.get(owner, owner) if owner else "",
        )
        entry.encrypted_value = self.early_secrets.pop(wire_id, None) if family != "activity" else None
        self.entries.append(entry)
        self._found[family, wire_id] = entry
        self._shown[entry_id] = entry
        # A place holder; the entry is dirty, so it is frozen before anybody sees it.
        self._frozen.append(_EMPTY)
        self._dirty.add(entry.place)
        return entry

    def touch(self, entry: MessageDraft) -> None:
        """Note that an entry changed."""
        self._dirty.add(entry.place)

    def settle(self, entry: MessageDraft) -> None:
        """Note that an entry is not being written any more."""
        if self.streaming.pop(entry.id, None) is not None or entry.streaming:
            entry.streaming = False
            self.touch(entry)

    def conversation(self, revision: int) -> Conversation:
        """The frozen picture."""
        for place in self._dirty:
            self._frozen[place] = self.entries[place].frozen()
        self._dirty.clear()
        return Conversation(
            messages=tuple(self._frozen),
            run_status=self.run_status,
            run_id=self.run_id,
            steps=tuple(self.steps),
            state=self.state,
            usage=self.usage,
            fault=self.fault,
            revision=revision,
        )


_EMPTY = Message(id="", role="assistant")
