"""Reading an agent that may do anything wrong: what it yields, how it is let go, what went wrong in words."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterable, Callable
from typing import Any, cast

from ag_ui.core import ActivityDeltaEvent, BaseEvent, RunAgentInput, RunErrorEvent, StateDeltaEvent

from reflex_agentkit.agents.base import AGUIAgent
from reflex_agentkit.errors import GateError, ProtocolError
from reflex_agentkit.protocol import patch
from reflex_agentkit.protocol.conversation import Conversation
from reflex_agentkit.protocol.schema import check_size
from reflex_agentkit.protocol.unicode import sendable

log = logging.getLogger("reflex_agentkit.runs")

SILENT = RunErrorEvent(message="The agent ended without an answer.", code="incomplete")

UNSTORED = RunErrorEvent(message="The end of this answer could not be saved. Try again.", code="not_stored")

MAX_SAID = 4_000
"""Characters of an error that a person is shown; the log has all of it."""


def fault(error: BaseException, run_id: str) -> RunErrorEvent:
    """What went wrong, as the event that closes the run. The log has the whole of it."""
    if isinstance(error, GateError):
        return RunErrorEvent(message=_words(error), code="gate")
    if isinstance(error, ProtocolError):
        log.error("run %s: the agent's stream was refused: %s", run_id, _words(error))
        return RunErrorEvent(
            message=f"The agent's answer could not be read: {_words(error)}", code="protocol"
        )
    log.error("run %s: the agent failed", run_id, exc_info=error)
    said = _words(error) or "no further words"
    return RunErrorEvent(message=f"The agent failed: {type(error).__name__}: {said}", code="agent_error")


def _words(error: BaseException) -> str:
    """What an error says. It comes from an agent's code, so saying it may fail too."""
    try:
        said = str(error)
    except Exception:
        return "it cannot say what happened"
    return sendable(said if len(said) <= MAX_SAID else f"{said[:MAX_SAID]} [...]")


def check_change(event: BaseEvent, conversation: Callable[[], Conversation]) -> None:
    """Refuse a patch that does not fit what it changes, or makes of it what could not be shown or sent.

    Raises:
        ProtocolError: with the operation, or the limit.
    """
    match event:
        case StateDeltaEvent():
            state = conversation().state
            _check_size(patch.apply({} if state is None else state, event.delta), "the state")
        case ActivityDeltaEvent():
            found = [m for m in conversation().messages if m.role == "activity" and m.id == event.message_id]
            if found:
                _check_size(patch.apply(found[-1].content, event.patch), "the activity")
        case _:
            return


def _check_size(value: Any, name: str) -> None:
    problem = check_size(value)
    if problem is not None:
        raise ProtocolError(f"a patch makes {name} too large: {problem.message}")


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
    except SystemExit as error:
        # An agent's code ends its run, never the server.
        raise RuntimeError(f"it tried to end the process, with exit code {error.code!r}") from None
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
