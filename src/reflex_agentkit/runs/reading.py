"""Reading an agent that may do anything wrong: what it yields, how it is let go, what went wrong in words."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable
from typing import Any, cast

from ag_ui.core import RunAgentInput, RunErrorEvent

from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.errors import GateError, ProtocolError

log = logging.getLogger("reflex_agentkit.runs")

SILENT = RunErrorEvent(message="The agent ended without an answer.", code="incomplete")


def fault(error: BaseException, run_id: str) -> RunErrorEvent:
    """What went wrong, as the event that closes the run. The log has the whole of it."""
    if isinstance(error, GateError):
        return RunErrorEvent(message=str(error), code="gate")
    if isinstance(error, ProtocolError):
        log.error("run %s: the agent's stream was refused: %s", run_id, error)
        return RunErrorEvent(message=f"The agent's answer could not be read: {error}", code="protocol")
    log.error("run %s: the agent failed", run_id, exc_info=error)
    said = str(error) or "no further words"
    return RunErrorEvent(message=f"The agent failed: {type(error).__name__}: {said}", code="agent_error")


async def events_of(agent: AGUIAgent, run_input: RunAgentInput) -> AsyncGenerator[object, None]:
    """What an agent yields, whatever kind of asynchronous iterator it made."""
    stream: Any = agent.run(run_input)
    if not isinstance(stream, AsyncIterable):
        if asyncio.iscoroutine(stream):
            stream.close()
        raise ProtocolError(
            f"{type(agent).__name__}.run gave {type(stream).__name__}, not an async generator of events"
        )
    try:
        async for value in cast("AsyncIterable[object]", stream):
            yield value
    finally:
        # Only a generator can be closed; any other iterator is just not asked again.
        close = getattr(cast("object", stream), "aclose", None)
        if close is not None:
            await close()


async def let_go(reading: asyncio.Task[None], run_id: str, grace: float) -> None:
    """Stop a task that reads an agent; one that does not end within `grace` seconds goes on unheard."""
    reading.cancel()
    done, _ = await asyncio.wait({reading}, timeout=grace)
    if not done:
        log.warning("the agent of run %s does not stop; it goes on unheard", run_id)
        reading.add_done_callback(_ended_late)
    elif not reading.cancelled() and (error := reading.exception()):
        log.warning("the agent of run %s failed while it was stopped: %r", run_id, error)


def _ended_late(reading: asyncio.Task[None]) -> None:
    """An unheard agent came to its end; asking for its error keeps the loop from reporting it as lost."""
    if not reading.cancelled():
        reading.exception()
