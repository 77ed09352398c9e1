"""The contract of agents over a raw AG-UI stream: no engine, no gate, inputs made of the agent's own events.

Here an agent stands alone. It refuses what does not answer its pause, but it cannot know that an input was
sent before: that two equal inputs run a tool once is the engine's part.
"""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from reflex_agentkit.protocol.pause import asks_yes_or_no
from reflex_agentkit.testing.agent_contract.kit_thread import Build, BuildFixture
from reflex_agentkit.testing.agent_contract.script import (
    ALMOST_A_YES,
    ANSWERS,
    ASK,
    BONN,
    BOOKED,
    LONGER,
    LOOK,
    NOT_AGAIN,
    OSLO,
    PAY,
    ROME,
    cancelled,
    no,
    resolved,
    yes,
)
from reflex_agentkit.testing.agent_contract.subject import Subject
from reflex_agentkit.testing.agent_contract.wire_thread import WireRun, WireThread


class DecisionsOverTheWire(BuildFixture):
    """What an answer does when nobody stands between the client and the agent."""

    async def test_wire_a_yes_runs_the_call_and_only_its_result_is_told(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.go(yes(wire_id))
        assert (run.ended, run.started, run.results) == ("success", [], {"call-1a": BOOKED})
        assert (subject.ran, subject.disorder()) == ([ROME], [])

    async def test_wire_an_approval_names_its_call_and_publishes_the_answer(self, build: Build) -> None:
        thread = WireThread(build(Subject(turns=[[ROME]])))
        [asked] = (await thread.send()).interrupts
        assert asks_yes_or_no(asked)
        assert (asked.reason, asked.tool_call_id) == ("tool_call", "call-1a")
        assert asked.response_schema is not None
        assert asked.response_schema["properties"]["approved"] == {"type": "boolean"}
        assert (asked.metadata or {})["tool_input"] == ROME[1]

    async def test_wire_edited_arguments_run_and_the_result_tells_of_them(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.go(yes(wire_id, editedArgs=LONGER))
        assert subject.ran == [("book", LONGER)]
        assert '"nights": 5' in run.results["call-1a"]
        assert run.started == []

    async def test_wire_an_edit_that_changes_nothing_is_a_plain_yes(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.go(yes(wire_id, editedArgs=dict(ROME[1])))
        assert (subject.ran, run.results) == ([ROME], {"call-1a": BOOKED})

    @pytest.mark.parametrize("reason", ["Too expensive", None])
    async def test_wire_a_refusal_is_the_result(self, build: Build, reason: str | None) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.go(no(wire_id, **({"reason": reason} if reason else {})))
        assert (run.ended, subject.ran, run.started) == ("success", [], [])
        assert (reason or "") in run.results["call-1a"]
        assert NOT_AGAIN.search(run.results["call-1a"])

    async def test_wire_cancelled_is_told_to_the_model(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.go(cancelled(wire_id))
        assert (run.ended, subject.ran) == ("success", [])
        assert "cancel" in run.results["call-1a"].lower()
        assert "cancel" in subject.told["call-1a"].lower()

    async def test_wire_each_of_several_gets_its_own_decision(self, build: Build) -> None:
        subject = Subject(turns=[[ROME, OSLO, LOOK, BONN]])
        thread, [one, two, three] = await _paused(build, subject)
        # In another order than it was asked: an answer is found by its id.
        run = await thread.go(no(three), yes(one), yes(two, editedArgs={"city": "Oslo", "nights": 9}))
        assert sorted(subject.ran, key=str) == [("book", {"city": "Oslo", "nights": 9}), ROME]
        assert subject.looked == 1
        assert set(subject.told) == {"call-1a", "call-1b", "call-1c", "call-1d"}
        assert {"call-1a", "call-1b", "call-1d"} <= set(run.results)
        assert run.started == []
        assert (await thread.send("Thank you")).ended == "success"
        assert subject.disorder() == []

    async def test_wire_what_else_an_answer_holds_reaches_the_tool(self, build: Build) -> None:
        subject = Subject(turns=[[ROME, LOOK]])
        thread, [wire_id] = await _paused(build, subject)
        await thread.go(yes(wire_id, chosen_time="10:00"))
        [answer] = [one for one in subject.answers if one is not None]
        assert answer.payload == {"approved": True, "chosen_time": "10:00"}
        assert answer.idempotency_key

    async def test_wire_numbers_keep_their_value_and_their_kind(self, build: Build) -> None:
        subject = Subject(turns=[[PAY]])
        thread, [wire_id] = await _paused(build, subject)
        await thread.go(yes(wire_id))
        assert subject.ran == [PAY]
        assert type(subject.ran[0][1]["rate"]) is float

    async def test_wire_threads_at_the_same_time_are_not_mixed_up(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        agent = build(subject)

        async def one(number: int) -> WireRun:
            thread = WireThread(agent, f"thread-{number}")
            [asked] = (await thread.send()).interrupts
            return await thread.go(yes(asked.id, editedArgs={"city": f"Town {number}", "nights": number}))

        runs = await asyncio.gather(*(one(number) for number in range(1, 21)))
        assert len(subject.ran) == 20
        for number, run in enumerate(runs, 1):
            assert f"Booked {number} nights in Town {number}." in run.results["call-1a"]


class TroubleOverTheWire(BuildFixture):
    """What an agent refuses by itself, and that a refused answer costs nothing."""

    async def test_wire_a_missing_entry_runs_nothing_and_the_whole_answer_still_counts(
        self, build: Build
    ) -> None:
        subject = Subject(turns=[[ROME, OSLO]])
        thread, [one, two] = await _paused(build, subject)
        assert (await thread.go(yes(one))).ended == "error"
        assert subject.ran == []
        assert (await thread.go(yes(one), yes(two))).ended == "success"
        assert sorted(subject.ran, key=str) == [OSLO, ROME]

    async def test_wire_an_unknown_id_runs_nothing_s07(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        for entries in ([yes("nope")], [yes("0" * 32)], [yes("nope"), yes(wire_id)], [yes(wire_id)] * 2):
            assert (await thread.go(*entries)).ended == "error"
        assert subject.ran == []
        assert (await thread.go(yes(wire_id))).ended == "success"
        assert subject.ran == [ROME]

    @pytest.mark.parametrize("payload", ALMOST_A_YES)
    async def test_wire_almost_a_yes_runs_nothing_s08(self, build: Build, payload: Any) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        assert (await thread.go(resolved(wire_id, payload))).ended == "error"
        assert subject.ran == []
        assert (await thread.go(no(wire_id))).ended == "success"
        assert subject.ran == []

    async def test_wire_the_same_answer_after_its_result_runs_nothing_again(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        await thread.go(yes(wire_id))
        await thread.go(yes(wire_id))
        assert subject.ran == [ROME]

    async def test_wire_an_old_answer_does_not_decide_the_next_pause(self, build: Build) -> None:
        subject = Subject(turns=[[ROME], [OSLO]])
        thread, [first] = await _paused(build, subject)
        [second] = (await thread.go(yes(first))).interrupts
        # Refused, or answered with what stands: the next pause.
        assert (await thread.go(yes(first))).ended in ("error", "interrupt")
        assert subject.ran == [ROME]
        assert (await thread.go(no(second.id))).ended == "success"
        assert subject.ran == [ROME]

    async def test_wire_a_message_past_the_pause_runs_nothing(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, _ = await _paused(build, subject)
        await thread.send("Never mind")
        assert (subject.ran, subject.disorder()) == ([], [])

    async def test_wire_cancel_and_say_tells_both_in_order(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]])
        thread, [wire_id] = await _paused(build, subject)
        run = await thread.send("Tell me a joke", cancelled(wire_id))
        assert (run.ended, subject.ran, subject.disorder()) == ("success", [], [])
        assert "cancel" in run.results["call-1a"].lower()
        said = [one.text for one in subject.requests[-1] if one.role == "user"]
        assert said == ["Book a hotel", "Tell me a joke"]
        kept = [message.content for message in thread.messages if message.role == "user"]
        assert kept == ["Book a hotel", "Tell me a joke"]

    async def test_wire_a_model_that_fails_after_the_tool_does_not_cost_a_second_run(
        self, build: Build
    ) -> None:
        subject = Subject(turns=[[ROME]], model_fails=2)
        thread, [wire_id] = await _paused(build, subject)
        assert (await thread.go(yes(wire_id))).ended == "error"
        assert (await thread.go(yes(wire_id))).ended == "error"
        await thread.go()
        assert (subject.ran, subject.told) == ([ROME], {"call-1a": BOOKED})
        assert subject.disorder() == []

    async def test_wire_after_a_tool_that_raised_a_refusal_runs_nothing(self, build: Build) -> None:
        subject = Subject(turns=[[ROME]], tool_raises=1)
        thread, [wire_id] = await _paused(build, subject)
        await thread.go(yes(wire_id))
        assert subject.ran == [ROME]
        await thread.go(no(wire_id, reason="changed my mind"))
        assert (await thread.send("Anything else?")).ended == "success"
        assert (subject.ran, subject.disorder()) == ([ROME], [])


class QuestionsOverTheWire(BuildFixture):
    """What is answered to a question, as it is given."""

    @pytest.mark.parametrize("value", ANSWERS)
    async def test_wire_any_answer_arrives_as_it_was_given(self, build: Build, value: Any) -> None:
        subject = Subject(turns=[[ASK]])
        thread, [wire_id] = await _paused(build, subject)
        assert (await thread.go(resolved(wire_id, value))).ended == "success"
        assert subject.heard == [value]
        assert type(subject.heard[0]) is type(value)

    async def test_wire_questions_and_approvals_are_answered_each_by_its_id(self, build: Build) -> None:
        subject = Subject(turns=[[ASK, ROME, ASK]])
        thread = WireThread(build(subject))
        asked = (await thread.send()).interrupts
        # At once, or one pause after the other.
        while asked:
            answers = [yes(one.id) if asks_yes_or_no(one) else resolved(one.id, one.id) for one in asked]
            asked = (await thread.go(*reversed(answers))).interrupts
        assert (subject.ran, len(set(subject.heard))) == ([ROME], 2)
        assert set(subject.told) == {"call-1a", "call-1b", "call-1c"}

    async def test_wire_a_cancelled_question_is_told(self, build: Build) -> None:
        subject = Subject(turns=[[ASK]])
        thread, [wire_id] = await _paused(build, subject)
        assert (await thread.go(cancelled(wire_id))).ended == "success"
        assert "cancel" in subject.told["call-1a"].lower()


async def _paused(build: Build, subject: Subject) -> tuple[WireThread, list[str]]:
    thread = WireThread(build(subject))
    run = await thread.send()
    assert subject.ran == []
    return thread, [asked.id for asked in run.interrupts]
