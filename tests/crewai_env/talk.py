"""Threads for the tests: flows that note what ran, over a raw stream and through a kit."""

from __future__ import annotations

from typing import Any

from ag_ui.core import RunErrorEvent, TextMessageContentEvent
from crewai.flow.persistence import SQLiteFlowPersistence

from reflex_agentkit.adapters.crewai import CrewAIFlowAGUIAgent
from reflex_agentkit.testing.agent_contract.wire_thread import WireRun, WireThread


def thread_of(flow: Any, persistence: SQLiteFlowPersistence, thread_id: str = "thread-1") -> WireThread:
    """A thread with an agent of its own: another one over the same persistence is a restart."""
    return WireThread(CrewAIFlowAGUIAgent(flow, persistence=persistence), thread_id)


def restarted(thread: WireThread, flow: Any, persistence: SQLiteFlowPersistence) -> WireThread:
    """The same thread, after the process with its agent is gone."""
    agent = CrewAIFlowAGUIAgent(flow, persistence=persistence)
    after = WireThread(agent, thread.thread_id, thread.messages, thread.state)
    after._runs = thread._runs
    return after


def text_of(run: WireRun) -> str:
    return "".join(event.delta for event in run.of(TextMessageContentEvent))


def error_of(run: WireRun) -> RunErrorEvent:
    [error] = run.of(RunErrorEvent)
    return error
