"""The endpoint of ag-ui-strands around an agent whose one tool waits for a yes."""

from __future__ import annotations

from typing import Any

from ag_ui_strands import StrandsAgent, StrandsAgentConfig, ToolBehavior, create_strands_app
from standing import MODE, book, held, serve
from strands import Agent, tool
from strands.models import Model


class Scripted(Model):
    """Books when it is told to, else it says something."""

    def update_config(self, **config: Any) -> None:
        pass

    def get_config(self) -> dict[str, Any]:
        return {}

    async def structured_output(self, *given: Any, **options: Any) -> Any:
        raise NotImplementedError
        yield

    async def stream(self, messages: Any, *given: Any, **options: Any) -> Any:
        last = messages[-1]["content"]
        results = [part["toolResult"] for part in last if "toolResult" in part]
        said = " ".join(part["text"] for part in last if "text" in part)
        yield {"messageStart": {"role": "assistant"}}
        if not results and "Book" in said:
            start = {"toolUse": {"toolUseId": "call-1", "name": "book_hotel"}}
            yield {"contentBlockStart": {"start": start}}
            yield {"contentBlockDelta": {"delta": {"toolUse": {"input": '{"city": "Rome", "nights": 2}'}}}}
            yield {"contentBlockStop": {}}
            yield {"messageStop": {"stopReason": "tool_use"}}
            return
        yield {"contentBlockStart": {"start": {}}}
        if MODE == "talk":
            yield {"contentBlockDelta": {"delta": {"text": "Half a sen"}}}
            await held("said")
        text = f"Done: {results[-1]['content'][0]['text']}" if results else "You are welcome."
        yield {"contentBlockDelta": {"delta": {"text": text}}}
        yield {"contentBlockStop": {}}
        yield {"messageStop": {"stopReason": "end_turn"}}


@tool
async def book_hotel(city: str, nights: int) -> str:
    """Book a hotel."""
    return await book(city, nights)


agent = StrandsAgent(
    agent=Agent(model=Scripted(), tools=[book_hotel], callback_handler=None),
    name="strands",
    config=StrandsAgentConfig(tool_behaviors={"book_hotel": ToolBehavior(interrupt_on_call=True)}),
)
serve(create_strands_app(agent, path="/", cors_enabled=False))
