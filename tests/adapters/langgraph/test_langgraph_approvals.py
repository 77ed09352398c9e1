"""`request_tool_approval` through a raw AG-UI stream: every answer, with the number of times the tool ran."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

import pytest
from ag_ui.core import RunErrorEvent, TextMessageContentEvent, ToolCallStartEvent
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from reflex_agentkit.adapters.langgraph import LangGraphAGUIAgent, request_tool_approval
from reflex_agentkit.protocol.pause import asks_yes_or_no
from tests.adapters.langgraph.scripted import BONN, OSLO, ROME, GraphTalk, Hotel
from tests.adapters.talk import approved, cancelled, refused, resolved

EDIT = {"city": "Rome", "nights": 5}


@pytest.mark.parametrize("sync", [False, True])
async def test_an_approved_call_runs_once(sync: bool) -> None:
    hotel = Hotel([ROME], sync=sync)
    asked = await hotel.talk.send("Book")
    (interrupt,) = asked.interrupts
    assert asks_yes_or_no(interrupt)
    assert interrupt.tool_call_id == "call-1a"
    assert interrupt.metadata is not None
    assert interrupt.metadata["tool_input"] == ROME[1]
    assert interrupt.metadata["toolName"] == "book_hotel"
    assert interrupt.metadata["path"] == ["act"]
    run = await hotel.talk.go(approved(interrupt.id))
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert run.outcome.type == "success"
    assert hotel.booked == [ROME[1]]
    assert hotel.answers[0] is not None
    assert hotel.answers[0].payload == {"approved": True}


async def test_an_edited_call_runs_with_the_edit_and_says_so() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(interrupt.id, editedArgs=EDIT, chosen_time="10:00"))
    assert hotel.booked == [EDIT]
    assert hotel.decisions[0].edited
    assert "Note: the user edited" in run.results["call-1a"]
    assert hotel.model.told == [run.results["call-1a"]]
    assert hotel.answers[0] is not None
    assert hotel.answers[0].payload["chosen_time"] == "10:00"


async def test_an_edit_that_equals_the_proposal_is_a_plain_approval() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(interrupt.id, editedArgs=dict(ROME[1])))
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert not hotel.decisions[0].edited
    assert hotel.booked == [ROME[1]]


@pytest.mark.parametrize(
    ("entry", "reason", "result"),
    [
        (lambda at: refused(at, reason="Too far"), "Too far", "Rejected: Too far"),
        (refused, None, "Rejected: no reason given"),
        (cancelled, "cancelled", "Rejected: cancelled"),
        (lambda at: cancelled(at, metadata={"reason": "expired"}), "expired", "Rejected: expired"),
    ],
)
async def test_a_refused_call_does_not_run(entry: Any, reason: str | None, result: str) -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(entry(interrupt.id))
    assert hotel.booked == []
    assert hotel.decisions[0].reason == reason
    assert hotel.decisions[0].args == ROME[1]
    assert run.results == {"call-1a": result}
    assert run.outcome.type == "success"


async def test_f13_f15_each_of_several_calls_gets_its_own_answer() -> None:
    hotel = Hotel([ROME, OSLO, BONN])
    one, two, three = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(refused(two.id), approved(one.id), approved(three.id, editedArgs=EDIT))
    assert hotel.booked == [ROME[1], EDIT]
    assert set(run.results) == {"call-1a", "call-1b", "call-1c"}
    assert hotel.model.kinds == ["human", "ai", "tool", "tool", "tool"]


async def test_the_proposal_is_not_told_again() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(interrupt.id))
    assert run.of(ToolCallStartEvent) == []


async def test_a_missing_answer_is_named_and_nothing_runs() -> None:
    hotel = Hotel([ROME, OSLO])
    one, two = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(one.id), keep=False)
    assert run.error.code == "incomplete"
    assert two.id in run.error.message
    assert hotel.booked == []
    await hotel.talk.go(approved(one.id), approved(two.id))
    assert hotel.booked == [ROME[1], OSLO[1]]


@pytest.mark.parametrize("wire_id", ["nope", "0" * 32])
async def test_an_unknown_answer_answers_nothing(wire_id: str) -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(wire_id), keep=False)
    assert run.error.code == "unknown_interrupt"
    assert hotel.booked == []
    await hotel.talk.go(approved(interrupt.id))
    assert hotel.booked == [ROME[1]]


async def test_two_answers_to_one_call_are_refused_together() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(refused(interrupt.id), approved(interrupt.id), keep=False)
    assert isinstance(run.events[-1], RunErrorEvent)
    assert hotel.booked == []


@pytest.mark.parametrize(
    "payload",
    [{"approved": "true"}, {"approved": 1}, {"approved": [True]}, True, "yes", None, {}, {"Approved": True}],
)
async def test_s08_almost_a_yes_runs_nothing(payload: Any) -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(resolved(interrupt.id, payload), keep=False)
    assert run.error.code == "invalid_answer"
    assert hotel.booked == []
    await hotel.talk.go(approved(interrupt.id))
    assert hotel.booked == [ROME[1]]


async def test_the_same_resume_again_runs_nothing() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    again = hotel.talk.input([approved(interrupt.id)])
    await hotel.talk.give(again)
    run = await hotel.talk.give(again, keep=False)
    assert run.outcome.type == "success"
    assert hotel.booked == [ROME[1]]


async def test_the_same_resume_at_the_same_moment_runs_the_tool_once() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    given = hotel.talk.input([approved(interrupt.id)])
    await asyncio.gather(*(hotel.talk.give(given, keep=False) for _ in range(3)))
    assert hotel.booked == [ROME[1]]


async def test_a_stale_answer_does_not_answer_the_next_call() -> None:
    hotel = Hotel([ROME], [OSLO])
    (first,) = (await hotel.talk.send("Book")).interrupts
    stale = hotel.talk.input([approved(first.id)])
    (second,) = (await hotel.talk.give(stale)).interrupts
    run = await hotel.talk.give(stale, keep=False)
    assert [one.id for one in run.interrupts] == [second.id]
    assert hotel.booked == [ROME[1]]
    await hotel.talk.go(approved(second.id))
    assert hotel.booked == [ROME[1], OSLO[1]]


async def test_an_answer_on_another_thread_answers_nothing() -> None:
    hotel = Hotel([ROME])
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    given = hotel.talk.input([approved(interrupt.id)]).model_copy(update={"thread_id": "other"})
    run = await hotel.talk.give(given, keep=False)
    assert run.error.code == "unknown_interrupt"
    assert hotel.booked == []


async def test_a_message_on_a_paused_thread_runs_nothing_and_is_heard_after_the_answer() -> None:
    hotel = Hotel([ROME], "Booked.", "A joke.")
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.send("And a joke")
    assert [one.id for one in run.interrupts] == [interrupt.id]
    assert hotel.booked == []
    assert [message.content for message in hotel.talk.messages if message.role == "user"] == [
        "Book",
        "And a joke",
    ]
    run = await hotel.talk.go(approved(interrupt.id))
    assert hotel.booked == [ROME[1]]
    assert hotel.model.kinds == ["human", "ai", "tool", "ai", "human"]
    assert "".join(event.delta for event in run.of(TextMessageContentEvent)) == "Booked.A joke."


async def test_f23_a_message_with_a_cancelled_pause_is_heard_after_the_result_of_the_call() -> None:
    hotel = Hotel([ROME], "Not booked.", "A joke.")
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    hotel.talk.say("Tell a joke instead")
    run = await hotel.talk.go(cancelled(interrupt.id))
    assert hotel.booked == []
    assert run.results == {"call-1a": "Rejected: cancelled"}
    assert hotel.model.kinds == ["human", "ai", "tool", "ai", "human"]
    assert run.outcome.type == "success"


async def test_the_model_fails_after_the_tool_and_the_retry_does_not_repeat_it() -> None:
    hotel = Hotel([ROME], RuntimeError("model endpoint returned 503"))
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(interrupt.id))
    assert "503" in run.error.message
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    run = await hotel.talk.go(approved(interrupt.id))
    assert run.outcome.type == "success"
    assert hotel.booked == [ROME[1]]
    assert hotel.model.told == ["Booked 2 nights in Rome."]


@pytest.mark.parametrize("with_resume", [True, False])
async def test_a_tool_that_raised_is_asked_about_again_and_then_refused(with_resume: bool) -> None:
    hotel = Hotel([ROME])
    hotel.raises = [RuntimeError("card service down")]
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    run = await hotel.talk.go(approved(interrupt.id))
    (again,) = run.interrupts
    assert again.metadata is not None
    assert again.metadata["error"] == "RuntimeError: card service down"
    assert "card service down" in (again.message or "")
    run = await hotel.talk.go(refused(again.id, reason="changed my mind"))
    assert hotel.booked == [ROME[1]]
    assert run.results == {"call-1a": "Rejected: changed my mind"}


async def test_the_model_fails_in_the_node_of_the_tool_and_the_call_needs_another_yes() -> None:
    hotel = Hotel([ROME], RuntimeError("503"), cut="same")
    (interrupt,) = (await hotel.talk.send("Book")).interrupts
    (again,) = (await hotel.talk.go(approved(interrupt.id))).interrupts
    assert hotel.booked == [ROME[1]]
    assert "perhaps after it took effect" in (again.message or "")
    run = await hotel.talk.go(refused(again.id))
    assert hotel.booked == [ROME[1]]
    assert run.outcome.type == "success"


async def test_one_of_two_calls_raises_and_the_other_does_not_run_again() -> None:
    hotel = Hotel([ROME, OSLO], sync=True)
    one, two = (await hotel.talk.send("Book")).interrupts
    hotel.raises = [RuntimeError("card service down")]
    run = await hotel.talk.go(approved(one.id), approved(two.id))
    ran = len(hotel.booked)
    for again in run.interrupts:
        run = await hotel.talk.go(*(refused(again.id) for again in run.interrupts))
        break
    assert run.outcome.type == "success"
    assert len(hotel.booked) == ran <= 2


async def test_a_call_whose_result_is_known_elsewhere_is_closed_without_running() -> None:
    hotel = Hotel([ROME], "Noted.")
    await hotel.talk.send("Book")
    from ag_ui.core import ToolMessage

    hotel.talk.messages.append(ToolMessage(id="noted", tool_call_id="call-1a", content="It may have run."))
    run = await hotel.talk.send("Go on")
    assert hotel.booked == []
    assert hotel.decisions[0].reason == "It may have run."
    assert run.outcome.type == "success"
    assert hotel.model.kinds == ["human", "ai", "tool", "ai", "human"]


async def test_a_call_whose_run_was_left_after_the_yes_is_asked_about_with_what_is_known() -> None:
    ran: list[str] = []
    inside = asyncio.Event()

    async def act(state: Any) -> Any:
        decision = request_tool_approval("c1", "book", {"city": "Rome"})
        if decision.approved:
            ran.append("Rome")
            inside.set()
            await asyncio.Event().wait()
        return {"messages": [("ai", str(decision.reason))]}

    builder: Any = StateGraph(MessagesState)
    builder.add_node("act", act)
    builder.add_edge(START, "act")
    talk = GraphTalk(LangGraphAGUIAgent(builder.compile(checkpointer=InMemorySaver())))
    (interrupt,) = (await talk.send("Book")).interrupts
    assert interrupt.message is None
    going = asyncio.create_task(talk.go(approved(interrupt.id), keep=False))
    await inside.wait()
    going.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await going
    (again,) = (await talk.go()).interrupts
    assert "perhaps after it took effect" in (again.message or "")
    run = await talk.go(refused(again.id, reason="no"))
    assert (run.outcome.type, ran) == ("success", ["Rome"])
