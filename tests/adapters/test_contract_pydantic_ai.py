"""`PydanticAIAgent` keeps the contract of all agents."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Sequence
from typing import Any

import pytest
from pydantic_ai import Agent
from pydantic_ai.exceptions import CallDeferred
from pydantic_ai.messages import (
    ModelMessage,
    RetryPromptPart,
    SystemPromptPart,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
    UserPromptPart,
)
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.testing.agents import AgentContract, Build, Seen, Subject


class TestPydanticAIAgent(AgentContract):
    @pytest.fixture
    def build(self) -> Build:
        return lambda subject: PydanticAIAgent(agent_of(subject))


def agent_of(subject: Subject) -> Agent:
    async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        for part in messages[-1].parts:
            if isinstance(part, ToolReturnPart) and part.tool_name == "ask":
                subject.hear(part.content)
        said = subject.model(seen(messages))
        if isinstance(said, str):
            yield said
            return
        for at, call in enumerate(said):
            yield {at: DeltaToolCall(name=call.name, json_args=call.args_text, tool_call_id=call.id)}

    agent = Agent(FunctionModel(stream_function=stream))
    agent.tool_plain(requires_approval=True)(subject.book)
    agent.tool_plain(requires_approval=True)(subject.pay)
    agent.tool_plain(subject.look)

    @agent.tool_plain
    def ask(message: str) -> str:
        """Ask."""
        raise CallDeferred(metadata={"message": message})

    return agent


def seen(messages: Sequence[ModelMessage]) -> list[Seen]:
    found: list[Seen] = []
    for message in messages:
        said = ""
        calls: list[str] = []
        for part in message.parts:
            match part:
                case TextPart():
                    said += part.content
                case ToolCallPart():
                    calls.append(part.tool_call_id)
                case ToolReturnPart() | RetryPromptPart():
                    found.append(Seen(role="tool", text=_text(part.content), call_id=part.tool_call_id))
                case UserPromptPart():
                    found.append(Seen(role="user", text=_text(part.content)))
                case SystemPromptPart():
                    found.append(Seen(role="system", text=part.content))
                case _:
                    pass
        if message.kind == "response":
            found.append(Seen(role="assistant", text=said, calls=tuple(calls)))
    return found


def _text(content: Any) -> str:
    return content if isinstance(content, str) else json.dumps(content, default=str)
