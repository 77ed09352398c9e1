"""A conversation of several turns: the model is shown what PydanticAI by itself would show it."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from typing import Any

from pydantic import BaseModel
from pydantic_ai import Agent, DeferredToolRequests, DeferredToolResults, ModelRetry, ToolApproved
from pydantic_ai.messages import ModelMessage, ModelResponse
from pydantic_ai.models.function import AgentInfo, DeltaThinkingPart, DeltaToolCall, FunctionModel
from pydantic_ai.models.test import TestModel
from pydantic_ai.run import AgentRunResultEvent

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.pending import PendingInterrupt
from reflex_agentkit.protocol.verdicts import AnswerValue, Approve, Ready

SAID = ("Book me something", "Thank you", "And again")


class Booking(BaseModel):
    city: str


def calls(*made: tuple[str, str, str]) -> list[Any]:
    return [
        {at: DeltaToolCall(name=name, json_args=args, tool_call_id=call_id)}
        for at, (call_id, name, args) in enumerate(made, 1)
    ]


LINES: list[list[Any]] = [
    [
        {0: DeltaThinkingPart(content="hm", signature="one")},
        "Let me see.",
        *calls(("c1", "book", '{"city": "Rome"}'), ("c2", "look", "{}"), ("c3", "book", '{"city": "full"}')),
    ],
    [{0: DeltaThinkingPart(content="", signature="hidden")}, *calls(("c4", "book", '{"city":  "Oslo"}'))],
    calls(("f1", "final_result", '{"city": "Oslo"}')),
    [{0: DeltaThinkingPart(content="so", signature="two")}, "You are welcome."],
    calls(("c1", "book", '{"city": "Bonn"}')),
    ["Done."],
]


class Travel:
    """An agent that thinks, speaks, calls free and gated tools, and ends with an object or a text."""

    def __init__(self) -> None:
        self.shown: list[list[tuple[str, list[dict[str, Any]]]]] = []
        self.instructions: list[str | None] = []
        self.ran: list[str] = []
        self.agent = Agent(
            FunctionModel(stream_function=self._stream),
            output_type=[str, Booking],
            system_prompt="You book.",
            instructions="Be brief.",
        )
        self.agent.tool_plain(self.book, requires_approval=True)
        self.agent.tool_plain(self.look)

    async def _stream(self, messages: list[ModelMessage], info: AgentInfo) -> AsyncIterator[Any]:
        line = LINES[len(self.shown)]
        self.shown.append([_bare(message) for message in messages])
        self.instructions.append(info.instructions)
        for piece in line:
            yield piece

    def book(self, city: str) -> dict[str, str]:
        """Book."""
        self.ran.append(city)
        if city == "full":
            raise ModelRetry("That one is full.")
        return {"booked": city}

    def look(self) -> list[str]:
        """Look."""
        return ["sun"]


def _bare(message: ModelMessage) -> tuple[str, list[dict[str, Any]]]:
    """What a provider is sent of a message: no times, no ids of its own, no empty fields."""
    parts = [
        {
            name: value
            for name, value in vars(part).items()
            if name not in ("timestamp", "id", "metadata") and value not in (None, "", ())
        }
        for part in message.parts
    ]
    return type(message).__name__, parts


async def by_itself(travel: Travel) -> None:
    """The same conversation through PydanticAI alone."""
    history: Sequence[ModelMessage] = ()

    async def run(said: str | None, given: DeferredToolResults | None = None) -> Any:
        nonlocal history
        async with travel.agent.run_stream_events(
            said,
            message_history=history,
            deferred_tool_results=given,
            output_type=[str, Booking, DeferredToolRequests],
        ) as events:
            async for event in events:
                if isinstance(event, AgentRunResultEvent):
                    history = event.result.all_messages()
        return event.result.output

    for said in SAID:
        output = await run(said)
        while isinstance(output, DeferredToolRequests):
            yes = {call.tool_call_id: ToolApproved() for call in output.approvals}
            output = await run(None, DeferredToolResults(approvals=yes))


async def through_the_kit(agent: Agent[Any, Any], answer: AnswerValue) -> list[list[PendingInterrupt]]:
    pauses: list[list[PendingInterrupt]] = []
    async with AgentKit(PydanticAIAgent(agent), "memory:") as kit:
        for said in SAID:
            await kit.send("t", said)
            while await kit.wait("t") == "awaiting_input":
                pauses.append(await kit.pending("t"))
                for pending in pauses[-1]:
                    outcome = await kit.answer(pending.id, answer, by="Ann")
                assert isinstance(outcome, Ready)
            assert (await kit.conversation("t")).run_status == "idle"
    return pauses


async def test_over_many_turns_the_model_sees_what_it_would_see_without_us_f11() -> None:
    ours, theirs = Travel(), Travel()
    pauses = await through_the_kit(ours.agent, Approve())
    await by_itself(theirs)
    assert [len(pause) for pause in pauses] == [2, 1, 1]
    assert len(ours.shown) == len(LINES)
    for mine, native in zip(ours.shown, theirs.shown, strict=True):
        assert mine == native
    assert ours.instructions == theirs.instructions
    assert sorted(ours.ran) == sorted(theirs.ran)
    assert any(kind == ModelResponse.__name__ for kind, _ in ours.shown[-1])


async def test_the_test_model_of_pydantic_ai_can_be_talked_to_and_approved() -> None:
    ran: list[str] = []
    agent = Agent(TestModel())

    @agent.tool_plain(requires_approval=True)
    def book(city: str) -> str:
        """Book."""
        ran.append(city)
        return city

    [pause] = await through_the_kit(agent, Approve(edited_args={"city": "Rome"}))
    assert [pending.args for pending in pause] == [{"city": "a"}]
    assert ran == ["Rome"]
