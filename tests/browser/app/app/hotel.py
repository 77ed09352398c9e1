"""The first page of the documentation, but for the model.

This one is scripted and writes down what happens.
"""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from uuid import uuid4

from pydantic_ai import Agent
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart, UserPromptPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, DeltaToolCalls, FunctionModel


def note(kind: str, **facts: Any) -> None:
    """Write a line that a test reads: a tool that ran, what a model was given."""
    with Path(os.environ["AGENTKIT_TEST_LOG"]).open("a") as file:
        file.write(json.dumps({"kind": kind, **facts}, default=str) + "\n")


def last_words(messages: list[ModelMessage]) -> str:
    """What the person said last."""
    prompts = [
        part.content
        for message in messages
        if isinstance(message, ModelRequest)
        for part in message.parts
        if isinstance(part, UserPromptPart)
    ]
    return str(prompts[-1]) if prompts else ""


def returns_at_the_end(messages: list[ModelMessage]) -> list[ToolReturnPart]:
    """The results that the model is given now."""
    last = messages[-1]
    return [part for part in last.parts if isinstance(part, ToolReturnPart)]


def proposals(*calls: tuple[str, str]) -> DeltaToolCalls:
    """Tool calls, with ids of their own."""
    return {
        place: DeltaToolCall(name=name, json_args=text, tool_call_id=f"call-{uuid4().hex[:8]}")
        for place, (name, text) in enumerate(calls)
    }


async def travel_model(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[str | DeltaToolCalls]:
    given = returns_at_the_end(messages)
    if given:
        note("model", results=[str(part.content) for part in given])
        yield "The answer was: "
        yield " / ".join(str(part.content) for part in given)
        return
    said = last_words(messages)
    yield "I will look "
    yield "for a hotel."
    if "three" in said:
        yield proposals(
            *(("book_hotel", f'{{"city": "{c}", "nights": 2}}') for c in ("Rome", "Oslo", "Bonn"))
        )
    else:
        yield proposals(("book_hotel", '{"city": "Lisbon", "nights": 2}'))


travel_agent = Agent(FunctionModel(stream_function=travel_model))


@travel_agent.tool_plain(requires_approval=True)
def book_hotel(city: str, nights: int) -> str:
    """Book a hotel room."""
    note("book_hotel", city=city, nights=nights)
    return f"Booked {nights} nights in {city}."
