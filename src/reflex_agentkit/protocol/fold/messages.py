"""Text messages: opened, written piece by piece, closed; and the text of AG-UI content parts."""

from __future__ import annotations

from typing import Any, cast

from ag_ui.core import TextMessageContentEvent, TextMessageEndEvent, TextMessageStartEvent
from pydantic import BaseModel

from reflex_agentkit.protocol.conversation import Role
from reflex_agentkit.protocol.fold.draft import Draft, MessageDraft


def started(draft: Draft, event: TextMessageStartEvent) -> bool:
    entry = draft.find("message", event.message_id)
    if entry is None:
        role: Role = event.role or "assistant"
        entry = draft.add("message", event.message_id, role, event.subagent_run_id)
        entry.name = event.name or ""
    entry.metadata.update(event.metadata or {})
    entry.streaming = True
    draft.streaming[entry.id] = entry.role
    draft.touch(entry)
    return True


def content(draft: Draft, event: TextMessageContentEvent) -> bool:
    entry = draft.find("message", event.message_id)
    if entry is None:
        entry = draft.add("message", event.message_id, "assistant", event.subagent_run_id)
    return written(draft, entry, event.delta, event.metadata)


def ended(draft: Draft, event: TextMessageEndEvent) -> bool:
    entry = draft.find("message", event.message_id)
    if entry is not None:
        entry.metadata.update(event.metadata or {})
        draft.touch(entry)
        draft.settle(entry)
    return True


def written(draft: Draft, entry: MessageDraft, delta: str, metadata: dict[str, Any] | None) -> bool:
    """A piece of text was added; whether anything beside it changed."""
    entry.text.append(delta)
    draft.touch(entry)
    if metadata:
        entry.metadata.update(metadata)
        return True
    return False


def readable(content: Any) -> tuple[str, list[dict[str, Any]] | None]:
    """What can be read of a content, and its parts as plain objects where it holds more than text."""
    if content is None or isinstance(content, str):
        return content or "", None
    parts = [_plain(part) for part in cast("list[Any]", content)]
    texts = [part["text"] for part in parts if part.get("type") == "text"]
    return "".join(texts), parts if len(texts) < len(parts) else None


def _plain(part: Any) -> dict[str, Any]:
    return part.model_dump(by_alias=True) if isinstance(part, BaseModel) else cast("dict[str, Any]", part)
