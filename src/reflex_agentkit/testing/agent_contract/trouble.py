"""The contract of agents through the engine: twice, late, forged, past a pause, after a fault."""

from __future__ import annotations

import asyncio
import re
from typing import Any

import pytest

from reflex_agentkit.errors import RefusedError
from reflex_agentkit.protocol.verdicts import AnswerValue, Approve, Ready, Refused, Reject
from reflex_agentkit.testing.agent_contract.kit_thread import KitFixtures, KitThread, OpenThread
from reflex_agentkit.testing.agent_contract.script import ALMOST_A_YES, BOOKED, OSLO, ROME, resolved, yes
from reflex_agentkit.testing.agent_contract.subject import Subject


class TroubleThroughKit(KitFixtures):
    """What must not happen: twice, late, forged, past a pause, after a fault."""

    async def test_an_answer_to_a_part_of_the_pause_is_refused_whole(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME, OSLO]])
        thread = await open_thread(subject)
        one, two = await thread.send()
        outcome = await thread.resume(yes(one.id))
        assert isinstance(outcome, Refused)
        assert outcome.code == "incomplete"
        assert (subject.ran, len(await thread.kit.pending("thread-1"))) == ([], 2)
        assert isinstance(await thread.resume(yes(one.id), yes(two.id)), Ready)
        assert len(subject.ran) == 2

    async def test_an_answer_to_what_was_never_asked_is_refused_whole_s07(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        for entries in ([yes("nope")], [yes(pending.id), yes("nope")], [yes("call-1a")]):
            outcome = await thread.resume(*entries)
            assert isinstance(outcome, Refused)
            assert outcome.code == "unknown_interrupt"
        assert subject.ran == []
        assert await thread.answer(Approve()) == "idle"
        assert subject.ran == [ROME]

    @pytest.mark.parametrize("payload", ALMOST_A_YES)
    async def test_almost_a_yes_runs_nothing_s08(self, open_thread: OpenThread, payload: Any) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        outcome = await thread.resume(resolved(pending.id, payload))
        assert isinstance(outcome, Refused)
        assert (outcome.code, subject.ran) == ("invalid_answer", [])
        assert await thread.kit.pending("thread-1") == [pending]

    async def test_the_same_answer_again_is_one_answer(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        first = await thread.kit.answer(pending.id, Approve(), by="ann")
        while_it_runs = await thread.kit.answer(pending.id, Approve(), by="bob")
        await thread.wait()
        afterwards = await thread.kit.answer(pending.id, Approve(), by="bob")
        await thread.wait()
        assert first == while_it_runs == afterwards
        assert (subject.ran, subject.told) == ([ROME], {"call-1a": BOOKED})

    async def test_the_same_answer_at_the_same_moment_is_one_answer_f08(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        await asyncio.gather(*(thread.kit.answer(pending.id, Approve(), by=f"p{n}") for n in range(5)))
        await asyncio.gather(
            *(thread.kit.resume("thread-1", [yes(pending.id)], by=f"p{n}") for n in range(5))
        )
        assert await thread.wait() == "idle"
        assert (subject.ran, len(subject.requests)) == ([ROME], 2)

    async def test_a_yes_and_a_no_at_the_same_moment_are_one_decision_f08(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        answers: list[AnswerValue] = [Reject(), Approve()]
        outcomes = await asyncio.gather(
            *(thread.kit.answer(pending.id, one, by=str(n)) for n, one in enumerate(answers))
        )
        assert await thread.wait() == "idle"
        assert sorted(isinstance(outcome, Refused) for outcome in outcomes) == [False, True]
        assert subject.ran == ([] if isinstance(outcomes[1], Refused) else [ROME])

    async def test_while_the_tool_runs_nothing_starts_it_again(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]], hold=asyncio.Event())
        thread = await open_thread(subject)
        [pending] = await thread.send()
        await thread.kit.answer(pending.id, Approve(), by="ann")
        await subject.began.wait()
        assert not isinstance(await thread.kit.answer(pending.id, Approve(), by="bob"), Refused)
        with pytest.raises(RefusedError) as refused:
            await thread.kit.retry("thread-1")
        assert refused.value.code == "already_running"
        assert subject.hold is not None
        subject.hold.set()
        assert await thread.wait() == "idle"
        assert subject.ran == [ROME]

    async def test_an_old_answer_does_not_decide_the_next_pause(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME], [OSLO]])
        thread = await open_thread(subject)
        [first] = await thread.send()
        await thread.answer(Approve())
        [second] = await thread.kit.pending("thread-1")
        await thread.kit.answer(first.id, Approve(), by="ann")
        assert isinstance(await thread.resume(yes(first.id)), Refused)
        assert (subject.ran, await thread.kit.pending("thread-1")) == ([ROME], [second])
        assert await thread.answer(Reject()) == "idle"
        assert subject.ran == [ROME]

    async def test_a_message_does_not_run_past_a_pause_f23(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        with pytest.raises(RefusedError) as refused:
            await thread.send("Never mind")
        assert refused.value.code == "awaiting_input"
        assert (subject.ran, len(subject.requests)) == ([], 1)
        assert await thread.kit.pending("thread-1") == [pending]

    async def test_cancel_and_say_tells_the_agent_both_f22(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME, OSLO]])
        thread = await open_thread(subject)
        await thread.send()
        await thread.kit.cancel_and_send("thread-1", "Tell me a joke", by="ann")
        assert await thread.wait() == "idle"
        assert subject.ran == []
        assert all("cancel" in text.lower() for text in subject.told.values())
        assert set(subject.told) == {"call-1a", "call-1b"}
        said = [one.text for one in subject.requests[-1] if one.role in ("user", "tool")]
        assert [said[0], said[-1]] == ["Book a hotel", "Tell me a joke"], "the results come before it"
        assert [m.text for m in (await thread.conversation()).messages if m.role == "user"][
            -1
        ] == "Tell me a joke"

    async def test_a_pause_that_was_stopped_goes_with_the_next_message_f22(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        await thread.kit.cancel("thread-1")
        assert (await thread.kit.pending("thread-1"), len(subject.requests)) == ([], 1)
        assert await thread.send("Tell me a joke") == []
        assert (subject.ran, await thread.wait()) == ([], "idle")
        assert "cancel" in subject.told["call-1a"].lower()

    async def test_a_model_that_fails_after_the_tool_does_not_cost_a_second_run_f29(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME, OSLO]], model_fails=2)
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve(), Reject("no")) == "error"
        fault = (await thread.conversation()).fault
        assert fault is not None
        assert "503" in fault.message
        for expected in ("error", "idle"):
            await thread.kit.retry("thread-1")
            assert await thread.wait() == expected
        assert subject.ran == [ROME]
        assert subject.told["call-1a"] == BOOKED
        assert "no" in subject.told["call-1b"]
        assert {call_id: bool(call.result) for call_id, call in (await thread.calls()).items()} == {
            "call-1a": True,
            "call-1b": True,
        }

    async def test_a_tool_that_raises_after_the_yes_is_not_run_again(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]], tool_raises=1)
        thread = await open_thread(subject)
        await thread.send()
        status = await thread.answer(Approve())
        if status == "error":
            fault = (await thread.conversation()).fault
            assert fault is not None
            assert "the card service is down" in fault.message
            await thread.kit.retry("thread-1")
            status = await thread.wait()
        elif status == "awaiting_input":
            # Asked once more, with what went wrong.
            [again] = await thread.kit.pending("thread-1")
            assert "the card service is down" in again.message
            status = await thread.answer(Reject("enough"))
        assert (status, subject.ran) == ("idle", [ROME])
        assert re.search("the card service is down|enough", subject.told["call-1a"])
        assert await thread.send("Anything else?") == []
        assert (subject.ran, await thread.wait()) == ([ROME], "idle")

    async def test_many_threads_at_the_same_time_are_not_mixed_up(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        first = await open_thread(subject)
        threads = [KitThread(first.kit, subject, f"thread-{number}") for number in range(1, 21)]
        await asyncio.gather(*(thread.send() for thread in threads))
        await asyncio.gather(
            *(
                thread.answer(Approve(edited_args={"city": thread.thread_id, "nights": number}))
                for number, thread in enumerate(threads, 10)
            )
        )
        assert len(subject.ran) == 20
        for number, thread in enumerate(threads, 10):
            assert ("book", {"city": thread.thread_id, "nights": number}) in subject.ran
            result = (await thread.calls())["call-1a"].result or ""
            assert result.startswith(f"Booked {number} nights in {thread.thread_id}.") or (
                f"Booked {number} nights in {thread.thread_id}." in result
            )
