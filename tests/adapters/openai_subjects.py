"""The subject of the contract of agents as an agent of the OpenAI Agents SDK."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any

from agents import Agent, Model, ModelResponse, function_tool
from agents.testing import ScriptedModel, assistant_message, function_call

from reflex_agentkit.adapters.openai_agents import question_tool
from reflex_agentkit.agents.gate import current_answer
from reflex_agentkit.protocol import json_text
from reflex_agentkit.testing.agents import Call, Seen, Subject


class SpeakingModel(Model):
    """A model that says what a function of the history says: a text, or calls."""

    def __init__(self, speak: Callable[[list[Seen]], str | list[Call]]) -> None:
        self._speak = speak

    async def get_response(
        self, system_instructions: Any, input: Any, *more: Any, **named: Any
    ) -> ModelResponse:
        return await self._step(input).get_response(system_instructions, input, *more, **named)

    async def stream_response(
        self, system_instructions: Any, input: Any, *more: Any, **named: Any
    ) -> AsyncIterator[Any]:
        async for event in self._step(input).stream_response(system_instructions, input, *more, **named):
            yield event

    def _step(self, input: Any) -> ScriptedModel:
        said = self._speak(seen(input))
        if isinstance(said, str):
            return ScriptedModel([[assistant_message(said)]])
        return ScriptedModel([[function_call(c.name, c.args_text, call_id=c.id) for c in said]])


def agent_of(subject: Subject) -> Agent:
    @question_tool
    def ask(message: str) -> str:
        """Ask."""
        answer = current_answer()
        assert answer is not None
        subject.hear(answer.payload)
        return json_text.write(answer.payload)

    return Agent(
        name="subject",
        model=SpeakingModel(subject.model),
        tools=[
            function_tool(subject.book, needs_approval=True),
            function_tool(subject.pay, needs_approval=True),
            function_tool(subject.look),
            ask,
        ],
    )


def seen(items: str | Sequence[Any]) -> list[Seen]:
    """The input of a model as the contract of agents sees it; calls side by side are one message."""
    if isinstance(items, str):
        return [Seen(role="user", text=items)]
    found: list[Seen] = []
    for item in items:
        kind = item.get("type")
        if kind == "function_call":
            last = found[-1] if found else None
            if last is not None and last.role == "assistant":
                found[-1] = Seen(role="assistant", text=last.text, calls=(*last.calls, item["call_id"]))
            else:
                found.append(Seen(role="assistant", calls=(item["call_id"],)))
        elif kind == "function_call_output":
            found.append(Seen(role="tool", text=_text(item["output"]), call_id=item["call_id"]))
        elif "role" in item:
            role = "system" if item["role"] == "developer" else item["role"]
            found.append(Seen(role=role, text=_text(item["content"])))
    return found


def _text(content: Any) -> str:
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)
