"""The subject of the contract of agents: what its model proposes, and what its tools and its model note down.

An adapter's author puts a `Subject` into the framework: tools that call the bodies below, and a model that
says what `Subject.model` says.
"""

from __future__ import annotations

import asyncio
import json
import string
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from reflex_agentkit.agents.gate import CurrentAnswer, current_answer
from reflex_agentkit.protocol import json_text

Proposal: TypeAlias = tuple[str, dict[str, Any]]
"""A tool's name and the arguments that the model proposes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call as the model makes it; the arguments are JSON text, to be handed on letter for letter."""

    id: str
    name: str
    args_text: str

    @property
    def args(self) -> dict[str, Any]:
        return json.loads(self.args_text)


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """One message as the model was given it.

    `calls` are the ids of an assistant message's calls, `call_id` that of the call whose result this is.
    """

    role: Literal["system", "user", "assistant", "tool"]
    text: str = ""
    calls: tuple[str, ...] = ()
    call_id: str = ""


@dataclass(kw_only=True)
class Subject:
    """A model with a script, and tools that count.

    `turns` are the calls that the model proposes, a turn at a time: the first one at once, each other one
    when it has the results of the one before. Then it says `Done.`

    The agent under test has four tools. `book(city: str, nights: int)` and `pay(amount: int, rate: float)`
    wait for a yes, `look()` runs at once, `ask(message: str)` is a question whose answer is given to `hear`
    and is the tool's result. They do nothing but call the functions of the same name here.
    """

    turns: Sequence[Sequence[Proposal]]
    model_fails: int = 0
    """So many requests that end with a tool's result raise."""
    tool_raises: int = 0
    """So many executions of `book` raise, after they were counted."""
    call_ids: str = "call"
    """What the ids of the calls begin with."""
    hold: asyncio.Event | None = None
    """Where there is one, `book` waits for it, after it was counted."""

    ran: list[Proposal] = field(default_factory=list[Proposal])
    """The executions of the tools that need a yes, noted first of all in their bodies."""
    began: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when a tool that needs a yes has begun."""
    looked: int = 0
    heard: list[Any] = field(default_factory=list[Any])
    answers: list[CurrentAnswer | None] = field(default_factory=list[CurrentAnswer | None])
    """What `current_answer()` gave inside the tools, `look` included."""
    requests: list[Sequence[Seen]] = field(default_factory=list[Sequence[Seen]])

    def model(self, seen: Sequence[Seen]) -> str | list[Call]:
        """What the model says to this history: a text, or calls."""
        self.requests.append(tuple(seen))
        after_result = bool(seen) and seen[-1].role == "tool"
        if after_result and self.model_fails:
            self.model_fails -= 1
            raise RuntimeError("model endpoint returned 503")
        turn = sum(bool(one.calls) for one in seen)
        if turn >= len(self.turns) or not (after_result or turn == 0):
            return "Done."
        return [
            Call(id=f"{self.call_ids}-{turn + 1}{letter}", name=name, args_text=json_text.write(args))
            for letter, (name, args) in zip(string.ascii_lowercase, self.turns[turn], strict=False)
        ]

    async def book(self, city: str, nights: int) -> str:
        """The body of `book`."""
        self._begin("book", {"city": city, "nights": nights})
        if self.hold is not None:
            await self.hold.wait()
        if self.tool_raises:
            self.tool_raises -= 1
            raise RuntimeError("the card service is down")
        return f"Booked {nights} nights in {city}."

    async def pay(self, amount: int, rate: float) -> str:
        """The body of `pay`."""
        self._begin("pay", {"amount": amount, "rate": rate})
        return f"Paid {amount} at {rate}."

    async def look(self) -> str:
        """The body of `look`."""
        self.looked += 1
        self.answers.append(current_answer())
        return "All quiet."

    def hear(self, answer: Any) -> None:
        """To be called with each answer to `ask` as the agent got it."""
        self.heard.append(answer)

    @property
    def told(self) -> dict[str, str]:
        """The tool results in the model's last request, by call id."""
        return {one.call_id: one.text for one in self.requests[-1] if one.role == "tool"}

    def disorder(self) -> list[str]:
        """What a provider would refuse in the requests: a call without its one result right behind it."""
        return [f"request {at}: {what}" for at, seen in enumerate(self.requests) for what in _disorder(seen)]

    def _begin(self, name: str, args: dict[str, Any]) -> None:
        self.ran.append((name, args))
        self.answers.append(current_answer())
        self.began.set()


def _disorder(seen: Sequence[Seen]) -> list[str]:
    wrong: list[str] = []
    waiting: set[str] = set()
    for one in seen:
        if one.role == "tool":
            if one.call_id not in waiting:
                wrong.append(f"a result for {one.call_id!r}, which no call waits for")
            waiting.discard(one.call_id)
            continue
        if waiting:
            wrong.append(f"{one.role} says {one.text!r} before the results of {sorted(waiting)}")
        waiting = set(one.calls)
    if waiting:
        wrong.append(f"no results of {sorted(waiting)}")
    return wrong
