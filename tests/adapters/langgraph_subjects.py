"""LangGraph graphs around the subject of the contract: raw nodes, and `create_agent` with the middleware."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from typing import Annotated, Any, Literal

from langchain.agents import create_agent
from langchain.agents.middleware import HumanInTheLoopMiddleware
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage, ToolMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.tools import BaseTool, tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import Send, interrupt
from typing_extensions import TypedDict

from reflex_agentkit.adapters.langgraph import request_tool_approval
from reflex_agentkit.testing.agents import Seen, Subject

Mode = Literal["batched", "per_call"]
ROLES = {"human": "user", "ai": "assistant", "tool": "tool", "system": "system"}
DECISIONS = ["approve", "edit", "reject"]


class SubjectChat(BaseChatModel):
    """A chat model that says what the subject's model says, in pieces."""

    subject: Any
    one_piece: bool = False
    """Whether a call's name and arguments come together."""

    @property
    def _llm_type(self) -> str:
        return "subject"

    def bind_tools(self, tools: Any, **options: Any) -> Any:
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **options: Any) -> ChatResult:
        whole = None
        for chunk in self._stream(messages):
            whole = chunk if whole is None else whole + chunk
        assert whole is not None
        message = whole.message
        assert isinstance(message, AIMessageChunk)
        said = AIMessage(content=message.content, tool_calls=message.tool_calls)
        return ChatResult(generations=[ChatGeneration(message=said)])

    async def _astream(self, messages: Any, *_: Any, **options: Any) -> AsyncIterator[ChatGenerationChunk]:
        for chunk in self._stream(messages):
            yield chunk

    def _stream(self, messages: list[BaseMessage], *_: Any, **options: Any) -> Iterator[ChatGenerationChunk]:
        said = self.subject.model(seen(messages))
        if isinstance(said, str):
            for piece in (said[:2], said[2:]):
                yield ChatGenerationChunk(message=AIMessageChunk(content=piece))
            return
        for index, call in enumerate(said):
            pieces = [(call.id, call.name, ""), (None, None, call.args_text)]
            for call_id, name, args in [(call.id, call.name, call.args_text)] if self.one_piece else pieces:
                chunk = {"id": call_id, "name": name, "args": args, "index": index}
                yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))


def seen(messages: Sequence[BaseMessage]) -> list[Seen]:
    return [
        Seen(
            role=ROLES[message.type],  # pyright: ignore[reportArgumentType]
            text=message.text,
            calls=tuple(call["id"] or "" for call in getattr(message, "tool_calls", ())),
            call_id=message.tool_call_id if isinstance(message, ToolMessage) else "",
        )
        for message in messages
    ]


def tools_of(subject: Subject) -> list[BaseTool]:
    @tool
    async def book(city: str, nights: int) -> str:
        """Book a hotel."""
        return await subject.book(city, nights)

    @tool
    async def pay(amount: int, rate: float) -> str:
        """Pay."""
        return await subject.pay(amount, rate)

    @tool
    async def look() -> str:
        """Look."""
        return await subject.look()

    @tool
    async def ask(message: str) -> str:
        """Ask."""
        answer = interrupt({"reason": "question", "message": message})
        subject.hear(answer)
        return json.dumps(answer)

    return [book, pay, look, ask]


def middleware_graph(subject: Subject, mode: Mode, **options: Any) -> Any:
    """`create_agent` with the middleware, which asks before `book` and `pay`."""
    asks = {name: {"allowed_decisions": DECISIONS} for name in ("book", "pay")} | options
    return create_agent(
        SubjectChat(subject=subject),
        tools=tools_of(subject),
        checkpointer=InMemorySaver(),
        middleware=[HumanInTheLoopMiddleware(interrupt_on=asks, interrupt_mode=mode)],
    )


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


def node_graph(subject: Subject) -> Any:
    """A graph of one's own: a node for the model, and one a call, which asks by itself."""
    bodies = {one.name: one for one in tools_of(subject)}
    chat = SubjectChat(subject=subject)

    async def model(state: State) -> State:
        return {"messages": [await chat.ainvoke(state["messages"])]}

    async def act(state: dict[str, Any]) -> State:
        call = state["call"]
        args, decision = call["args"], None
        if call["name"] in ("book", "pay"):
            tool = bodies[call["name"]]
            decision = request_tool_approval(call["id"], call["name"], args, args_schema=tool)
            args = decision.args
        if decision is None or decision.approved:
            content = await bodies[call["name"]].ainvoke(args)
        else:
            content = f"Refused: {decision.reason or 'no reason given'}. Do not repeat it unless asked."
        content = decision.tool_result(content) if decision else content
        return {"messages": [ToolMessage(content=content, tool_call_id=call["id"], name=call["name"])]}

    def route(state: State) -> Any:
        calls = getattr(state["messages"][-1], "tool_calls", ())
        return [Send("act", {"call": call}) for call in calls] or END

    builder = StateGraph(State)
    builder.add_node("model", model)
    builder.add_node("act", act)  # pyright: ignore[reportArgumentType, reportCallIssue]
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", route)
    builder.add_edge("act", "model")
    return builder.compile(checkpointer=InMemorySaver())
