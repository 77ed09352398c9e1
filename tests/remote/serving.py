"""Real AG-UI servers for the tests: in this process, or in one of their own that can be killed."""

from __future__ import annotations

import asyncio
import signal
import socket
import sys
from collections.abc import AsyncIterator
from contextlib import AbstractContextManager, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import uvicorn

SERVERS = Path(__file__).parent / "servers"

PATIENCE = 120
"""Seconds after which a server that says nothing counts as hung: the test fails, rather than never ending."""


class Server(uvicorn.Server):
    """Leaves the signals to the tests."""

    def capture_signals(self) -> AbstractContextManager[None]:
        return nullcontext()


@dataclass
class Served:
    """Apps that are served on loopback in the running loop."""

    running: list[tuple[Server, asyncio.Task[None]]]

    def __call__(self, app: Any) -> str:
        """Serve an app; gives its address. Who connects before it is ready waits."""
        listening = socket.socket()
        listening.bind(("127.0.0.1", 0))
        listening.listen(64)
        config = uvicorn.Config(
            app, log_config=None, lifespan="off", ws="none", timeout_graceful_shutdown=1, access_log=False
        )
        server = Server(config)
        task = asyncio.get_running_loop().create_task(server.serve(sockets=[listening]))
        self.running.append((server, task))
        return f"http://127.0.0.1:{listening.getsockname()[1]}/"


@asynccontextmanager
async def serving() -> AsyncIterator[Served]:
    """Serves apps as long as the block lasts."""
    served = Served([])
    try:
        yield served
    finally:
        for server, _ in served.running:
            server.should_exit = True
        for _, task in served.running:
            await task


@dataclass
class Program:
    """A server in a process of its own. It tells on its standard output what its tools do."""

    process: asyncio.subprocess.Process
    url: str
    counts: Path

    async def told(self, word: str) -> None:
        """Comes back when the server has said this word."""
        assert self.process.stdout is not None
        async with asyncio.timeout(PATIENCE):
            while line := await self.process.stdout.readline():
                if line.decode().strip() == word:
                    return
        raise AssertionError(f"the server ended without saying {word!r}: {await self.complaints()}")

    async def complaints(self) -> str:
        assert self.process.stderr is not None
        return (await self.process.stderr.read()).decode()[-4000:]

    async def go_on(self) -> None:
        """Let a tool that waits go on."""
        assert self.process.stdin is not None
        self.process.stdin.write(b"go\n")
        await self.process.stdin.drain()

    async def kill(self) -> None:
        """End it as the kernel ends a process: nothing is cleaned up."""
        if self.process.returncode is None:
            self.process.send_signal(signal.SIGKILL)
        await self.process.communicate()

    @property
    def ran(self) -> list[str]:
        """What the tools noted first of all in their bodies, one line an execution."""
        return self.counts.read_text().splitlines() if self.counts.exists() else []


@asynccontextmanager
async def program(
    name: str, counts: Path, *arguments: str, python: str = sys.executable, port: int = 0
) -> AsyncIterator[Program]:
    """A server program of the folder `servers`, with the Python of the environment that it needs."""
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        python, str(SERVERS / f"{name}.py"), str(port), str(counts), *arguments,
        stdin=pipe, stdout=pipe, stderr=pipe, limit=2**20,
    )  # fmt: skip
    started = Program(process, "", counts)
    try:
        assert process.stdout is not None
        while not (line := await process.stdout.readline()).startswith(b"port "):
            assert line, f"the server {name} did not start: {await started.complaints()}"
        started.url = f"http://127.0.0.1:{int(line.split()[1])}/"
        yield started
    finally:
        await started.kill()
