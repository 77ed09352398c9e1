"""The gate before an approved tool, and what is kept when a tool, the model or the gate fails."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from datetime import date
from typing import Any

import pytest
from ag_ui.core import BaseEvent, ReasoningEncryptedValueEvent, ToolCallResultEvent
from pydantic import BaseModel
from pydantic_ai import (
    Agent,
    BinaryContent,
    ModelRetry,
    ToolReturn,
)
from pydantic_ai.exceptions import CallDeferred, ToolFailed

from reflex_agentkit.adapters._notice import edit_notice, with_notice
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.agents.gate import CurrentAnswer, current_answer, use_gate
from tests.adapters.bank import Bank
from tests.adapters.talk import CountingGate, Script, Talk, approved, refused, resolved


class Trip(BaseModel):
    start: str
    price: float


async def test_the_gate_sees_begin_and_end_of_an_approved_call(gate: CountingGate) -> None:
    bank = Bank([("pay", {"amount": 5})])
    await bank.talk.send("Pay")
    assert gate.begun == []
    use_gate(gate)
    run = await bank.talk.go(approved())
    assert gate.begun == [("call-1a", "pay", {"amount": 5})]
    assert gate.finished == run.results == {"call-1a": "Paid 5."}


async def test_the_gate_gets_the_edited_arguments_and_the_result_with_its_notice(gate: CountingGate) -> None:
    use_gate(gate)
    bank = Bank([("pay", {"amount": 5})])
    await bank.talk.send("Pay")
    run = await bank.talk.go(approved(editedArgs={"amount": 6}))
    assert gate.begun == [("call-1a", "pay", {"amount": 6})]
    assert gate.finished == run.results
    assert "Note: the user edited" in gate.finished["call-1a"]


async def test_the_gate_is_not_asked_for_what_does_not_run(gate: CountingGate) -> None:
    use_gate(gate)
    bank = Bank([("pay", {"amount": 5}), ("look", {})])
    await bank.talk.send("Pay")
    await bank.talk.go(refused())
    assert gate.begun == []


async def test_a_call_stopped_at_the_gate_gets_no_result_and_the_others_run(gate: CountingGate) -> None:
    use_gate(gate)
    gate.stop = {"call-1a"}
    bank = Bank([("pay", {"amount": 5}), ("pay", {"amount": 6})])
    await bank.talk.send("Pay twice")
    entries = approved("int-call-1a"), approved("int-call-1b")
    run = await bank.talk.go(*entries)
    assert run.error.code == "gate"
    assert "call-1a" in run.error.message
    assert run.results == {"call-1b": "Paid 6."}
    assert run.of(ReasoningEncryptedValueEvent) == []
    assert bank.paid == [6]
    gate.stop = set()
    again = await bank.talk.go(*entries)
    assert again.outcome.type == "success"
    assert bank.paid == [6, 5]


async def test_the_gate_that_cannot_be_asked_says_no() -> None:
    class Lost(CountingGate):
        async def begin(self, *_: Any) -> CurrentAnswer:
            raise ConnectionError("the database is gone")

    use_gate(Lost())
    bank = Bank([("pay", {"amount": 5})])
    await bank.talk.send("Pay")
    run = await bank.talk.go(approved())
    assert run.error.message == "the database is gone"
    assert (run.results, bank.paid) == ({}, [])


async def test_a_result_that_the_gate_cannot_note_is_still_told() -> None:
    use_gate(CountingGate(lost=["done"]))
    bank = Bank([("pay", {"amount": 5})])
    await bank.talk.send("Pay")
    run = await bank.talk.go(approved())
    assert run.results == {"call-1a": "Paid 5."}
    assert run.error.message == "the database is gone"


async def test_the_gate_compares_json_arguments_not_what_validation_made_of_them(gate: CountingGate) -> None:
    use_gate(gate)
    script = Script([("book", '{"trip": {"start": "Rome", "price": 1.0}, "day": "2030-01-02"}')])
    agent = Agent(script.model())
    days: list[date] = []

    @agent.tool_plain(requires_approval=True)
    def book(trip: Trip, day: date) -> Trip:
        """Book."""
        days.append(day)
        return trip

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Book")
    run = await talk.go(approved())
    args = gate.begun[0][2]
    assert args == {"trip": {"start": "Rome", "price": 1.0}, "day": "2030-01-02"}
    assert isinstance(args["trip"]["price"], float)
    assert days == [date(2030, 1, 2)]
    assert gate.finished == run.results


async def test_a_tool_that_raises_gives_a_failure_as_its_result_and_is_not_run_again_f29(
    gate: CountingGate,
) -> None:
    use_gate(gate)
    bank = Bank([("charge", {"amount": 5})])
    await bank.talk.send("Charge")
    run = await bank.talk.go(approved())
    assert run.error.message == "card service down for 5"
    assert run.results["call-1a"].startswith("The tool failed with RuntimeError: card service down for 5")
    assert gate.broken == {"call-1a": "RuntimeError: card service down for 5"}
    (event,) = run.of(ToolCallResultEvent)
    assert event.metadata == {"error": event.content}
    assert bank.raised == 1
    assert len(bank.script.asked) == 1
    for entries in ((approved(),), ()):
        again = await bank.talk.go(*entries)
        assert again.outcome.type == "success"
        assert bank.raised == 1
    assert bank.script.told()["call-1a"] == (run.results["call-1a"], "failed")


async def test_a_failed_tool_of_an_edited_call_tells_of_the_edit() -> None:
    bank = Bank([("charge", {"amount": 5})])
    await bank.talk.send("Charge")
    run = await bank.talk.go(approved(editedArgs={"amount": 7}))
    assert "card service down for 7" in run.results["call-1a"]
    assert '{"amount": 7}' in run.results["call-1a"]


async def test_a_tool_that_raises_does_not_break_off_the_approved_call_beside_it(gate: CountingGate) -> None:
    use_gate(gate)
    script = Script([("fail", {}), ("slow", {})])
    agent = Agent(script.model())
    begun, failed = asyncio.Event(), asyncio.Event()

    @agent.tool_plain(requires_approval=True)
    async def fail() -> str:
        """Fail while the other runs."""
        await begun.wait()
        failed.set()
        raise RuntimeError("no")

    @agent.tool_plain(requires_approval=True)
    async def slow() -> str:
        """Take longer."""
        begun.set()
        await failed.wait()
        await asyncio.sleep(0)
        return "slow but sure"

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Go")
    run = await talk.go(approved("int-call-1a"), approved("int-call-1b"))
    assert run.results["call-1b"] == "slow but sure"
    assert run.error.message == "no"
    assert gate.finished == {"call-1b": "slow but sure"}


async def test_a_model_that_fails_after_the_tool_leaves_the_result_and_the_tool_does_not_run_again_f29() -> (
    None
):
    bank = Bank([("pay", {"amount": 5})], RuntimeError("model endpoint returned 503"))
    await bank.talk.send("Pay")
    run = await bank.talk.go(approved())
    assert run.results == {"call-1a": "Paid 5."}
    assert run.error.message == "model endpoint returned 503"
    again = await bank.talk.go()
    assert again.outcome.type == "success"
    assert again.of(ToolCallResultEvent) == []
    assert bank.paid == [5]


async def test_the_same_resume_after_a_failed_model_does_not_run_the_tool_again_f29() -> None:
    bank = Bank([("pay", {"amount": 5})], RuntimeError("model endpoint returned 503"))
    await bank.talk.send("Pay")
    await bank.talk.go(approved())
    again = await bank.talk.go(approved())
    assert again.outcome.type == "success"
    assert bank.paid == [5]


async def test_a_tool_that_needs_no_approval_and_raises_is_marked_as_failed() -> None:
    agent = Agent(Script([("look", {})]).model())

    @agent.tool_plain
    def look() -> str:
        """Look."""
        raise RuntimeError("dark")

    run = await Talk(PydanticAIAgent(agent)).send("Look")
    (event,) = run.of(ToolCallResultEvent)
    assert event.metadata == {"error": event.content}
    assert run.error.message == "dark"


async def test_an_error_without_words_is_named_by_its_type() -> None:
    bank = Bank(TimeoutError())
    run = await bank.talk.send("Pay")
    assert run.error.message == "TimeoutError"


async def test_a_tool_that_asks_the_model_to_try_again_is_noted_as_failed(gate: CountingGate) -> None:
    use_gate(gate)
    script = Script([("pick", {"n": 1})])
    agent = Agent(script.model())

    @agent.tool_plain(requires_approval=True)
    def pick(n: int) -> str:
        """Pick."""
        raise ModelRetry(f"not {n}")

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Pick")
    run = await talk.go(approved())
    assert run.outcome.type == "success"
    assert script.told()["call-1a"][1] == "retried"
    assert set(gate.broken) == {"call-1a"}


@pytest.mark.parametrize("wrapped", [True, False])
async def test_a_file_that_an_edited_call_gives_stays_a_file_beside_the_notice(*, wrapped: bool) -> None:
    script = Script([("draw", {"n": 1})])
    agent = Agent(script.model())
    picture = BinaryContent(b"png", media_type="image/png")

    @agent.tool_plain(requires_approval=True)
    def draw(n: int) -> Any:
        """Draw."""
        return ToolReturn(return_value=[f"picture {n}", picture]) if wrapped else picture

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Draw")
    await talk.go(approved(editedArgs={"n": 2}))
    *before, shown, notice = script.told()["call-1a"][0]
    assert before == (["picture 2"] if wrapped else [])
    assert shown == picture
    assert notice == edit_notice({"n": 2})


@pytest.mark.parametrize("error", [ModelRetry("full"), ToolFailed("full")])
async def test_a_tool_that_gives_an_edited_call_back_to_the_model_tells_of_the_edit_f16(
    error: Exception,
) -> None:
    script = Script([("pick", {"n": 1})])
    agent = Agent(script.model())

    @agent.tool_plain(requires_approval=True)
    def pick(n: int) -> str:
        """Pick."""
        raise error

    for notify in (True, False):
        talk = Talk(PydanticAIAgent(agent, notify_edited_args=notify))
        await talk.send("Pick")
        run = await talk.go(approved(editedArgs={"n": 2}))
        told, outcome = script.told()["call-1a"]
        assert told == run.results["call-1a"] == (with_notice("full", {"n": 2}) if notify else "full")
        assert outcome in ("retried", "failed")


async def test_an_approved_tool_that_hands_on_becomes_a_question(gate: CountingGate) -> None:
    use_gate(gate)
    script = Script([("file", {"form": "A"})])
    agent = Agent(script.model())

    @agent.tool_plain(requires_approval=True)
    def file(form: str) -> str:
        """File a form; the office answers later."""
        raise CallDeferred(metadata={"question": f"What did the office say to {form}?"})

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("File")
    run = await talk.go(approved())
    assert [(one.id, one.message) for one in run.interrupts] == [
        ("ask-call-1a", "What did the office say to A?")
    ]
    assert gate.finished == {"call-1a": ""}
    last = await talk.go(resolved("ask-call-1a", "accepted"))
    assert last.results == {"call-1a": "accepted"}


async def test_a_result_that_cannot_be_written_is_told_as_such(gate: CountingGate) -> None:
    use_gate(gate)
    script = Script([("thing", {})])
    agent = Agent(script.model())

    @agent.tool_plain(requires_approval=True)
    def thing() -> Any:
        """A thing."""
        return ToolReturn(return_value={"thing": object()})

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Thing")
    run = await talk.go(approved())
    assert run.results["call-1a"].startswith("The tool ran, but its result could not be kept.")
    assert gate.finished == run.results
    assert run.error.message


async def test_the_answer_can_be_read_in_async_and_in_threaded_tools_and_nowhere_else() -> None:
    bank = Bank([("pay", {"amount": 5}), ("sign", {"name": "Ann"}), ("look", {})])
    await bank.talk.send("Go")
    assert bank.answers == [None]
    entries = approved("int-call-1a", chosen_time="noon"), approved("int-call-1b", pen="blue")
    await bank.talk.go(*entries)
    payloads = [answer.payload for answer in bank.answers if answer]
    assert {"approved": True, "chosen_time": "noon"} in payloads
    assert {"approved": True, "pen": "blue"} in payloads
    assert current_answer() is None


async def test_without_a_gate_the_key_names_the_call_and_stays_the_same() -> None:
    async def key(thread_id: str, entries: list[str]) -> list[str]:
        bank = Bank([("pay", {"amount": 5}), ("pay", {"amount": 5})])
        talk = Talk(bank.talk.agent, thread_id=thread_id)
        await talk.send("Pay")
        for message in talk.messages:
            message.id = message.id if message.id.startswith("user") else "assistant-1"
        for _ in range(2):
            await talk.go(*(approved(entry) for entry in entries), keep=False)
        return [answer.idempotency_key for answer in bank.answers if answer]

    first = await key("one", ["int-call-1a", "int-call-1b"])
    assert len(set(first)) == 2
    assert first[:2] == first[2:]
    assert set(first).isdisjoint(await key("two", ["int-call-1a", "int-call-1b"]))


async def test_with_a_gate_the_answer_is_the_gates(gate: CountingGate) -> None:
    use_gate(gate)
    bank = Bank([("pay", {"amount": 5})])
    await bank.talk.send("Pay")
    await bank.talk.go(approved(**{"from": "the wire"}))
    assert bank.answers == [
        CurrentAnswer(payload={"approved": True, "from": "gate"}, idempotency_key="key-call-1a")
    ]


class Endless:
    """An approved tool that never comes to an end by itself."""

    def __init__(self) -> None:
        self.began = asyncio.Event()
        self.stopped = False
        agent = Agent(Script([("wait", {})]).model())

        @agent.tool_plain(requires_approval=True)
        async def wait() -> str:
            """Wait."""
            self.began.set()
            try:
                await asyncio.Event().wait()
            finally:
                self.stopped = True
            return ""

        self.talk = Talk(PydanticAIAgent(agent))


async def test_a_run_cancelled_inside_an_approved_tool_leaves_the_call_open_in_doubt(
    gate: CountingGate,
) -> None:
    endless = Endless()
    use_gate(gate)
    await endless.talk.send("Wait")
    run_input = endless.talk.input([approved()])
    events: list[BaseEvent] = []

    async def read() -> None:
        async for event in endless.talk.agent.run(run_input):
            events.append(event)  # noqa: PERF401 (what came before the end is to be kept)

    reading = asyncio.create_task(read())
    await endless.began.wait()
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    assert endless.stopped
    assert [begun for begun, _, _ in gate.begun] == ["call-1a"]
    assert (gate.finished, gate.broken) == ({}, {})
    assert not any(isinstance(event, ToolCallResultEvent) for event in events)


async def test_a_reader_that_goes_away_ends_the_run() -> None:
    endless = Endless()
    async with aclosing(endless.talk.agent.run(endless.talk.input())) as events:
        async for _ in events:
            break
    assert not endless.began.is_set()
