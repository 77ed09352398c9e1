"""A flow around the subject of the contract: it chats, runs tools at once or after a yes, and asks."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, or_, router, start
from crewai.llms.base_llm import BaseLLM, llm_call_context
from pydantic import PrivateAttr

from reflex_agentkit.adapters.crewai import (
    AGUIFlowState,
    ApprovalDecision,
    agui_feedback_provider,
    answers,
    emit_tool_result,
    question,
    tool_request,
)
from reflex_agentkit.protocol import json_text
from reflex_agentkit.testing.agents import Call, Seen, Subject

SCHEMAS: dict[str, dict[str, Any]] = {
    "book": {"city": {"type": "string"}, "nights": {"type": "integer"}},
    "pay": {"amount": {"type": "integer"}, "rate": {"type": "number"}},
}


def schema_of(tool: str) -> dict[str, Any]:
    fields = SCHEMAS[tool]
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


class SubjectModel(BaseLLM):
    """A model of CrewAI that says what the subject's model says, in pieces."""

    _subject: Subject = PrivateAttr()

    def about(self, subject: Subject) -> SubjectModel:
        self._subject = subject
        return self

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str | list[dict[str, Any]]:
        with llm_call_context():
            said = self._subject.model(seen(messages))
            if isinstance(said, str):
                for piece in (said[:2], said[2:]):
                    self._emit_stream_chunk_event(piece)
                return said
            return [self._propose(at, one) for at, one in enumerate(said)]

    def _propose(self, at: int, call: Call) -> dict[str, Any]:
        half = len(call.args_text) // 2
        for piece, so_far in (
            ("", ""),
            (call.args_text[:half], call.args_text[:half]),
            (call.args_text[half:], call.args_text),
        ):
            function = {"name": call.name, "arguments": so_far}
            told = {"id": call.id, "type": "function", "index": at, "function": function}
            self._emit_stream_chunk_event(piece, tool_call=told)
        return {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.args_text},
        }


def seen(messages: Sequence[dict[str, Any]]) -> list[Seen]:
    return [
        Seen(
            role=one["role"],
            text=one.get("content") or "",
            calls=tuple(call["id"] for call in one.get("tool_calls") or ()),
            call_id=one.get("tool_call_id") or "",
        )
        for one in messages
    ]


class ChatState(AGUIFlowState):
    asking: list[dict[str, Any]] = []


def subject_flow(subject: Subject) -> type[Flow[ChatState]]:
    """The flow's class. All the calls of one message that need a person are one pause."""
    model = SubjectModel(model="scripted/subject").about(subject)

    class SubjectFlow(Flow[ChatState]):
        @start()
        def begin(self) -> None:
            """The conversation is there."""

        @router(or_(begin, "acted"))
        def think(self) -> str:
            said = model.call(self.state.messages)
            if isinstance(said, str):
                self.state.messages.append({"role": "assistant", "content": said})
                return "said"
            self.state.messages.append({"role": "assistant", "content": None, "tool_calls": said})
            self.state.asking = [one for one in said if one["function"]["name"] != "look"]
            return "looking"

        @router("looking")
        async def look(self) -> str:
            for call in self.state.messages[-1]["tool_calls"]:
                if call["function"]["name"] == "look":
                    self.tell(call["id"], await subject.look())
                    emit_tool_result(call["id"], "All quiet.")
            return "asking" if self.state.asking else "acted"

        @listen("asking")
        @human_feedback(message="May these run?", provider=agui_feedback_provider)
        def propose(self) -> list[dict[str, Any]]:
            return [request(one["id"], one["function"]) for one in self.state.asking]

        @router(propose)
        async def act(self, result: HumanFeedbackResult) -> str:
            for answer in answers(result):
                if isinstance(answer, ApprovalDecision):
                    body = {"book": subject.book, "pay": subject.pay}[answer.tool_name]
                    outcome = await answer.run(body)
                    self.tell(answer.tool_call_id, outcome.text)
                    continue
                if answer.cancelled is None:
                    subject.hear(answer.value)
                assert answer.tool_call_id is not None
                self.tell(answer.tool_call_id, answer.text)
                emit_tool_result(answer.tool_call_id, answer.text)
            return "acted"

        def tell(self, call_id: str, text: str) -> None:
            self.state.messages.append({"role": "tool", "tool_call_id": call_id, "content": text})

    return SubjectFlow


def request(call_id: str, function: dict[str, Any]) -> dict[str, Any]:
    name, args = function["name"], json_text.read(function["arguments"])
    if name == "ask":
        return question(args["message"], tool_call_id=call_id)
    return tool_request(call_id, name, args, args_schema=schema_of(name))
