"""A thread, its runs, its numbered events."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

from ag_ui.core import BaseEvent

RunState = Literal["running", "finished", "paused", "cancelled", "failed"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ThreadRecord:
    """A conversation and whose it is. `user` is empty where the app names no users."""

    id: str
    user: str
    title: str
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRecord:
    """One run of an agent. `parent_run_id` is the run that it resumes or tries again."""

    id: str
    thread_id: str
    state: RunState
    started_at: datetime
    parent_run_id: str | None = None
    ended_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class NumberedEvent:
    """An event with its place in the thread's log; numbers grow by one, from 1."""

    number: int
    event: BaseEvent
