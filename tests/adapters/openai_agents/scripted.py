"""A booking agent whose model says its lines, and threads with it, for the tests of the adapter."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import Any, TypeAlias

from ag_ui.core import AssistantMessage, BaseEvent, ReasoningMessage, RunAgentInput, ToolCallStartEvent
from agents import Agent, FunctionTool, RunConfig, function_tool
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call

from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent
from reflex_agentkit.agents.gate import CurrentAnswer, current_answer
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.order import StreamOrder
from tests.adapters.talk import Run, Talk

Line: TypeAlias = str | Exception | Sequence[tuple[str, dict[str, Any] | str]]
"""What a model says: a text, an error, or calls."""

ROME = ("book", {"city": "Rome", "nights": 2})
OSLO = ("book", {"city": "Oslo", "nights": 1})
BONN = ("book", {"city": "Bonn", "nights": 3})
QUIET = RunConfig(tracing_disabled=True)


def model(*lines: Line, ids: str = "call") -> ScriptedModel:
    """A model that says these lines in order; its calls are `call-1a`, `call-1b`, `call-2a` ..."""
    return ScriptedModel([_step(line, f"{ids}-{number}") for number, line in enumerate(lines, 1)])


def _step(line: Line, prefix: str) -> Any:
    if isinstance(line, Exception):
        return ModelStep.raise_error(line)
    if isinstance(line, str):
        return [assistant_message(line)]
    return [
        function_call(
            name, args if isinstance(args, str) else json_text.write(args), call_id=f"{prefix}{letter}"
        )
        for letter, (name, args) in zip(string.ascii_lowercase, line, strict=False)
    ]


class Hotel:
    """The tools of a booking agent, which count."""

    def __init__(self) -> None:
        self.booked: list[dict[str, Any]] = []
        self.looked = 0
        self.answers: list[CurrentAnswer | None] = []
        self.raises: list[Exception] = []

    def book(self, city: str, nights: int) -> str:
        """Book a hotel."""
        self.booked.append({"city": city, "nights": nights})
        self.answers.append(current_answer())
        if self.raises:
            raise self.raises.pop(0)
        return f"Booked {nights} nights in {city}."

    def look(self) -> str:
        """Look around."""
        self.looked += 1
        self.answers.append(current_answer())
        return "All quiet."

    def tools(self, **options: Any) -> list[FunctionTool]:
        return [
            function_tool(self.book, **({"needs_approval": True} | options)),
            function_tool(self.look),
        ]

    def agent(self, *lines: Line, **options: Any) -> Agent:
        return Agent(**({"name": "hotel", "model": model(*lines), "tools": self.tools()} | options))


def told(agent: Agent) -> dict[str, Any]:
    """The tool results that an agent's model was given last, by call id."""
    call = agent.model.last_call
    return {
        item["call_id"]: item["output"] for item in call.input if item.get("type") == "function_call_output"
    }


def said_to(agent: Agent) -> list[str]:
    """What an agent's model was given last, an item a line."""
    lines = []
    for item in agent.model.last_call.input:
        match item.get("type"):
            case "function_call":
                lines.append(f"{item['call_id']}: {item['name']}({item['arguments']})")
            case "function_call_output":
                lines.append(f"{item['call_id']} = {item['output']}")
            case "reasoning":
                lines.append(f"thought {item['encrypted_content']}")
            case _:
                content = item["content"]
                words = content if isinstance(content, str) else "".join(p.get("text", "") for p in content)
                lines.append(f"{item['role']}: {words}")
    return lines


def run_of(agent: Agent, **options: Any) -> OpenAIAgentsAGUIAgent:
    return OpenAIAgentsAGUIAgent(agent, **({"run_config": QUIET} | options))


class AgentTalk(Talk):
    """A thread with an agent: a call may hang on a message that was never opened; sub-agents stay apart."""

    async def give(self, run_input: RunAgentInput, *, keep: bool = True) -> Run:
        run = await super().give(run_input, keep=keep)
        order = StreamOrder(thread_id=self.thread_id, run_id=run_input.run_id)
        for event in run.events:
            order.admit(event)
        order.finish()
        return run

    def take(self, event: BaseEvent) -> None:
        if getattr(event, "subagent_run_id", None) is not None:
            return
        if event.type == "REASONING_ENCRYPTED_VALUE" and event.subtype == "tool-call":
            self._call(event.entity_id).encrypted_value = event.encrypted_value
            return
        if event.type == "REASONING_START":
            self.messages.append(ReasoningMessage(id=event.message_id, content=""))
            return
        if isinstance(event, ToolCallStartEvent):
            known = {message.id for message in self.messages}
            if event.parent_message_id not in known:
                self.messages.append(AssistantMessage(id=event.parent_message_id or event.tool_call_id))
        super().take(event)


def talk(agent: Agent, **options: Any) -> AgentTalk:
    return AgentTalk(run_of(agent, **options))
