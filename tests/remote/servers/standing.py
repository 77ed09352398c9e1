"""What the server programs share: their arguments, their port, and what their tools note and tell.

`python SERVER.py PORT COUNTS [MODE]`: port 0 takes a free one, which is told as `port N`. COUNTS gets a line
for every execution of a tool, before anything else happens in it. In the mode `hold` a tool says `began` and
waits for a line; in the mode `talk` the model says half a sentence, then `said`, and waits.
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from typing import Any

PORT, COUNTS = int(sys.argv[1]), sys.argv[2]
MODE = sys.argv[3] if len(sys.argv) > 3 else "plain"


def tell(word: str) -> None:
    """Say a word to the test."""
    sys.__stdout__.write(f"{word}\n")
    sys.__stdout__.flush()


def note(line: str) -> None:
    """An execution. It is on the disk before the tool goes on, so a killed server has counted it."""
    with open(COUNTS, "a", encoding="utf-8") as counts:
        counts.write(f"{line}\n")
        counts.flush()
        os.fsync(counts.fileno())


async def held(word: str) -> None:
    """Tell the test where we are, and wait until it lets us go on."""
    tell(word)
    try:
        await asyncio.get_running_loop().run_in_executor(None, sys.stdin.readline)
    except asyncio.CancelledError:
        tell("stopped")
        raise


async def book(city: str, nights: int) -> str:
    """Book a hotel."""
    note(f"{city} {nights}")
    if MODE == "hold":
        await held("began")
    return f"Booked {nights} nights in {city}."


def serve(app: Any) -> None:
    """Serve an app on loopback until the process is killed."""
    import uvicorn

    listening = socket.socket()
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    listening.bind(("127.0.0.1", PORT))
    listening.listen(64)
    tell(f"port {listening.getsockname()[1]}")
    config = uvicorn.Config(app, log_level="error", access_log=False, ws="none")
    uvicorn.Server(config).run(sockets=[listening])
