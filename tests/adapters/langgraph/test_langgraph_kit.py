"""The same through `AgentKit`: what a screen, a terminal or a program does, with the tool's executions."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest

from reflex_agentkit.protocol.verdicts import Answer, Approve, Cancel, Ready, Refused, Reject, Waiting
from reflex_agentkit.testing.fakes import FakeClock
from tests.adapters.langgraph.scripted import BONN, OSLO, ROME, Hotel, Question

THREAD = "thread-1"


async def results(kit: Any) -> dict[str, Any]:
    conversation = await kit.conversation(THREAD)
    return {call.id: call.result for message in conversation.messages for call in message.tool_calls}


async def start(make_kit: Any, agent: Any) -> Any:
    kit = await make_kit(agent)
    await kit.send(THREAD, "Book")
    assert await kit.wait(THREAD) == "awaiting_input"
    return kit


async def answer(kit: Any, value: Any, place: int = 0) -> Any:
    pending = await kit.pending(THREAD)
    outcome = await kit.answer(pending[place].id, value, by="reviewer-1")
    await kit.wait(THREAD)
    return outcome


async def test_approve(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    kit = await start(make_kit, hotel.agent)
    (pending,) = await kit.pending()
    assert (pending.kind, pending.tool_name, pending.args) == ("approval", *ROME)
    assert pending.allowed_decisions == ("approve", "edit", "reject", "cancel")
    assert isinstance(await answer(kit, Approve()), Ready)
    assert hotel.booked == [ROME[1]]
    assert await results(kit) == {"call-1a": "Booked 2 nights in Rome."}
    assert (await kit.conversation(THREAD)).run_status == "idle"
    assert len(hotel.answers[0].idempotency_key) == 64  # pyright: ignore[reportOptionalMemberAccess]


async def test_approve_with_an_edit(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve(edited_args={"city": "Rome", "nights": 5}, extra={"chosen_time": "10:00"}))
    assert hotel.booked == [{"city": "Rome", "nights": 5}]
    assert "Note: the user edited" in (await results(kit))["call-1a"]
    assert hotel.answers[0].payload["chosen_time"] == "10:00"  # pyright: ignore[reportOptionalMemberAccess]


async def test_an_edit_that_equals_the_proposal(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve(edited_args=dict(ROME[1])))
    assert hotel.booked == [ROME[1]]
    assert await results(kit) == {"call-1a": "Booked 2 nights in Rome."}


@pytest.mark.parametrize(("value", "reason"), [(Reject("Too far"), "Too far"), (Reject(), "no reason given")])
async def test_reject(make_kit: Any, value: Any, reason: str) -> None:
    hotel = Hotel([ROME])
    kit = await start(make_kit, hotel.agent)
    await answer(kit, value)
    assert hotel.booked == []
    assert await results(kit) == {"call-1a": f"Rejected: {reason}"}


async def test_cancel(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Cancel())
    assert hotel.booked == []
    assert hotel.decisions[0].reason == "cancelled"


async def test_several_are_answered_one_by_one_and_run_together(make_kit: Any) -> None:
    hotel = Hotel([ROME, OSLO, BONN])
    kit = await start(make_kit, hotel.agent)
    assert isinstance(await answer(kit, Approve()), Waiting)
    assert hotel.booked == []
    assert isinstance(await answer(kit, Reject("no")), Waiting)
    assert isinstance(await answer(kit, Approve(edited_args={"city": "Bonn", "nights": 1})), Ready)
    assert hotel.booked == [ROME[1], {"city": "Bonn", "nights": 1}]
    assert set(await results(kit)) == {"call-1a", "call-1b", "call-1c"}


async def test_unknown_and_replayed_answers(make_kit: Any) -> None:
    hotel = Hotel([ROME], [OSLO])
    kit = await start(make_kit, hotel.agent)
    (first,) = await kit.pending()
    assert isinstance(await kit.answer("nope", Approve(), by="r"), Refused)
    await answer(kit, Approve())
    assert isinstance(await kit.answer(first.id, Approve(), by="r"), Ready | Waiting)
    await kit.wait(THREAD)
    assert hotel.booked == [ROME[1]]
    await answer(kit, Reject())
    assert hotel.booked == [ROME[1]]


async def test_f23_cancel_and_say(make_kit: Any) -> None:
    hotel = Hotel([ROME], "Not booked.", "A joke.")
    kit = await start(make_kit, hotel.agent)
    await kit.cancel_and_send(THREAD, "A joke instead")
    assert await kit.wait(THREAD) == "idle"
    assert hotel.booked == []
    assert hotel.model.kinds == ["human", "ai", "tool", "ai", "human"]
    texts = [message.text for message in (await kit.conversation(THREAD)).messages if message.text]
    assert texts == ["Book", "A joke instead", "Not booked.", "A joke."]


async def test_f22_stop_while_waiting_and_say_something_later(make_kit: Any) -> None:
    hotel = Hotel([ROME], "Not booked.", "Hello.")
    kit = await start(make_kit, hotel.agent)
    await kit.cancel(THREAD)
    assert await kit.pending() == []
    await kit.send(THREAD, "Hello")
    assert await kit.wait(THREAD) == "idle"
    assert hotel.booked == []
    assert hotel.decisions[0].reason == "cancelled"


async def test_f29_the_model_fails_after_the_tool(make_kit: Any) -> None:
    hotel = Hotel([ROME], RuntimeError("503"))
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve())
    assert (await kit.conversation(THREAD)).run_status == "error"
    await kit.retry(THREAD)
    assert await kit.wait(THREAD) == "idle"
    assert hotel.booked == [ROME[1]]
    assert hotel.model.told == ["Booked 2 nights in Rome."]


async def test_a_message_after_the_model_failed(make_kit: Any) -> None:
    hotel = Hotel([ROME], RuntimeError("503"), "Done.", "Yes.")
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve())
    await kit.send(THREAD, "Are you there?")
    assert await kit.wait(THREAD) == "idle"
    assert hotel.booked == [ROME[1]]
    assert hotel.model.kinds[:3] == ["human", "ai", "tool"]


async def test_a_tool_raises_after_approval_and_is_then_rejected(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    hotel.raises = [RuntimeError("card service down")]
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve())
    (again,) = await kit.pending()
    assert again.kind == "approval"
    assert again.metadata["error"] == "RuntimeError: card service down"
    assert "card service down" in again.message
    await answer(kit, Reject("changed my mind"))
    assert hotel.booked == [ROME[1]]
    assert await results(kit) == {"call-1a": "Rejected: changed my mind"}


async def test_a_tool_raises_after_approval_and_gets_another_yes(make_kit: Any) -> None:
    hotel = Hotel([ROME])
    hotel.raises = [RuntimeError("card service down")]
    kit = await start(make_kit, hotel.agent)
    await answer(kit, Approve())
    await answer(kit, Approve())
    assert hotel.booked == [ROME[1], ROME[1]]
    assert (await kit.conversation(THREAD)).run_status == "idle"


async def test_a_bad_answer_is_asked_again(make_kit: Any) -> None:
    question = Question({"reason": "question", "message": "How many nights?"}, take=int)
    kit = await start(make_kit, question.agent)
    await answer(kit, Answer("many"))
    (again,) = await kit.pending()
    assert again.payload == {"reason": "question", "message": "How many nights?"}
    assert "invalid literal" in again.message
    await answer(kit, Answer("3"))
    assert (await question.values())["answers"] == [3]
    assert (await kit.conversation(THREAD)).run_status == "idle"


@pytest.mark.parametrize("value", [None, 0, False, "", {}, [], 3.5])
async def test_f19_answers_arrive_as_they_are(make_kit: Any, value: Any) -> None:
    question = Question("Anything?")
    kit = await start(make_kit, question.agent)
    await answer(kit, Answer(value))
    assert question.got == {"ask0": value}


async def test_f12_f13_two_branches(make_kit: Any) -> None:
    question = Question("One?", "Two?")
    kit = await start(make_kit, question.agent)
    assert isinstance(await answer(kit, Answer(1)), Waiting)
    assert isinstance(await answer(kit, Answer(2)), Ready)
    assert sorted(question.got.values()) == [1, 2]


async def test_f27_an_expired_question_tells_the_graph(make_kit: Any, clock: FakeClock) -> None:
    question = Question({"message": "Quick?", "expiresAt": (clock.now() + timedelta(hours=1)).isoformat()})
    kit = await start(make_kit, question.agent)
    clock.move(3600)
    await kit.expire_due()
    await kit.wait(THREAD)
    assert question.got["ask0"]["reason"] == "expired"


async def test_the_gate_notes_what_was_released(make_kit: Any) -> None:
    hotel = Hotel([ROME], [OSLO])
    kit = await start(make_kit, hotel.agent)
    (first,) = await kit.pending()
    await answer(kit, Approve())
    record = await kit._store.interrupt(first.id)
    assert (record.state, record.settled) == ("done", True)
    assert record.result_text == "Booked 2 nights in Rome."
    (second,) = await kit.pending()
    hotel.raises = [RuntimeError("down")]
    await answer(kit, Approve())
    record = await kit._store.interrupt(second.id)
    assert (record.state, record.error) == ("done", "RuntimeError: down")
