"""The fence around a tool of the OpenAI Agents SDK: what was approved runs, once, and its end is kept."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from ag_ui.core import ToolCallResultEvent
from agents import Agent, ToolOutputImage, function_tool
from agents.tool_context import ToolContext
from openai.types.responses import ResponseFunctionToolCall

from reflex_agentkit.adapters.openai_agents.answers import Yes
from reflex_agentkit.adapters.openai_agents.fence import Fence, Once
from reflex_agentkit.agents.gate import CurrentAnswer, current_answer, use_gate
from reflex_agentkit.errors import GateError, InvalidJSONError
from reflex_agentkit.protocol import json_text
from tests.adapters.openai_agents.scripted import OSLO, ROME, Hotel, model, run_of, talk, told
from tests.adapters.talk import CountingGate, Run, approved, refused


async def paused(agent: Agent, **options: Any) -> Any:
    thread = talk(agent, **options)
    await thread.send("Hi")
    return thread


def failed(run: Run) -> dict[str, str]:
    """What the results of a run say about failures, by call id."""
    found = {event.tool_call_id: (event.metadata or {}).get("error") for event in run.of(ToolCallResultEvent)}
    return {call_id: error for call_id, error in found.items() if error}


async def test_the_gate_sees_begin_and_end_of_an_approved_call(gate: CountingGate) -> None:
    hotel = Hotel()
    thread = await paused(hotel.agent([ROME], "Done."))
    assert gate.begun == []
    run = await thread.go(approved("call-1a"))
    assert gate.begun == [("call-1a", *ROME)]
    assert gate.finished == run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert hotel.answers[0].payload == {"approved": True, "from": "gate"}


async def test_the_gate_gets_the_edited_arguments_and_the_result_with_its_notice(gate: CountingGate) -> None:
    hotel = Hotel()
    agent = hotel.agent([ROME], "Done.")
    thread = await paused(agent)
    longer = {"city": "Rome", "nights": 5}
    run = await thread.go(approved("call-1a", editedArgs=longer))
    assert (gate.begun, hotel.booked) == ([("call-1a", "book", longer)], [longer])
    assert gate.finished == run.results == told(agent)
    assert "Note: the user edited" in run.results["call-1a"]


async def test_the_notice_can_be_turned_off_f16() -> None:
    agent = Hotel().agent([ROME], "Done.")
    thread = await paused(agent, notify_edited_args=False)
    await thread.go(approved("call-1a", editedArgs={"city": "Rome", "nights": 5}))
    assert told(agent) == {"call-1a": "Booked 5 nights in Rome."}


async def test_the_gate_is_not_asked_for_what_does_not_run(gate: CountingGate) -> None:
    hotel = Hotel()
    thread = await paused(hotel.agent([ROME, ("look", {})], "Done."))
    await thread.go(refused("call-1a"))
    assert (gate.begun, hotel.booked, hotel.looked, hotel.answers) == ([], [], 1, [None])


async def test_a_call_stopped_at_the_gate_gets_no_result_and_the_others_run() -> None:
    gate = CountingGate(stop=["call-1b"])
    use_gate(gate)
    hotel = Hotel()
    agent = hotel.agent([ROME, OSLO], "Done.")
    thread = await paused(agent)
    run = await thread.go(approved("call-1a"), approved("call-1b"))
    use_gate(None)
    assert (run.error.code, hotel.booked) == ("gate", [ROME[1]])
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert len(agent.model.calls) == 1, "the model is not asked after a stop"


async def test_the_gate_that_cannot_be_asked_says_no() -> None:
    class Gone(CountingGate):
        async def begin(self, tool_call_id: str, tool_name: str, args: dict[str, Any]) -> Any:
            raise ConnectionError("the database is gone")

    use_gate(Gone())
    hotel = Hotel()
    thread = await paused(hotel.agent([ROME], "Done."))
    run = await thread.go(approved("call-1a"))
    use_gate(None)
    assert (hotel.booked, run.results) == ([], {})
    assert "the database is gone" in run.error.message


async def test_a_result_that_the_gate_cannot_note_is_still_told() -> None:
    use_gate(CountingGate(lost=["done"]))
    hotel = Hotel()
    thread = await paused(hotel.agent([ROME], "Done."))
    run = await thread.go(approved("call-1a"))
    use_gate(None)
    assert (len(hotel.booked), run.results) == (1, {"call-1a": "Booked 2 nights in Rome."})
    assert "the database is gone" in run.error.message


async def call(fence: Fence, hotel: Hotel, text: str, **options: Any) -> Any:
    """Call the booking tool behind a fence as the SDK does."""
    [tool, _] = [fence.around(tool, asks=True) for tool in hotel.tools()]
    made = ResponseFunctionToolCall(type="function_call", call_id="call-1a", name="book", arguments=text)
    context = ToolContext(
        context=None, tool_name="book", tool_call_id="call-1a", tool_arguments=text, tool_call=made
    )
    return await tool.on_invoke_tool(context, text)


def approved_call(**more: Any) -> dict[str, Yes]:
    answer = CurrentAnswer(payload={"approved": True}, idempotency_key="key")
    yes = {"name": "book", "args": ROME[1], "edited": False, "question": False, "answer": answer}
    return {"call-1a": Yes(**(yes | more))}


@pytest.mark.parametrize(
    ("approvals", "text"),
    [
        ({}, json_text.write(ROME[1])),
        (approved_call(), '{"city": "Rome", "nights": 99}'),
        (approved_call(), '{"city": "Rome", "nights": 2.0}'),
        (approved_call(), "not JSON"),
        (approved_call(name="pay"), json_text.write(ROME[1])),
    ],
)
async def test_what_was_not_approved_as_it_stands_does_not_run_s09(
    gate: CountingGate, approvals: dict[str, Yes], text: str
) -> None:
    hotel, fence = Hotel(), Fence(gate, Once(), notify_edited_args=True)
    fence.approved = approvals
    await call(fence, hotel, text)
    assert (hotel.booked, gate.begun, fence.stopped) == ([], [], {"call-1a"})
    with pytest.raises((GateError, InvalidJSONError)):
        fence.check()


async def test_one_yes_is_not_used_twice_in_one_run_s07() -> None:
    hotel, fence = Hotel(), Fence(None, Once(), notify_edited_args=True)
    fence.approved = approved_call()
    for _ in range(2):
        await call(fence, hotel, json_text.write(ROME[1]))
    assert len(hotel.booked) == 1
    with pytest.raises(GateError, match="does not run twice"):
        fence.check()


async def test_a_tool_that_raises_gives_a_failure_as_its_result_and_is_not_run_again_f29(
    gate: CountingGate,
) -> None:
    hotel = Hotel()
    hotel.raises = [RuntimeError("the card service is down")]
    agent = hotel.agent([ROME, OSLO], "Done.")
    thread = await paused(agent)
    run = await thread.go(approved("call-1a"), approved("call-1b"))
    assert (len(hotel.booked), run.outcome.type) == (2, "success")
    assert "Do not call it again" in told(agent)["call-1a"]
    assert "try again" not in told(agent)["call-1a"]
    assert failed(run) == {"call-1a": "RuntimeError: the card service is down"}
    assert gate.broken == {"call-1a": "RuntimeError: the card service is down"}
    assert told(agent)["call-1b"] == "Booked 1 nights in Oslo."


async def test_the_authors_own_words_for_a_failure_stand() -> None:
    hotel = Hotel()
    hotel.raises = [RuntimeError("secret")]
    tools = hotel.tools(failure_error_function=lambda context, error: "The hotel is closed.")
    agent = hotel.agent([ROME], "Done.", tools=tools)
    run = await (await paused(agent)).go(approved("call-1a"))
    assert told(agent) == {"call-1a": "The hotel is closed."}
    assert list(failed(run)) == ["call-1a"]


async def test_a_failure_that_ends_the_run_does_not_break_off_the_approved_call_beside_it(
    gate: CountingGate,
) -> None:
    hotel = Hotel()
    hotel.raises = [RuntimeError("the card service is down")]
    agent = hotel.agent([ROME, OSLO], "Done.", tools=hotel.tools(failure_error_function=None))
    run = await (await paused(agent)).go(approved("call-1a"), approved("call-1b"))
    assert "the card service is down" in run.error.message
    assert len(hotel.booked) == 2
    assert set(run.results) == {"call-1a", "call-1b"}
    assert (set(gate.broken), set(gate.finished)) == ({"call-1a"}, {"call-1b"})
    assert len(agent.model.calls) == 1


async def test_a_tool_that_needs_no_yes_and_raises_is_marked_and_keeps_the_sdks_words() -> None:
    hotel = Hotel()
    hotel.raises = [RuntimeError("down")]
    agent = hotel.agent([ROME], "Done.", tools=hotel.tools(needs_approval=False))
    run = await talk(agent).send("Hi")
    assert failed(run) == {"call-1a": "RuntimeError: down"}
    assert told(agent) == {"call-1a": "An error occurred while running the tool. Please try again."}


async def test_a_tool_that_takes_too_long_is_in_nobodys_favour(gate: CountingGate) -> None:
    hold = asyncio.Event()

    @function_tool(needs_approval=True, timeout=0.01)
    async def slow() -> str:
        """Slow."""
        await hold.wait()
        return "late"

    agent = Agent(name="a", model=model([("slow", {})], "Done."), tools=[slow])
    run = await (await paused(agent)).go(approved("call-1a"))
    assert "timed out" in run.results["call-1a"]
    assert list(failed(run)) == ["call-1a"]
    assert (len(gate.begun), gate.finished) == (1, {})


async def test_a_picture_that_an_edited_call_gives_stays_a_picture_beside_the_notice() -> None:
    @function_tool(needs_approval=True)
    def draw(what: str) -> ToolOutputImage:
        """Draw."""
        return ToolOutputImage(image_url="https://example.org/a.png")

    agent = Agent(name="a", model=model([("draw", {"what": "cat"})], "Done."), tools=[draw])
    run = await (await paused(agent)).go(approved("call-1a", editedArgs={"what": "dog"}))
    image, note = run.results["call-1a"]
    assert image.source.value == "https://example.org/a.png"
    assert '"what": "dog"' in note.text


async def test_a_result_that_is_no_text_tells_of_the_edit_as_the_sdk_writes_it() -> None:
    @function_tool(needs_approval=True)
    def count(what: str) -> dict[str, int]:
        """Count."""
        return {what: 1}

    agent = Agent(name="a", model=model([("count", {"what": "cat"})], "Done."), tools=[count])
    run = await (await paused(agent)).go(approved("call-1a", editedArgs={"what": "dog"}))
    assert run.results["call-1a"].startswith("{'dog': 1}\n\nNote: ")


async def test_the_answer_can_be_read_in_async_and_in_threaded_tools_and_nowhere_else() -> None:
    seen: list[Any] = []

    @function_tool(needs_approval=True)
    async def one() -> str:
        """One."""
        seen.append(current_answer())
        return "1"

    @function_tool(needs_approval=True)
    def two() -> str:
        """Two."""
        seen.append(current_answer())
        return "2"

    agent = Agent(name="a", model=model([("one", {}), ("two", {})], "Done."), tools=[one, two])
    thread = await paused(agent)
    await thread.go(approved("call-1a", which="a"), approved("call-1b", which="b"))
    assert sorted(one.payload["which"] for one in seen) == ["a", "b"]
    assert len({one.idempotency_key for one in seen}) == 2
    assert current_answer() is None


async def test_without_a_gate_one_yes_runs_once_also_for_inputs_at_the_same_time() -> None:
    hotel = Hotel()
    agent = hotel.agent([ROME], "Done.", "Done.")
    thread = await paused(agent)
    again = thread.input([approved("call-1a")])
    runs = await asyncio.gather(*(thread.give(again.model_copy(deep=True), keep=False) for _ in range(3)))
    assert len(hotel.booked) == 1
    assert sorted(run.events[-1].type.value for run in runs) == ["RUN_ERROR", "RUN_ERROR", "RUN_FINISHED"]


async def test_a_run_cancelled_inside_an_approved_tool_stops_the_tool_and_leaves_the_call_open(
    gate: CountingGate,
) -> None:
    began, ended = asyncio.Event(), asyncio.Event()

    @function_tool(needs_approval=True)
    async def slow() -> str:
        """Slow."""
        began.set()
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()
        return "late"

    agent = Agent(name="a", model=model([("slow", {})], "Done."), tools=[slow])
    thread = await paused(agent)
    going = asyncio.create_task(thread.go(approved("call-1a")))
    await began.wait()
    going.cancel()
    with pytest.raises(asyncio.CancelledError):
        await going
    await asyncio.wait_for(ended.wait(), 5)
    assert (len(gate.begun), gate.finished, gate.broken) == (1, {}, {})
    assert len(agent.model.calls) == 1


async def test_a_reader_that_goes_away_ends_the_run() -> None:
    hotel = Hotel()
    agent = hotel.agent([("look", {})], [("look", {})], "Done.")
    events = run_of(agent).run(talk(agent).input())
    async for event in events:
        if event.type.value == "TOOL_CALL_START":
            break
    await events.aclose()
    assert len(agent.model.calls) == 1
