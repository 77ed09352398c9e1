"""The endpoint of ag-ui-crewai around a flow that asks before it books. It runs in an environment of its own.

Without a mode the pause comes as an interrupt outcome; in the mode `legacy` as ag-ui-crewai does by default,
by an `on_interrupt` event alone.
"""

from __future__ import annotations

import json
import os
from typing import Any

os.environ |= {
    # Nothing of it may need a network.
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "CREWAI_DISABLE_TELEMETRY": "true",
    "CREWAI_DISABLE_TRACKING": "true",
    "OTEL_SDK_DISABLED": "true",
}

from standing import COUNTS, MODE, book, held, serve

os.environ["CREWAI_STORAGE_DIR"] = f"{COUNTS}.crewai"

from ag_ui_crewai import (
    CopilotKitState,
    add_crewai_flow_fastapi_endpoint,
    agui_feedback_provider,
    copilotkit_emit_tool_result,
    copilotkit_stream,
)
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from crewai.flow.persistence import SQLiteFlowPersistence
from crewai.flow.persistence.factory import set_flow_persistence_factory
from fastapi import FastAPI
from litellm import CustomLLM, acompletion
from litellm import custom_provider_map as providers
from litellm.types.utils import GenericStreamingChunk

stored = SQLiteFlowPersistence(f"{COUNTS}.db")
set_flow_persistence_factory(lambda: stored)


class Scripted(CustomLLM):
    """Books when it is told to, else it says what the last result was."""

    async def astreaming(self, *given: Any, **options: Any) -> Any:
        last = options["messages"][-1]
        if MODE == "talk":
            yield piece("Half a sen")
            await held("said")
        elif last["role"] == "tool":
            yield piece(f"Done: {last['content']}")
        else:
            for name, args, call_id in (
                ("book", "", "call-1"),
                (None, '{"city": "Rome", "nights": 2}', None),
            ):
                function = {"name": name, "arguments": args}
                yield piece("", {"id": call_id, "type": "function", "function": function, "index": 0})
        yield piece("", end="stop" if last["role"] == "tool" else "tool_calls")


def piece(text: str, call: Any = None, end: str = "") -> GenericStreamingChunk:
    return GenericStreamingChunk(
        text=text, is_finished=bool(end), finish_reason=end, usage=None, index=0, tool_use=call
    )


providers.append({"provider": "scripted", "custom_handler": Scripted()})
PARAMETERS = {"type": "object", "properties": {"city": {"type": "string"}, "nights": {"type": "integer"}}}
TOOLS = [{"type": "function", "function": {"name": "book", "description": "Book", "parameters": PARAMETERS}}]


class State(CopilotKitState):
    call_id: str = ""


class BookFlow(Flow[State]):
    async def ask_model(self) -> Any:
        said = [one if isinstance(one, dict) else one.model_dump() for one in self.state.messages]
        answer = acompletion(model="scripted/x", messages=said, tools=TOOLS, stream=True)
        message = (await copilotkit_stream(await answer)).choices[0].message
        self.state.messages.append(message)
        return message

    @start()
    @human_feedback(message="Book it?", llm=None, provider=agui_feedback_provider)
    async def propose(self) -> dict[str, Any]:
        call = (await self.ask_model()).tool_calls[0]
        self.state.call_id = call.id
        return {"tool": "book", "args": json.loads(call.function.arguments)}

    @listen("propose")
    async def act(self, result: HumanFeedbackResult) -> None:
        answer = json.loads(result.feedback or "{}")
        yes = isinstance(answer, dict) and answer.get("approved") is True
        text = await book(**result.output["args"]) if yes else "The user refused."
        self.state.messages.append({"role": "tool", "tool_call_id": self.state.call_id, "content": text})
        await copilotkit_emit_tool_result(self.state.call_id, text)
        await self.ask_model()


app = FastAPI()
older = MODE == "legacy"
add_crewai_flow_fastapi_endpoint(
    app, BookFlow(), "/", emit_interrupt_outcome=not older, enable_legacy_on_interrupt_event=older
)
serve(app)
