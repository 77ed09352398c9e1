"""The endpoint of ag-ui-langgraph around a graph whose node asks before its tool; checkpoints are on disk."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.language_models.chat_models import BaseChatModel
from langchain_core.messages import AIMessageChunk, AnyMessage, HumanMessage, ToolMessage
from langchain_core.outputs import ChatGenerationChunk, ChatResult
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, StateGraph
from langgraph.graph.message import add_messages
from langgraph.types import interrupt
from standing import COUNTS, MODE, book, held, serve
from typing_extensions import TypedDict

YES_OR_NO = {"type": "object", "properties": {"approved": {"type": "boolean"}}, "required": ["approved"]}


class Chat(BaseChatModel):
    """Books when it is told to, else it says something."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _generate(self, messages: Any, *_: Any, **options: Any) -> ChatResult:
        raise NotImplementedError

    async def _astream(self, messages: Any, *_: Any, **options: Any) -> AsyncIterator[ChatGenerationChunk]:
        last = messages[-1]
        if MODE == "talk":
            yield ChatGenerationChunk(message=AIMessageChunk(content="Half a sen"))
            await held("said")
        elif isinstance(last, HumanMessage) and last.text.startswith("Book"):
            for call_id, name, args in (
                ("call-1", "book", ""),
                (None, None, '{"city": "Rome", "nights": 2}'),
            ):
                chunk = {"id": call_id, "name": name, "args": args, "index": 0}
                yield ChatGenerationChunk(message=AIMessageChunk(content="", tool_call_chunks=[chunk]))
        else:
            yield ChatGenerationChunk(message=AIMessageChunk(content=f"Done: {last.text}"))


class State(TypedDict):
    messages: Annotated[list[AnyMessage], add_messages]


async def model(state: State) -> dict[str, Any]:
    return {"messages": [await Chat().ainvoke(state["messages"])]}


async def act(state: State) -> dict[str, Any]:
    call = state["messages"][-1].tool_calls[0]  # pyright: ignore[reportAttributeAccessIssue]
    asked = {"reason": "tool_call", "message": "Book?", "toolCallId": call["id"], "responseSchema": YES_OR_NO}
    answer = interrupt(asked)
    text = await book(**call["args"]) if answer.get("approved") is True else "The user refused."
    return {"messages": [ToolMessage(content=text, tool_call_id=call["id"], name=call["name"])]}


def route(state: State) -> str:
    return "act" if getattr(state["messages"][-1], "tool_calls", None) else END


async def made() -> FastAPI:
    import aiosqlite

    builder = StateGraph(State)
    builder.add_node("model", model)
    builder.add_node("act", act)
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", route, ["act", END])
    builder.add_edge("act", "model")
    graph = builder.compile(checkpointer=AsyncSqliteSaver(aiosqlite.connect(f"{COUNTS}.db")))
    app = FastAPI()
    agent = LangGraphAgent(name="graph", graph=graph, emit_interrupt_outcome=MODE != "legacy")
    add_langgraph_fastapi_endpoint(app, agent, "/")
    return app


async def app(scope: Any, receive: Any, send: Any) -> None:
    """The app, made in the loop that serves it, as its checkpointer wants."""
    if scope["type"] == "http":
        if not ready:
            ready.append(await made())
        await ready[0](scope, receive, send)


ready: list[FastAPI] = []
serve(app)
