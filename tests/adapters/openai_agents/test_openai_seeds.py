"""The meeting scheduler that the library promises to run as it stands, with a scripted model."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from contextvars import ContextVar
from typing import Any

import pytest
from ag_ui.core import BaseEvent, RunAgentInput
from agents import Agent, function_tool
from agents.tool_context import ToolContext

from reflex_agentkit.adapters.openai_agents import OpenAIAgentsAGUIAgent
from reflex_agentkit.agents.gate import current_answer
from reflex_agentkit.protocol.verdicts import Approve, Cancel, Reject
from tests.adapters.openai_agents.scripted import QUIET, AgentTalk, model
from tests.adapters.talk import approved, cancelled, refused

# This request's answers by tool call id; see SchedulerAgent.
_answers: ContextVar[dict[str, dict[str, Any]]] = ContextVar("meeting_answers")
seen: list[Any] = []


@function_tool(needs_approval=True)
def schedule_meeting(ctx: ToolContext[Any], topic: str, attendee: str = "") -> str:
    """Schedule a meeting.

    Args:
        topic: What it is about.
        attendee: Who it is with.
    """
    seen.append(current_answer())
    answer = _answers.get({}).get(ctx.tool_call_id, {})
    label = answer.get("chosen_label") or answer.get("chosen_time")
    if not label:
        return f"User did not pick a time. Meeting NOT scheduled: {topic}"
    return f"Meeting scheduled for {label}: {topic}"


class SchedulerAgent(OpenAIAgentsAGUIAgent):
    """Hands the answers of a run to its tools, in the way that the SDK leaves open."""

    async def run_streamed(self, input: RunAgentInput) -> AsyncGenerator[BaseEvent]:
        _answers.set(
            {
                entry.interrupt_id: entry.payload
                for entry in input.resume or []
                if isinstance(entry.payload, dict)
            }
        )
        async with aclosing(super().run_streamed(input)) as events:
            async for event in events:
                yield event


CALL = [("schedule_meeting", {"topic": "Intro", "attendee": "Ann"})]
CHOSEN = {"chosen_time": "2030-01-01T10:00:00Z", "chosen_label": "Tuesday 10:00"}


def scheduler() -> SchedulerAgent:
    seen.clear()
    agent = Agent(name="scheduler", model=model(CALL, "Done."), tools=[schedule_meeting])
    return SchedulerAgent(agent, run_config=QUIET)


async def test_the_chosen_time_reaches_the_tool_in_both_ways() -> None:
    talk = AgentTalk(scheduler())
    [asked] = (await talk.send("A meeting with Ann")).interrupts
    assert asked.id == asked.tool_call_id == "call-1a"
    assert asked.metadata["tool_input"] == {"topic": "Intro", "attendee": "Ann"}
    run = await talk.go(approved(asked.id, **CHOSEN))
    assert run.results == {"call-1a": "Meeting scheduled for Tuesday 10:00: Intro"}
    assert seen[0].payload == {"approved": True, **CHOSEN}


async def test_without_a_label_the_time_is_taken_and_without_both_nothing_is_scheduled() -> None:
    for more, words in (
        ({"chosen_time": "2030-01-01T10:00:00Z"}, "Meeting scheduled for 2030-01-01T10:00:00Z: Intro"),
        ({}, "User did not pick a time. Meeting NOT scheduled: Intro"),
    ):
        talk = AgentTalk(scheduler())
        await talk.send("A meeting")
        assert (await talk.go(approved("call-1a", **more))).results == {"call-1a": words}


@pytest.mark.parametrize("entry", [refused, cancelled])
async def test_a_picker_that_is_closed_schedules_nothing(entry: Any) -> None:
    talk = AgentTalk(scheduler())
    await talk.send("A meeting")
    run = await talk.go(entry("call-1a"))
    assert (seen, run.outcome.type) == ([], "success")


async def test_through_a_kit_the_answer_by_our_id_reaches_the_tool_by_the_id_of_its_call(
    make_kit: Any,
) -> None:
    kit = await make_kit(scheduler())
    await kit.send("t", "A meeting with Ann")
    await kit.wait("t")
    [asked] = await kit.pending("t")
    await kit.answer(asked.id, Approve(extra=CHOSEN), by="ann")
    assert await kit.wait("t") == "idle"
    [call] = [call for message in (await kit.conversation("t")).messages for call in message.tool_calls]
    assert call.result == "Meeting scheduled for Tuesday 10:00: Intro"
    assert {name: seen[0].payload[name] for name in CHOSEN} == CHOSEN


@pytest.mark.parametrize("answer", [Reject("busy"), Cancel()])
async def test_through_a_kit_a_no_schedules_nothing(make_kit: Any, answer: Any) -> None:
    kit = await make_kit(scheduler())
    await kit.send("t", "A meeting")
    await kit.wait("t")
    [asked] = await kit.pending("t")
    await kit.answer(asked.id, answer, by="ann")
    assert (await kit.wait("t"), seen) == ("idle", [])


async def test_two_schedulers_at_once_do_not_see_each_others_times(make_kit: Any) -> None:
    kit = await make_kit(scheduler())
    await kit.send("t", "A meeting")
    await kit.wait("t")
    other = await make_kit(scheduler())
    await other.send("u", "Another")
    await other.wait("u")
    for one, thread, label in ((kit, "t", "ten"), (other, "u", "eleven")):
        [asked] = await one.pending(thread)
        await one.answer(asked.id, Approve(extra={"chosen_label": label}), by="ann")
    for one, thread, label in ((kit, "t", "ten"), (other, "u", "eleven")):
        assert await one.wait(thread) == "idle"
        [call] = [c for m in (await one.conversation(thread)).messages for c in m.tool_calls]
        assert call.result == f"Meeting scheduled for {label}: Intro"
