"""Server CPU a token: the kit (checked, folded, stored, told on) against the scripted agent alone."""

from __future__ import annotations

import argparse
import asyncio
import time
from collections.abc import Sequence

from ag_ui.core import BaseEvent, MessagesSnapshotEvent, RunAgentInput, UserMessage

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.testing.streams import says

SIZES = (0, 1_000, 10_000)


def history(messages: int) -> list[BaseEvent]:
    """A conversation of so many messages of 1 KB."""
    said = [UserMessage(id=f"u{place}", content="x" * 1_000) for place in range(messages)]
    return [MessagesSnapshotEvent(messages=said)] if messages else []


async def alone(tokens: Sequence[BaseEvent]) -> float:
    """CPU seconds of an agent that nobody drives."""
    agent = ScriptedAgent(tokens)
    begun = time.process_time()
    async for _ in agent.run(RunAgentInput(thread_id="t", run_id="r", messages=[])):
        pass
    return time.process_time() - begun


async def driven(tokens: Sequence[BaseEvent], messages: int) -> float:
    """CPU seconds of the same agent in a kit, in a thread with so many messages."""
    async with AgentKit(ScriptedAgent(history(messages), tokens), store="memory:") as kit:
        await kit.send("t", "Hello")
        await kit.wait("t")
        begun = time.process_time()
        await kit.send("t", "Hello")
        await kit.wait("t")
        return time.process_time() - begun


async def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument(
        "--tokens", type=int, default=16_000, help="length of the reply (default: %(default)s)"
    )
    count = options.parse_args().tokens
    tokens = says("m", *["tok "] * count)
    base = await alone(tokens)
    print(f"{'':32} {'us a token':>12} {'x agent alone':>14}")
    print(f"{'agent alone':32} {base / count * 1e6:12.1f} {1.0:14.2f}")
    for size in SIZES:
        took = await driven(tokens, size)
        print(f"{f'kit, {size:,} messages before':32} {took / count * 1e6:12.1f} {took / base:14.2f}")


if __name__ == "__main__":
    asyncio.run(main())
