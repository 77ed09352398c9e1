"""LangGraph and LangChain in a page: a flight card, two actions in one request, a tool that asks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import interrupt

from app.hotel import note
from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent

CALLS: dict[str, list[tuple[str, dict[str, Any]]]] = {
    "flight": [
        (
            "book_flight",
            {"origin": "Zurich", "destination": "Lisbon", "date": "2030-05-01", "passengers": 2},
        )
    ],
    "two": [
        ("send_mail", {"to": "ann@example.invalid", "subject": "Hello"}),
        ("delete_file", {"path": "/reports"}),
    ],
    "ask": [("ask_user", {"question": "Which colour?"})],
}


class Scripted(BaseChatModel):
    """Proposes what the person named, then says what came of it."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> Any:
        return self

    def _next(self, messages: Sequence[BaseMessage]) -> tuple[str, list[tuple[str, dict[str, Any]]]]:
        results: list[str] = []
        for message in reversed(messages):
            if isinstance(message, ToolMessage):
                results.insert(0, str(message.content))
            elif isinstance(message, HumanMessage):
                if not results:
                    return "", CALLS.get(str(message.content), [])
                break
        return "The answer was: " + " / ".join(results), []

    def _generate(self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any) -> ChatResult:
        text, calls = self._next(messages)
        made = [{"id": f"call-{uuid4().hex[:8]}", "name": name, "args": args} for name, args in calls]
        return ChatResult(generations=[ChatGeneration(message=AIMessage(content=text, tool_calls=made))])

    def _stream(
        self, messages: Any, stop: Any = None, run_manager: Any = None, **_: Any
    ) -> Iterator[ChatGenerationChunk]:
        message = self._generate(messages).generations[0].message
        yield ChatGenerationChunk(
            message=AIMessageChunk(content=message.content, tool_calls=message.tool_calls)  # type: ignore[attr-defined]
        )


@tool
def book_flight(origin: str, destination: str, date: str, passengers: int) -> str:
    """Book a flight. Requires human confirmation of trip details."""
    decision = interrupt(
        {
            "formType": "flight-booking",
            "tool": "book_flight",
            "title": "Confirm flight booking",
            "context": {
                "origin": origin,
                "destination": destination,
                "date": date,
                "passengers": passengers,
            },
            "fields": [
                {
                    "name": "seatClass",
                    "label": "Seat class",
                    "type": "select",
                    "options": ["Economy", "Premium Economy", "Business"],
                    "default": "Economy",
                },
                {
                    "name": "insurance",
                    "label": "Add trip insurance",
                    "type": "checkbox",
                    "default": False,
                },
            ],
        }
    )
    note("book_flight", decision=decision)
    if not decision["approved"]:
        return f"Booking cancelled. No flight from {origin} to {destination} was reserved."
    return f"Flight booked from {origin} to {destination} in {decision['values']['seatClass']}."


@tool
def send_mail(to: str, subject: str) -> str:
    """Send a mail."""
    note("send_mail", to=to, subject=subject)
    return f"Sent {subject!r} to {to}."


@tool
def delete_file(path: str) -> str:
    """Delete a file."""
    note("delete_file", path=path)
    return f"Deleted {path}."


@tool
def ask_user(question: str) -> str:
    """Ask the person."""
    note("ask_user", question=question)
    return "never"


graph = create_agent(
    Scripted(),
    tools=[book_flight, send_mail, delete_file, ask_user],
    middleware=[
        HumanInTheLoopMiddleware(
            {
                "send_mail": {"allowed_decisions": ["approve", "edit", "reject"]},
                "delete_file": {"allowed_decisions": ["approve", "edit", "reject"]},
                "ask_user": {"allowed_decisions": ["respond"]},
            }
        )
    ],
    checkpointer=InMemorySaver(),
)

langchain_agent = LangGraphAGUIAgent(graph)
