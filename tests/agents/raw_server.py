"""A server on loopback that answers byte by byte as a test says, and keeps what it was sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from ag_ui.core import (
    BaseEvent,
    RunAgentInput,
    RunFinishedEvent,
    RunFinishedSuccessOutcome,
    RunStartedEvent,
    UserMessage,
)

from reflex_agentkit.protocol.wire import write_event

STREAM = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nConnection: close\r\n\r\n"


@dataclass
class Request:
    """What came in, and the way to answer."""

    line: str
    headers: dict[str, str]
    body: bytes
    writer: asyncio.StreamWriter
    reader: asyncio.StreamReader

    @property
    def input(self) -> dict[str, Any]:
        return json.loads(self.body)

    async def send(self, *pieces: bytes) -> None:
        """Each piece in a packet of its own."""
        for piece in pieces:
            self.writer.write(piece)
            await self.writer.drain()

    async def stream(self, *events: BaseEvent) -> None:
        """A whole answer of these events."""
        await self.send(STREAM, *(frame(event) for event in events))

    async def run(self, *events: BaseEvent) -> None:
        """A run of these events, begun and ended well."""
        started, finished = self.ends()
        await self.stream(started, *events, finished)

    def ends(self) -> tuple[RunStartedEvent, RunFinishedEvent]:
        """The events that begin and end the run that was asked for."""
        ids = {"thread_id": self.input["threadId"], "run_id": self.input["runId"]}
        return RunStartedEvent(**ids), RunFinishedEvent(**ids, outcome=RunFinishedSuccessOutcome())

    def reset(self) -> None:
        """Drop the connection hard, as a killed process does."""
        self.writer.transport.abort()

    async def gone(self) -> None:
        """Comes back when the other side has closed the connection."""
        while await self.reader.read(1024):
            pass


Answer = Callable[[Request], Awaitable[None]]


@dataclass
class RawServer:
    """`answers` are taken in order, the last one again when there are no more."""

    answers: list[Answer]
    port: int = 0
    requests: list[Request] = field(default_factory=list)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/agent"

    @property
    def bodies(self) -> list[dict[str, Any]]:
        return [request.input for request in self.requests]

    async def handle(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = (await reader.readuntil(b"\r\n\r\n")).decode().split("\r\n")
            headers = {}
            for line in filter(None, head[1:]):
                name, _, value = line.partition(":")
                headers[name.lower()] = value.strip()
            body = await reader.readexactly(int(headers.get("content-length", 0)))
            request = Request(head[0], headers, body, writer, reader)
            answer = self.answers[min(len(self.requests), len(self.answers) - 1)]
            self.requests.append(request)
            await answer(request)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()


@asynccontextmanager
async def raw_server(*answers: Answer) -> AsyncIterator[RawServer]:
    made = RawServer(list(answers))
    server = await asyncio.start_server(made.handle, "127.0.0.1", 0)
    made.port = server.sockets[0].getsockname()[1]
    try:
        yield made
    finally:
        server.close()


def frame(event: BaseEvent) -> bytes:
    return f"data: {write_event(event)}\n\n".encode()


def page(status: str, kind: str, body: str | bytes, *more: str) -> bytes:
    """A whole answer that is no stream."""
    body = body.encode() if isinstance(body, str) else body
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", f"Content-Length: {len(body)}", *more]
    return "\r\n".join([*head, "Connection: close", "", ""]).encode() + body


def asked(text: str = "Hello", **more: Any) -> RunAgentInput:
    """The input of a run."""
    given: dict[str, Any] = {
        "thread_id": "t",
        "run_id": "run-1",
        "state": {},
        "messages": [UserMessage(id="user-1", content=text)],
        "tools": [],
        "context": [],
        "forwarded_props": {},
    }
    return RunAgentInput(**{**given, **more})


async def heard(agent: Any, run_input: RunAgentInput | None = None) -> list[BaseEvent]:
    """All events of a run."""
    return [event async for event in agent.run(run_input or asked())]
