"""A headless approval from end to end: the kit, as a program uses it."""

from __future__ import annotations

import asyncio

import pytest
from ag_ui.core import (
    EventType,
    ResumeEntry,
    RunFinishedEvent,
    RunFinishedInterruptOutcome,
    RunFinishedSuccessOutcome,
    Tool,
)

from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.errors import ConfigurationError, RefusedError
from reflex_agentkit.kit import AgentKit
from reflex_agentkit.protocol.digest import seal
from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Ready, Refused, Reject, Waiting
from reflex_agentkit.testing.streams import approval, calls, pauses, question, says
from tests.support.agents import Booker


async def ask(kit: AgentKit, text: str = "Book a hotel", thread_id: str = "t"):
    await kit.send(thread_id, text)
    await kit.wait(thread_id)
    return await kit.pending(thread_id)


def results(conversation):
    return {c.id: c.result for m in conversation.messages for c in m.tool_calls}


async def test_a_run_pauses_and_goes_on_with_the_approval(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    await kit.send("t", "Book a hotel")
    assert await kit.wait("t") == "awaiting_input"
    [pending] = await kit.pending("t")
    assert (pending.kind, pending.tool_name, pending.args) == (
        "approval",
        "book",
        {"city": "Lisbon", "nights": 2},
    )
    assert agent.ran == []
    outcome = await kit.answer(pending.id, Approve(), by="ann", seen=seal(pending))
    assert isinstance(outcome, Ready)
    assert await kit.wait("t") == "idle"
    assert agent.ran == [{"city": "Lisbon", "nights": 2}]
    conversation = await kit.conversation("t")
    assert results(conversation) == {"call-0": "Booked 2 nights in Lisbon."}
    assert conversation.messages[-1].text == "All done."
    assert await kit.pending() == []


async def test_f01_the_agent_gets_one_resume_entry_with_its_own_id(make_kit):
    agent = ScriptedAgent(pauses(question("q-of-the-agent")), says("m", "Fine."))
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    await kit.answer(pending.id, Answer("3"), by="ann")
    await kit.wait("t")
    [entry] = agent.inputs[1].resume
    assert (entry.interrupt_id, entry.status, entry.payload) == ("q-of-the-agent", "resolved", "3")


@pytest.mark.parametrize("value", [False, 0, "", [], "text", 3.5, None, {}])
async def test_f19_no_zero_and_nothing_are_answers(make_kit, value):
    agent = ScriptedAgent(pauses(question("q")), says("m", "Fine."))
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    assert isinstance(await kit.answer(pending.id, Answer(value), by="ann"), Ready)
    await kit.wait("t")
    got = agent.inputs[1].resume[0].payload
    assert got == value
    assert type(got) is type(value)
    assert await kit.pending("t") == []


async def test_edited_arguments_are_what_runs(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(edited_args={"city": "Lisbon", "nights": 3}), by="ann")
    await kit.wait("t")
    assert agent.ran == [{"city": "Lisbon", "nights": 3}]
    [call] = [c for m in (await kit.conversation("t")).messages for c in m.tool_calls]
    assert call.decision is not None
    assert (call.decision.verdict, call.decision.by) == ("edited", "ann")
    assert '"nights": 2' in call.decision.before_text
    assert '"nights": 3' in call.decision.after_text


async def test_rejected_runs_nothing_and_the_reason_reaches_the_agent(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    await kit.answer(pending.id, Reject("too expensive"), by="ann")
    await kit.wait("t")
    assert agent.ran == []
    assert agent.inputs[1].resume[0].payload == {"approved": False, "reason": "too expensive"}
    [call] = [c for m in (await kit.conversation("t")).messages for c in m.tool_calls]
    assert call.status == "rejected"


async def test_f21_a_call_that_was_refused_says_so_when_it_is_proposed_again(make_kit):
    def proposes(call_id, nights):
        return [*calls(call_id, "book", {"nights": nights}), *pauses(approval(call_id))]

    agent = ScriptedAgent(proposes("c1", 2), proposes("c2", 2), proposes("c3", 3))
    kit = await make_kit(agent)
    [first] = await ask(kit)
    assert "refused_before" not in first.metadata
    await kit.answer(first.id, Reject(), by="ann")
    await kit.wait("t")
    [again] = await kit.pending("t")
    assert again.metadata["refused_before"] is True
    await kit.answer(again.id, Reject(), by="ann")
    await kit.wait("t")
    [other] = await kit.pending("t")
    assert "refused_before" not in other.metadata


async def test_f28_after_each_question_the_thread_is_free_and_each_left_one_entry(make_kit, clock):
    soon = clock.now().replace(second=5).isoformat()
    agent = ScriptedAgent(pauses(question("q1")), pauses(question("q2", expires_at=soon)), says("m", "Bye."))
    kit = await make_kit(agent)
    [first] = await ask(kit)
    await kit.answer(first.id, Answer(1), by="ann")
    await kit.wait("t")
    clock.move(6)
    await kit.expire_due()
    assert await kit.wait("t") == "idle"
    notes = [m.decision for m in (await kit.conversation("t")).messages if m.role == "decision"]
    assert [note.verdict for note in notes if note] == ["answered", "expired"]
    await kit.send("t", "Hello")
    assert await kit.wait("t") == "idle"


async def test_s12_two_hundred_calls_at_once_are_each_decided_and_one_run_follows(make_kit):
    agent = Booker(*({"city": "Rome", "nights": n % 30 + 1} for n in range(200)))
    kit = await make_kit(agent)
    pending = await ask(kit)
    assert len(pending) == 200
    for place, one in enumerate(pending):
        outcome = await kit.answer(one.id, Approve() if place % 2 else Reject(), by="ann")
    assert isinstance(outcome, Ready)
    assert await kit.wait("t") == "idle"
    assert len(agent.ran) == 100
    assert len(agent.inputs) == 2


async def test_f14_f15_three_at_once_get_their_own_decisions_in_one_resume(make_kit):
    agent = Booker(
        {"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 2}, {"city": "Bonn", "nights": 3}
    )
    kit = await make_kit(agent)
    a, b, c = await ask(kit)
    assert await kit.answer(a.id, Approve(), by="ann") == Waiting(interrupt_id=a.id, remaining=2)
    assert await kit.wait("t") == "awaiting_input"
    assert await kit.answer(b.id, Reject("no"), by="bob") == Waiting(interrupt_id=b.id, remaining=1)
    edited = Approve(edited_args={"city": "Bonn", "nights": 7})
    assert isinstance(await kit.answer(c.id, edited, by="ann"), Ready)
    await kit.wait("t")
    assert len(agent.inputs) == 2
    assert len(agent.inputs[1].resume) == 3
    assert agent.ran == [{"city": "Rome", "nights": 1}, {"city": "Bonn", "nights": 7}]
    assert set(results(await kit.conversation("t"))) == {"call-0", "call-1", "call-2"}


async def test_f08_twice_at_the_same_moment_is_one_decision_and_one_run(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    first, second = await asyncio.gather(
        kit.answer(pending.id, Approve(), by="ann"), kit.answer(pending.id, Approve(), by="ann")
    )
    assert isinstance(first, Ready)
    assert isinstance(second, Ready)
    await kit.wait("t")
    assert len(agent.ran) == 1
    assert len(agent.inputs) == 2


async def test_f08_one_approves_while_another_rejects_and_the_loser_is_told(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    outcomes = await asyncio.gather(
        kit.answer(pending.id, Approve(), by="ann"), kit.answer(pending.id, Reject(), by="bob")
    )
    await kit.wait("t")
    [refused] = [o for o in outcomes if isinstance(o, Refused)]
    assert refused.code == "already_decided"
    assert refused.decided_by in ("ann", "bob")
    assert refused.decided_at is not None
    assert len(agent.inputs) == 2


async def test_the_same_answer_after_the_run_ended_starts_nothing(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(), by="ann")
    await kit.wait("t")
    assert isinstance(await kit.answer(pending.id, Approve(), by="bob"), Ready)
    assert await kit.wait("t") == "idle"
    assert len(agent.inputs) == 2
    assert len(agent.ran) == 1


async def test_f23_a_message_while_paused_is_refused_and_the_pause_stays(make_kit):
    kit = await make_kit(Booker())
    [pending] = await ask(kit)
    with pytest.raises(RefusedError) as caught:
        await kit.send("t", "What is the weather?")
    assert caught.value.code == "awaiting_input"
    assert await kit.pending("t") == [pending]


async def test_f23_cancel_and_say_is_one_run_that_carries_both(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    await ask(kit)
    await kit.cancel_and_send("t", "Forget it", by="ann")
    await kit.wait("t")
    assert agent.ran == []
    assert [e.status for e in agent.inputs[1].resume] == ["cancelled"]
    assert agent.inputs[1].messages[-1].content == "Forget it"


async def test_f22_stop_while_waiting_cancels_all_and_the_next_run_tells_the_agent(make_kit):
    agent = Booker({"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 2})
    kit = await make_kit(agent)
    first, _ = await ask(kit)
    await kit.answer(first.id, Approve(), by="ann")  # gathered, not sent: Stop takes it back too
    await kit.cancel("t", by="ann")
    assert await kit.wait("t") == "cancelled"
    assert await kit.pending("t") == []
    assert len(agent.inputs) == 1
    await kit.send("t", "Hello?")
    await kit.wait("t")
    assert [e.status for e in agent.inputs[1].resume] == ["cancelled", "cancelled"]
    assert agent.ran == []
    await kit.send("t", "And now?")
    await kit.wait("t")
    assert agent.inputs[2].resume is None


async def test_f29_a_resume_that_fails_keeps_the_decision_and_the_second_try_works(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    original, broken = agent._tool, True

    async def tool(call_id, args):
        if broken:
            raise ConnectionError("no route to the agent")
        return await original(call_id, args)

    agent._tool = tool
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "error"
    fault = (await kit.conversation("t")).fault
    assert fault is not None
    assert "no route to the agent" in fault.message
    broken = False
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
    assert len(agent.ran) == 1
    assert agent.inputs[2].resume[0].payload == {"approved": True}


async def test_a_model_that_fails_after_the_tool_does_not_make_the_tool_run_again(make_kit):
    agent = Booker()
    kit = await make_kit(agent)

    async def fail():
        agent.after_tool = None
        raise RuntimeError("the model is gone")

    agent.after_tool = fail
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "error"
    await kit.retry("t")
    assert await kit.wait("t") == "idle"
    assert len(agent.ran) == 1
    assert agent.inputs[2].resume is None
    assert agent.inputs[2].messages[-1].role == "tool"


async def test_a_tool_that_raises_is_over_and_a_retry_does_not_run_it_again(make_kit):
    agent = Booker()
    kit = await make_kit(agent)

    async def fail():
        raise RuntimeError("card service down")

    agent.in_tool = fail
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "error"
    agent.in_tool = None
    await kit.retry("t")
    await kit.wait("t")
    assert len(agent.ran) == 1
    assert "card service down" in agent.inputs[2].messages[-1].content


async def test_stopping_while_the_tool_runs_leaves_it_in_doubt_and_it_is_not_repeated(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    inside = asyncio.Event()

    async def hang():
        inside.set()
        await asyncio.Event().wait()

    agent.in_tool = hang
    [pending] = await ask(kit)
    await kit.answer(pending.id, Approve(), by="ann")
    await inside.wait()
    await kit.cancel("t")
    assert await kit.wait("t") == "cancelled"
    agent.in_tool = None
    await kit.send("t", "What happened?")
    await kit.wait("t")
    assert len(agent.ran) == 1
    told = next(m for m in agent.inputs[2].messages if m.role == "tool")
    assert "may or may not" in told.content


async def test_f11_pausing_again_is_a_second_pause(make_kit):
    agent = ScriptedAgent(
        pauses(question("q1", "First?")), pauses(question("q1", "Second?")), says("m", "Thanks.")
    )
    kit = await make_kit(agent)
    [first] = await ask(kit)
    await kit.answer(first.id, Answer(1), by="ann")
    assert await kit.wait("t") == "awaiting_input"
    [second] = await kit.pending("t")
    assert second.id != first.id
    assert second.message == "Second?"
    await kit.answer(second.id, Answer(2), by="ann")
    assert await kit.wait("t") == "idle"
    decisions = [m for m in (await kit.conversation("t")).messages if m.role == "decision"]
    assert len(decisions) == 2


async def test_a_stale_answer_to_the_first_pause_does_not_answer_the_second(make_kit):
    agent = ScriptedAgent(pauses(question("q")), pauses(question("q")))
    kit = await make_kit(agent)
    [first] = await ask(kit)
    await kit.answer(first.id, Answer(1), by="ann")
    await kit.wait("t")
    refused = await kit.answer(first.id, Answer(2), by="ann")
    assert isinstance(refused, Refused)
    assert refused.code == "already_decided"
    assert len(await kit.pending("t")) == 1
    assert len(agent.inputs) == 2


async def test_f09_an_ordinary_message_after_the_answer_carries_no_resume(make_kit):
    agent = ScriptedAgent(pauses(question("q")), says("m", "Thanks."), says("n", "Hello."))
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    await kit.answer(pending.id, Answer(1), by="ann")
    await kit.wait("t")
    await kit.send("t", "Hi")
    await kit.wait("t")
    assert agent.inputs[2].resume is None
    assert agent.inputs[2].messages[-1].content == "Hi"


async def test_f06_two_threads_do_not_know_of_each_other(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit, thread_id="a")
    await kit.send("b", "Book another")
    await kit.wait("b")
    [other] = await kit.pending("b")
    assert other.id != pending.id
    await kit.answer(pending.id, Approve(), by="ann")
    await kit.wait("a")
    assert agent.inputs[-1].thread_id == "a"
    assert await kit.pending("b") == [other]


async def test_s10_an_id_of_another_thread_is_as_unknown_as_none(make_kit):
    kit = await make_kit(Booker())
    [pending] = await ask(kit, thread_id="a")
    foreign = await kit.answer(pending.id, Approve(), by="eve", thread_id="b")
    never = await kit.answer("int-999", Approve(), by="eve", thread_id="b")
    assert isinstance(foreign, Refused)
    assert isinstance(never, Refused)
    assert (
        (foreign.code, foreign.message) == (never.code, never.message) == ("unknown_interrupt", never.message)
    )
    assert await kit.pending("a") == [pending]


async def test_another_digest_than_the_shown_one_is_refused_as_changed(make_kit):
    kit = await make_kit(Booker())
    [pending] = await ask(kit)
    refused = await kit.answer(pending.id, Approve(), by="ann", seen="something else")
    assert isinstance(refused, Refused)
    assert refused.code == "changed"
    assert await kit.pending("t") == [pending]


async def test_f27_out_of_time_is_decided_by_the_clock_once(make_kit, clock):
    soon = clock.now().replace(second=5).isoformat()
    agent = ScriptedAgent(pauses(question("q", expires_at=soon)), says("m", "Too late then."))
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    assert pending.expires_at is not None
    clock.move(6)
    refused = await kit.answer(pending.id, Answer(1), by="ann")
    assert isinstance(refused, Refused)
    assert refused.code == "expired"
    await asyncio.gather(kit.expire_due(), kit.expire_due())
    await kit.wait("t")
    assert [e.status for e in agent.inputs[1].resume] == ["cancelled"]
    [note] = [m.decision for m in (await kit.conversation("t")).messages if m.role == "decision"]
    assert note is not None
    assert (note.verdict, note.by) == ("expired", "the clock")
    assert len(agent.inputs) == 2


async def test_the_clock_ends_a_pause_by_itself(make_kit, clock):
    soon = clock.now().replace(second=5).isoformat()
    agent = ScriptedAgent(pauses(question("q", expires_at=soon)), says("m", "Too late then."))
    kit = await make_kit(agent)
    await ask(kit)
    clock.move(6)
    async for _, event in kit.follow("t"):
        if event.type is EventType.TEXT_MESSAGE_END:
            break
    assert len(agent.inputs) == 2


class TestResume:
    """A whole pause answered at once, as an AG-UI client does."""

    @staticmethod
    def entry(pending, payload=None, status="resolved"):
        return ResumeEntry(interrupt_id=pending.id, status=status, payload=payload)

    @pytest.fixture
    async def paused(self, make_kit):
        self.agent = Booker({"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 2})
        kit = await make_kit(self.agent)
        return kit, await ask(kit)

    async def test_all_together(self, paused):
        kit, (a, b) = paused
        entries = [self.entry(a, {"approved": True}), self.entry(b, status="cancelled")]
        assert isinstance(await kit.resume("t", entries, by="ann"), Ready)
        await kit.wait("t")
        assert self.agent.ran == [{"city": "Rome", "nights": 1}]

    async def test_a_missing_answer_is_refused_and_all_stays_open(self, paused):
        kit, (a, b) = paused
        refused = await kit.resume("t", [self.entry(a, {"approved": True})], by="ann")
        assert isinstance(refused, Refused)
        assert refused.code == "incomplete"
        assert b.id in refused.message or b.id in refused.problems
        assert await kit.pending("t") == [a, b]
        assert self.agent.ran == []

    async def test_an_unknown_id_is_refused_and_all_stays_open(self, paused):
        kit, (a, b) = paused
        ghost = ResumeEntry(interrupt_id="int-call-0", status="resolved", payload={"approved": True})
        entries = [self.entry(a, {"approved": True}), self.entry(b, {"approved": True}), ghost]
        refused = await kit.resume("t", entries, by="eve")
        assert isinstance(refused, Refused)
        assert refused.code == "unknown_interrupt"
        assert await kit.pending("t") == [a, b]

    async def test_s08_the_same_pause_twice_is_refused_as_a_whole(self, paused):
        kit, (a, b) = paused
        entries = [
            self.entry(a, {"approved": False}),
            self.entry(a, {"approved": True}),
            self.entry(b, {"approved": True}),
        ]
        refused = await kit.resume("t", entries, by="eve")
        assert isinstance(refused, Refused)
        assert refused.code == "contradiction"
        assert await kit.pending("t") == [a, b]

    @pytest.mark.parametrize(
        "payload",
        [
            {"approved": "true"},
            {"approved": 1},
            {"approved": [True]},
            True,
            "yes",
            None,
            {},
            {"approved": None},
        ],
    )
    async def test_s08_almost_a_yes_is_refused(self, paused, payload):
        kit, (a, b) = paused
        entries = [self.entry(a, payload), self.entry(b, {"approved": True})]
        refused = await kit.resume("t", entries, by="eve")
        assert isinstance(refused, Refused)
        assert refused.code == "invalid_answer"
        assert await kit.pending("t") == [a, b]
        assert self.agent.ran == []

    async def test_a_replayed_resume_runs_nothing_again(self, paused):
        kit, (a, b) = paused
        entries = [self.entry(a, {"approved": True}), self.entry(b, {"approved": True})]
        await asyncio.gather(kit.resume("t", entries, by="ann"), kit.resume("t", entries, by="ann"))
        await kit.wait("t")
        await kit.resume("t", entries, by="ann")
        await kit.wait("t")
        assert len(self.agent.ran) == 2
        assert len(self.agent.inputs) == 2


async def test_follow_is_one_pipe_restored_and_live(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    seen = []

    async def follow(after):
        async for number, event in kit.follow("t", after):
            seen.append((number, event.type))
            if event.type is EventType.RUN_FINISHED and getattr(event.outcome, "type", "") == "success":
                return

    following = asyncio.create_task(follow(0))
    await kit.answer(pending.id, Approve(), by="ann")
    await following
    numbers = [number for number, _ in seen]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [t for _, t in seen].count(EventType.RUN_STARTED) == 2
    live, seen = seen, []
    await follow(2)
    assert seen == live[2:]


async def test_interrupt_ids_in_the_log_are_the_ids_that_are_answered(make_kit):
    kit = await make_kit(Booker())
    [pending] = await ask(kit)
    async for _, event in kit.follow("t"):
        if event.type is EventType.RUN_FINISHED:
            assert [i.id for i in event.outcome.interrupts] == [pending.id]
            break


async def test_a_client_cannot_set_the_past(make_kit):
    agent = ScriptedAgent(says("m", "Hello."))
    kit = await make_kit(agent)
    await kit.send("t", "Hi")
    await kit.wait("t")
    await kit.send("t", "Again")
    await kit.wait("t")
    assert [(m.role, m.content) for m in agent.inputs[1].messages] == [
        ("user", "Hi"),
        ("assistant", "Hello."),
        ("user", "Again"),
    ]


async def test_shared_state_goes_to_the_next_run(make_kit):
    agent = ScriptedAgent(says("m", "Hello."))
    kit = await make_kit(agent)
    await kit.set_state("t", {"city": "Rome"})
    await kit.send("t", "Hi")
    await kit.wait("t")
    assert agent.inputs[0].state == {"city": "Rome"}


async def test_what_is_no_agent_is_refused_when_the_kit_is_built():
    with pytest.raises(ConfigurationError, match="PydanticAIAgent"):
        AgentKit(object(), store="memory:")  # type: ignore[arg-type]


async def test_a_frameworks_bare_agent_is_refused_when_the_kit_is_built():
    class Bare:
        async def run(self, prompt):
            return prompt

    with pytest.raises(ConfigurationError, match=r"Bare is not an AG-UI agent.*PydanticAIAgent"):
        AgentKit(Bare(), store="memory:")  # type: ignore[arg-type]


async def test_cancelling_the_last_question_lets_the_run_go_on(make_kit):
    agent = ScriptedAgent(pauses(question("q")), says("m", "All right."))
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    assert isinstance(await kit.answer(pending.id, Cancel(), by="ann"), Ready)
    assert await kit.wait("t") == "idle"
    assert agent.inputs[1].resume[0].status == "cancelled"


async def test_the_tool_gets_the_whole_answer_and_a_key_of_its_own(make_kit):
    agent = Booker({"city": "Rome", "nights": 1}, {"city": "Oslo", "nights": 2})
    kit = await make_kit(agent)
    a, b = await ask(kit)
    await kit.answer(a.id, Approve(extra={"chosen_time": "10:00"}), by="ann")
    await kit.answer(b.id, Approve(), by="ann")
    await kit.wait("t")
    first, second = agent.answers
    assert first.payload == {"approved": True, "chosen_time": "10:00"}
    assert first.idempotency_key != second.idempotency_key


async def test_what_would_run_must_be_what_was_approved(make_kit):
    agent = Booker()
    kit = await make_kit(agent)
    [pending] = await ask(kit)
    agent.proposals = ({"city": "Lisbon", "nights": 20},)  # the agent changes its mind after the yes
    await kit.answer(pending.id, Approve(), by="ann")
    assert await kit.wait("t") == "error"
    assert agent.ran == []
    fault = (await kit.conversation("t")).fault
    assert fault is not None
    assert fault.code == "gate"


class TestClientTools:
    """Calls that the app answers: a question to a person, or the app's own code."""

    TOOL = Tool(name="pick", description="Pick one", parameters={"type": "object", "properties": {}})

    @staticmethod
    def leaves(*call_ids):
        outcome = RunFinishedSuccessOutcome(pending_tool_call_ids=list(call_ids))
        return [RunFinishedEvent(thread_id="", run_id="", outcome=outcome)]

    async def test_the_answer_goes_back_as_the_tools_result(self, make_kit):
        agent = ScriptedAgent([*calls("c1", "pick", {}), *self.leaves("c1")], says("m", "Thanks."))
        kit = await make_kit(agent)
        await kit.send("t", "Pick", tools=[self.TOOL], asking=["pick"])
        assert await kit.wait("t") == "awaiting_input"
        [pending] = await kit.pending("t")
        assert (pending.kind, pending.tool_name, pending.metadata["ask"]) == ("question", "pick", True)
        [call] = [c for m in (await kit.conversation("t")).messages for c in m.tool_calls]
        assert call.status == "pending_input"
        assert isinstance(await kit.answer(pending.id, Answer({"room": 7}), by="ann"), Ready)
        assert await kit.wait("t") == "idle"
        assert agent.inputs[1].resume is None
        assert agent.inputs[1].tools == [self.TOOL]
        told = agent.inputs[1].messages[-1]
        assert (told.role, told.tool_call_id, told.content) == ("tool", "c1", '{"room": 7}')
        assert results(await kit.conversation("t")) == {"c1": '{"room": 7}'}

    async def test_a_client_call_beside_an_approval_waits_for_both(self, make_kit):
        agent = ScriptedAgent(
            [
                *calls("c1", "pick", {}),
                *calls("c2", "book", {"city": "Rome"}),
                RunFinishedEvent(
                    thread_id="",
                    run_id="",
                    outcome=RunFinishedInterruptOutcome(interrupts=[approval("c2")]),
                    metadata={"pendingToolCallIds": ["c1"]},
                ),
            ],
            says("m", "Thanks."),
        )
        kit = await make_kit(agent)
        await kit.send("t", "Pick", tools=[self.TOOL], asking=["pick"])
        await kit.wait("t")
        first, second = await kit.pending("t")
        assert (first.kind, first.position, first.total) == ("approval", 1, 2)
        assert isinstance(await kit.answer(second.id, Answer("sea view"), by="ann"), Waiting)
        assert isinstance(await kit.answer(first.id, Reject("no"), by="ann"), Ready)
        await kit.wait("t")
        assert [e.interrupt_id for e in agent.inputs[1].resume] == ["int-c2"]
        told = [m for m in agent.inputs[1].messages if m.role == "tool"]
        assert [(m.tool_call_id, m.content) for m in told] == [("c1", "sea view")]

    async def test_what_the_app_answers_by_itself_does_not_count_as_a_request(self, make_kit):
        tools = [self.TOOL, Tool(name="size", description="", parameters={"type": "object"})]
        agent = ScriptedAgent(
            [*calls("c1", "size", {}), *calls("c2", "pick", {}), *self.leaves("c1", "c2")],
            says("m", "Thanks."),
        )
        kit = await make_kit(agent)
        await kit.send("t", "Pick", tools=tools, asking=["pick"])
        await kit.wait("t")
        first, second = await kit.pending("t")
        assert (first.tool_name, first.position, first.total) == ("pick", 1, 1)
        assert second.tool_name == "size"

    async def test_a_cancelled_one_says_so(self, make_kit):
        agent = ScriptedAgent([*calls("c1", "pick", {}), *self.leaves("c1")], says("m", "Thanks."))
        kit = await make_kit(agent)
        await kit.send("t", "Pick", tools=[self.TOOL], asking=["pick"])
        await kit.wait("t")
        await kit.cancel_and_send("t", "Never mind", by="ann")
        await kit.wait("t")
        assert "cancelled" in agent.inputs[1].messages[-2].content
        assert agent.inputs[1].messages[-1].content == "Never mind"
