"""What stands between a yes and a tool's body beside the fence, and a tool that is cancelled from inside."""

from __future__ import annotations

import asyncio
from typing import Any

from ag_ui.core import ToolCallResultEvent
from agents import Agent, RunHooks, ToolGuardrailFunctionOutput, function_tool, tool_input_guardrail

from reflex_agentkit.protocol import json_text
from tests.adapters.openai_agents.scripted import OSLO, ROME, Hotel, model, talk, told
from tests.adapters.talk import CountingGate, approved


async def test_guardrails_and_hooks_judge_the_arguments_that_will_run(gate: CountingGate) -> None:
    seen: list[str] = []

    @tool_input_guardrail
    def short(data: Any) -> ToolGuardrailFunctionOutput:
        if json_text.read(data.context.tool_arguments)["nights"] > 5:
            return ToolGuardrailFunctionOutput.reject_content("Too long.")
        return ToolGuardrailFunctionOutput.allow()

    class Hooks(RunHooks[Any]):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            seen.append(json_text.read(context.tool_arguments)["nights"])

    hotel = Hotel()
    tools = hotel.tools(tool_input_guardrails=[short])
    thread = talk(hotel.agent([ROME, OSLO], "Done.", tools=tools), hooks=Hooks())
    await thread.send("Hi")
    longer, fitting = ({"city": "Rome", "nights": nights} for nights in (99, 4))
    run = await thread.go(approved("call-1a", editedArgs=longer), approved("call-1b", editedArgs=fitting))
    assert (run.results["call-1a"], hotel.booked, seen) == ("Too long.", [fitting], [4])
    assert [call_id for call_id, _, _ in gate.begun] == ["call-1b"]


async def test_a_tool_that_is_cancelled_from_inside_has_failed_like_any_other(gate: CountingGate) -> None:
    @function_tool(needs_approval=True)
    async def fetch() -> str:
        """Fetch."""
        raise asyncio.CancelledError

    agent = Agent(name="a", model=model([("fetch", {})], "Done."), tools=[fetch])
    thread = talk(agent)
    await thread.send("Hi")
    run = await thread.go(approved("call-1a"))
    [result] = run.of(ToolCallResultEvent)
    assert "RuntimeError" in result.metadata["error"]
    assert "Do not call it again" in told(agent)["call-1a"]
    assert list(gate.broken) == ["call-1a"]
