"""The contract of agents through the engine: what a person can say, and what becomes of it."""

from __future__ import annotations

from typing import Any

import pytest

from reflex_agentkit.protocol.verdicts import (
    Answer,
    AnswerValue,
    Approve,
    Cancel,
    Ready,
    Refused,
    Reject,
    Waiting,
)
from reflex_agentkit.testing.agent_contract.kit_thread import KitFixtures, OpenThread
from reflex_agentkit.testing.agent_contract.script import (
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
)
from reflex_agentkit.testing.agent_contract.subject import Subject


class DecisionsThroughKit(KitFixtures):
    """What a person can say to a call, and what becomes of it."""

    async def test_a_yes_runs_the_call_once_as_it_was_proposed(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        assert (pending.kind, pending.tool_name, pending.args) == ("approval", *ROME)
        assert pending.tool_call_id == "call-1a"
        assert (subject.ran, len(subject.requests)) == ([], 1)
        assert await thread.answer(Approve()) == "idle"
        assert subject.ran == [ROME]
        assert subject.told == {"call-1a": BOOKED}
        call = (await thread.calls())["call-1a"]
        assert (call.name, call.result, call.status, call.error) == ("book", BOOKED, "done", "")
        assert (await thread.conversation()).messages[-1].text == "Done."

    async def test_edited_arguments_are_what_runs_and_the_model_is_told(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve(edited_args=LONGER)) == "idle"
        assert subject.ran == [("book", LONGER)]
        for text in (subject.told["call-1a"], (await thread.calls())["call-1a"].result or ""):
            assert "Booked 5 nights in Rome." in text
            assert '"nights": 5' in text, "the edit notice is missing"

    async def test_an_edit_that_changes_nothing_is_a_plain_yes(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve(edited_args=dict(reversed(ROME[1].items())))) == "idle"
        assert (subject.ran, subject.told) == ([ROME], {"call-1a": BOOKED})

    @pytest.mark.parametrize("reason", ["Too expensive", None])
    async def test_a_refusal_runs_nothing_and_is_the_result_f21(
        self, open_thread: OpenThread, reason: str | None
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Reject(reason)) == "idle"
        assert subject.ran == []
        call = (await thread.calls())["call-1a"]
        assert call.status == "rejected"
        for text in (subject.told["call-1a"], call.result or ""):
            assert (reason or "") in text
            assert NOT_AGAIN.search(text), f"the model is not told to leave it: {text!r}"

    async def test_a_cancelled_call_runs_nothing_and_the_agent_is_told(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Cancel()) == "idle"
        assert subject.ran == []
        assert "cancel" in subject.told["call-1a"].lower()
        assert (await thread.calls())["call-1a"].result

    async def test_each_of_several_calls_gets_its_own_decision_f15(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME, OSLO, LOOK, BONN]])
        thread = await open_thread(subject)
        pending = await thread.send()
        assert [one.args for one in pending] == [ROME[1], OSLO[1], BONN[1]]
        edited = {"city": "Bonn", "nights": 9}
        answers: list[AnswerValue] = [Approve(), Reject("no"), Approve(edited_args=edited)]
        outcomes = [
            await thread.kit.answer(one.id, answer, by="ann")
            for one, answer in zip(pending, answers, strict=True)
        ]
        assert [type(outcome) for outcome in outcomes] == [Waiting, Waiting, Ready]
        assert await thread.wait() == "idle"
        assert sorted(subject.ran, key=str) == sorted([ROME, ("book", edited)], key=str)
        assert subject.looked == 1
        assert set(subject.told) == {"call-1a", "call-1b", "call-1c", "call-1d"}
        results = {call_id: call.result for call_id, call in (await thread.calls()).items()}
        assert results["call-1a"] == BOOKED
        assert all(results.values())
        assert await thread.send("Thank you") == []

    async def test_a_second_pause_in_the_run_that_went_on_is_asked_f11(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME], [OSLO]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve()) == "awaiting_input"
        assert subject.ran == [ROME]
        assert await thread.answer(Approve()) == "idle"
        assert subject.ran == [ROME, OSLO]
        assert set(await thread.calls()) == {"call-1a", "call-2a"}

    async def test_what_else_an_answer_holds_reaches_the_tool(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ROME, LOOK]])
        thread = await open_thread(subject)
        await thread.send()
        await thread.answer(Approve(extra={"chosen_time": "10:00"}))
        [answer] = [one for one in subject.answers if one is not None]
        assert answer.payload["chosen_time"] == "10:00"
        assert answer.idempotency_key

    async def test_numbers_keep_their_value_and_their_kind(self, open_thread: OpenThread) -> None:
        for edited in (None, {"amount": 9007199254740995, "rate": 2.0}):
            subject = Subject(turns=[[PAY]])
            thread = await open_thread(subject)
            [pending] = await thread.send()
            assert pending.args == PAY[1]
            assert await thread.answer(Approve(edited_args=edited)) == "idle"
            [(_, args)] = subject.ran
            assert args == (edited or PAY[1])
            assert (type(args["amount"]), type(args["rate"])) == (int, float)


class QuestionsThroughKit(KitFixtures):
    """What a person answers to a question reaches the agent as it was given."""

    @pytest.mark.parametrize("value", ANSWERS)
    async def test_any_answer_arrives_as_it_was_given_f19(self, open_thread: OpenThread, value: Any) -> None:
        subject = Subject(turns=[[ASK]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        assert (pending.kind, pending.message) == ("question", "How many nights?")
        assert await thread.answer(Answer(value)) == "idle"
        assert subject.heard == [value]
        assert type(subject.heard[0]) is type(value)

    async def test_approvals_come_before_questions_and_all_are_answered_f13(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ASK, ROME, ASK]])
        thread = await open_thread(subject)
        pending = await thread.send()
        # At once, or one pause after the other.
        while pending:
            kinds = [one.kind for one in pending]
            assert kinds == sorted(kinds), "approvals are shown first"
            answers = [Approve() if one.kind == "approval" else Answer(one.id) for one in pending]
            await thread.answer(*answers)
            pending = await thread.kit.pending("thread-1")
        assert (subject.ran, len(set(subject.heard))) == ([ROME], 2)
        assert set(subject.told) == {"call-1a", "call-1b", "call-1c"}

    async def test_a_cancelled_question_is_told_and_the_run_goes_on(self, open_thread: OpenThread) -> None:
        subject = Subject(turns=[[ASK]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Cancel()) == "idle"
        assert "cancel" in subject.told["call-1a"].lower()


class SchemaThroughKit(KitFixtures):
    """For an adapter that knows its tools' argument schemas."""

    @pytest.mark.parametrize(
        ("edited", "path"),
        [
            ({"city": "Rome", "nights": "many"}, "/nights"),
            ({"city": "Rome", "nights": True}, "/nights"),
            ({"nights": 2}, "/city"),
            ({"city": "Rome", "nights": 2, "is_admin": True}, "/is_admin"),
        ],
    )
    async def test_an_edit_that_does_not_fit_names_the_field_and_stays_open_f20_s09(
        self, open_thread: OpenThread, edited: dict[str, Any], path: str
    ) -> None:
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        [pending] = await thread.send()
        outcome = await thread.kit.answer(pending.id, Approve(edited_args=edited), by="ann")
        assert isinstance(outcome, Refused)
        assert (outcome.code, outcome.path) == ("invalid_answer", path)
        assert (subject.ran, len(subject.requests)) == ([], 1)
        assert await thread.answer(Approve()) == "idle"
        assert subject.ran == [ROME]
