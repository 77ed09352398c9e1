"""pydantic-ai's own AG-UI endpoint around an agent whose one tool waits for a yes."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from pydantic_ai import Agent, DeferredToolRequests
from pydantic_ai.messages import ModelMessage, ModelRequest, ToolReturnPart
from pydantic_ai.models.function import AgentInfo, DeltaToolCall, FunctionModel
from pydantic_ai.ui.ag_ui import AGUIAdapter
from standing import MODE, book, held, serve
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route


async def stream(messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
    last = messages[-1]
    results = [part for part in last.parts if isinstance(part, ToolReturnPart)]
    said = "".join(str(part.content) for part in last.parts if isinstance(last, ModelRequest))
    if MODE == "talk":
        yield "Half a sen"
        await held("said")
        yield "tence."
    elif results:
        yield "Done: "
        yield "; ".join(str(part.content) for part in results)
    elif said.startswith("Book"):
        yield {
            0: DeltaToolCall(name="book", json_args='{"city": "Rome", "nights": 2}', tool_call_id="call-1")
        }
    else:
        yield "You are welcome."


agent = Agent(FunctionModel(stream_function=stream), output_type=[str, DeferredToolRequests])
agent.tool_plain(requires_approval=True)(book)


async def endpoint(request: Request) -> Response:
    return await AGUIAdapter.dispatch_request(request, agent=agent)


serve(Starlette(routes=[Route("/", endpoint, methods=["POST"])]))
