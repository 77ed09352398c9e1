"""`HttpAgent`: any AG-UI endpoint as an agent, whoever serves it and in whatever language."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, aclosing
from typing import Any, Final

import httpx
from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunErrorEvent,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
)

from reflex_agentkit.agents.gate import current_gate
from reflex_agentkit.agents.http.endpoint import HeaderSource, endpoint
from reflex_agentkit.agents.http.exchange import CONNECT_TRIES, Body, answer_to, own_client
from reflex_agentkit.agents.http.faults import RemoteFaultError
from reflex_agentkit.agents.http.legacy import LegacyReader
from reflex_agentkit.agents.http.outgoing import outgoing
from reflex_agentkit.agents.http.stream import events_in
from reflex_agentkit.errors import ConfigurationError, ProtocolError
from reflex_agentkit.protocol.wire import write_input

log = logging.getLogger("reflex_agentkit.agents.http")

LINGER: Final = 1.0
"""Seconds that an endpoint may keep the stream open after the end of the run; then it is closed from here."""


class HttpAgent:
    """An agent behind HTTP: every run is one POST of its input, and its events come back as they happen.

    `headers` go with every request: a mapping, or a function (async or not) that gives one, for tokens that
    have to be fresh. `timeout` is how many seconds the agent may be silent (300 without one); an
    `httpx.Timeout` sets every limit. `client` is an `httpx.AsyncClient` of the app, which is used and never
    closed; the cookies it gathers are not sent, since the runs of several users may share it. Without one,
    every run has a client of its own, so the object serves every event loop.
    `legacy_interrupts=True` takes the older `on_interrupt` events as standard interrupts and answers them
    through `forwardedProps.command.resume`.

    What goes wrong on the way ends the run with a RUN_ERROR; its code is `unreachable`, `refused`,
    `remote_error`, `not_agui`, `broken_off`, `silent` or `several_legacy`. A request is never sent twice: a
    connection that failed before anything was sent is tried once more, and for answers not even that.

    No gate of ours stands before the tools of a remote agent. Its approvals are noted as handed over just
    before they leave, and a card says "sent" until the result arrives.

    Raises:
        ConfigurationError: the address, the headers, the time limits or the client cannot work.
    """

    def __init__(
        self,
        url: str,
        *,
        headers: HeaderSource = None,
        timeout: float | httpx.Timeout | None = None,
        client: httpx.AsyncClient | None = None,
        legacy_interrupts: bool = False,
    ) -> None:
        self._endpoint = endpoint(url, headers, timeout)
        given: Any = client
        if given is not None and not isinstance(given, httpx.AsyncClient):
            raise ConfigurationError(f"client must be an httpx.AsyncClient, not {type(given).__name__}")
        self._client = client
        self._legacy = legacy_interrupts

    async def run(self, run_input: RunAgentInput) -> AsyncIterator[BaseEvent]:
        """The events of a run. Closing the iterator closes the connection, which is how a run is stopped.

        Raises:
            ProtocolError: the endpoint sent something that is not an AG-UI event.
            GateError: the answers of this run must not leave any more.
        """
        try:
            sent = outgoing(run_input, legacy=self._legacy)
            if sent is None:
                for event in _nothing_to_tell(run_input):
                    yield event
                return
            answers = [entry.interrupt_id for entry in run_input.resume or ()]
            async with aclosing(self._exchange(sent, answers)) as events:
                async for event in events:
                    yield event
        except RemoteFaultError as fault:
            log.warning("run %s: %s", run_input.run_id, fault)
            yield RunErrorEvent(message=str(fault), code=fault.code)

    async def _exchange(self, sent: RunAgentInput, answers: Sequence[str]) -> AsyncGenerator[BaseEvent]:
        """One request and what comes back. `answers` are the ids of the interrupts that it answers."""
        gate = current_gate()

        async def leaving() -> None:
            if gate is not None and answers:
                await gate.hand_over(answers)

        body = Body(write_input(sent), leaving)
        async with AsyncExitStack() as stack:
            client = self._client or await stack.enter_async_context(await own_client())
            try:
                answered = answer_to(body, self._endpoint, client, tries=1 if answers else CONNECT_TRIES)
                response = await stack.enter_async_context(answered)
            except RemoteFaultError as fault:
                if fault.unseen and body.left and gate is not None and answers:
                    await gate.hand_back(answers)
                raise
            events = await stack.enter_async_context(aclosing(events_in(response, self._endpoint.shown)))
            legacy = LegacyReader(sent) if self._legacy else None
            async for event in _until_over(events, sent.run_id, self._endpoint.shown):
                passed = legacy.admit(event) if legacy else event
                if passed is not None:
                    yield passed


async def _until_over(
    events: AsyncGenerator[BaseEvent], run_id: str, where: str
) -> AsyncGenerator[BaseEvent]:
    """The events up to the end of the run, and what still comes within the linger, however much that is.

    Raises:
        RemoteFaultError: the stream ended before the run did.
    """
    over, current, until, other = False, None, 0.0, ""
    now = asyncio.get_running_loop().time
    while True:
        try:
            if not over:
                event = await anext(events)
            else:
                # Not `wait_for`, which may step the generator in another task than the one it began in.
                async with asyncio.timeout_at(until):
                    event = await anext(events)
        except StopAsyncIteration:
            break
        except (TimeoutError, RemoteFaultError, ProtocolError) as error:
            if not over:
                raise
            log.info("run %s: what %s sent after the end was left: %r", run_id, where, error)
            break
        ended = over
        match event:
            case RunStartedEvent():
                over, current = False, event.run_id
            case RunFinishedEvent():
                over = event.run_id == run_id
                other = "" if over else event.run_id
            case RunErrorEvent():
                over = current in (None, run_id)
            case _:
                pass
        if over and not ended:
            until = now() + LINGER
        yield event
    if not over:
        what = f"; it ended the run {other!r}, and {run_id!r} was asked for" if other else ""
        raise RemoteFaultError("broken_off", f"{where} closed the connection before the run had ended{what}.")


def _nothing_to_tell(run_input: RunAgentInput) -> Iterator[BaseEvent]:
    """A run without the remote agent: an older interrupt was cancelled, which resumes nothing."""
    thread_id, run_id = run_input.thread_id, run_input.run_id
    yield RunStartedEvent(thread_id=thread_id, run_id=run_id)
    yield RunFinishedEvent(thread_id=thread_id, run_id=run_id, outcome=RunFinishedSuccessOutcome())
