"""Approvals of a PydanticAI agent: what each answer makes of the call, and how often the tool runs."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import EventType, StateSnapshotEvent
from pydantic_ai import Agent, RunContext, ToolReturn

from reflex_agentkit.adapters._notice import cancellation, rejection
from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from tests.adapters.talk import Script, Talk, approved, cancelled, refused, resolved

ROME = ("book_hotel", {"city": "Rome", "nights": 2})


class Hotel:
    """An agent with a gated and a free tool."""

    def __init__(self, *lines: Any, **options: Any) -> None:
        self.booked: list[tuple[str, int]] = []
        self.metadata: list[Any] = []
        self.asked_weather = 0
        self.script = Script(*(lines or ([ROME],)))
        agent = Agent(self.script.model())

        @agent.tool(requires_approval=True)
        def book_hotel(ctx: RunContext[None], city: str, nights: int) -> str:
            """Book a hotel room."""
            self.booked.append((city, nights))
            self.metadata.append(ctx.tool_call_metadata)
            return f"Booked {nights} nights in {city}."

        @agent.tool_plain
        def get_weather(city: str) -> str:
            """The weather."""
            self.asked_weather += 1
            return f"Sunny in {city}"

        self.agent = agent
        self.talk = Talk(PydanticAIAgent(agent, **options))


async def paused(*lines: Any, **options: Any) -> Hotel:
    hotel = Hotel(*lines, **options)
    run = await hotel.talk.send("Book a hotel")
    assert run.outcome.type == "interrupt"
    assert hotel.booked == []
    return hotel


async def test_an_approved_tool_runs_once_and_the_model_goes_on() -> None:
    hotel = await paused()
    run = await hotel.talk.go(approved())
    assert run.outcome.type == "success"
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert hotel.booked == [("Rome", 2)]


async def test_edited_arguments_are_what_the_tool_gets_and_the_model_is_told_f16() -> None:
    hotel = await paused()
    run = await hotel.talk.go(approved(editedArgs={"city": "Rome", "nights": 5}))
    assert hotel.booked == [("Rome", 5)]
    told = run.results["call-1a"]
    assert told.startswith("Booked 5 nights in Rome.\n\nNote: the user edited this tool call's arguments")
    assert '{"city": "Rome", "nights": 5}' in told
    assert hotel.script.told()["call-1a"] == (told, "success")


async def test_the_notice_can_be_turned_off() -> None:
    hotel = await paused(notify_edited_args=False)
    run = await hotel.talk.go(approved(editedArgs={"city": "Rome", "nights": 5}))
    assert run.results == {"call-1a": "Booked 5 nights in Rome."}


async def test_edited_arguments_that_equal_the_proposal_are_a_plain_approval() -> None:
    hotel = await paused()
    run = await hotel.talk.go(approved(editedArgs={"nights": 2, "city": "Rome"}))
    assert run.results == {"call-1a": "Booked 2 nights in Rome."}
    assert hotel.booked == [("Rome", 2)]


@pytest.mark.parametrize(
    "edited", [{"nights": 5}, {"city": "Rome", "nights": "many"}, {"city": "Rome", "nights": 1, "x": 1}]
)
async def test_edited_arguments_that_do_not_validate_run_nothing(edited: dict[str, Any]) -> None:
    hotel = await paused()
    run = await hotel.talk.go(approved(editedArgs=edited))
    assert hotel.booked == []
    assert run.outcome.type == "success"
    assert hotel.script.told()["call-1a"][1] == "retried"


async def test_a_rejection_is_the_result_with_its_reason() -> None:
    hotel = await paused()
    run = await hotel.talk.go(refused(reason="Too expensive"))
    assert hotel.booked == []
    assert run.results == {"call-1a": rejection("Too expensive")}
    assert hotel.script.told()["call-1a"] == (rejection("Too expensive"), "denied")


@pytest.mark.parametrize("more", [{}, {"reason": None}, {"reason": ""}, {"reason": "  "}])
async def test_a_refusal_without_words_says_that_a_person_refused_f21(more: dict[str, Any]) -> None:
    hotel = await paused()
    run = await hotel.talk.go(refused(**more))
    assert run.results == {"call-1a": rejection()}
    assert "refused" in rejection()
    assert "Do not call the tool again" in rejection()
    assert hotel.booked == []


async def test_a_refusal_wins_over_edited_arguments_beside_it() -> None:
    hotel = await paused()
    await hotel.talk.go(refused(editedArgs={"city": "Rome", "nights": 9}))
    assert hotel.booked == []


async def test_a_response_is_the_result_as_a_success_and_the_tool_does_not_run() -> None:
    hotel = await paused()
    run = await hotel.talk.go(refused(response="Booked by phone."))
    assert hotel.booked == []
    assert run.results == {"call-1a": "Booked by phone."}
    assert hotel.script.told()["call-1a"] == ("Booked by phone.", "success")


async def test_a_cancelled_approval_tells_the_model_and_runs_nothing_f22() -> None:
    hotel = await paused()
    run = await hotel.talk.go(cancelled())
    assert hotel.booked == []
    assert run.results == {"call-1a": cancellation()}


async def test_an_expired_approval_says_so_f27() -> None:
    hotel = await paused()
    run = await hotel.talk.go(cancelled(metadata={"reason": "expired"}))
    assert run.results == {"call-1a": cancellation(expired=True)}


async def test_a_yes_inside_a_cancelled_entry_is_no_yes() -> None:
    hotel = await paused()
    await hotel.talk.go(cancelled(payload={"approved": True}))
    assert hotel.booked == []


async def test_each_of_several_calls_gets_its_own_decision_f15() -> None:
    hotel = await paused(
        [
            ROME,
            ("book_hotel", {"city": "Oslo", "nights": 1}),
            ("book_hotel", {"city": "Bonn", "nights": 3}),
            ("get_weather", {"city": "Rome"}),
        ]
    )
    assert hotel.asked_weather == 1
    run = await hotel.talk.go(
        approved("int-call-1a"),
        refused("int-call-1b", reason="no"),
        approved("int-call-1c", editedArgs={"city": "Bonn", "nights": 9}),
    )
    assert sorted(hotel.booked) == [("Bonn", 9), ("Rome", 2)]
    assert hotel.asked_weather == 1
    assert set(run.results) == {"call-1a", "call-1b", "call-1c"}
    assert set(hotel.script.told()) == {"call-1a", "call-1b", "call-1c", "call-1d"}
    assert (await hotel.talk.send("Thanks")).outcome.type == "success"


async def test_extra_keys_reach_the_tool() -> None:
    hotel = await paused()
    await hotel.talk.go(approved(chosen_time="2030-01-01T10:00:00Z"))
    assert hotel.metadata == [{"chosen_time": "2030-01-01T10:00:00Z"}]


@pytest.mark.parametrize(
    "payload",
    [
        {"approved": "true"},
        {"approved": 1},
        {"approved": "false"},
        {"approved": [True]},
        {"approved": None},
        True,
        "yes",
        None,
        {},
        {"approved": 0},
        {"approved": True, "edited_args": {"city": "Rome", "nights": 1}},
        {"approved": True, "response": "done"},
    ],
)
async def test_almost_a_yes_runs_nothing_s08(payload: Any) -> None:
    hotel = await paused()
    run = await hotel.talk.go(resolved("int-call-1a", payload), keep=False)
    assert (run.error.code, run.results, hotel.booked) == ("invalid_answer", {}, [])
    await hotel.talk.go(approved())
    assert hotel.booked == [("Rome", 2)]


@pytest.mark.parametrize("edited", [[], "x", 1, [["city", "Rome"]]])
async def test_edited_arguments_that_are_no_object_run_nothing_s09(edited: Any) -> None:
    hotel = await paused()
    run = await hotel.talk.go(approved(editedArgs=edited))
    assert (run.error.code, hotel.booked) == ("invalid_answer", [])


async def test_a_resume_that_decides_one_call_twice_runs_nothing_s08() -> None:
    hotel = await paused()
    run = await hotel.talk.go(refused(), approved())
    assert (run.error.code, hotel.booked) == ("invalid_answer", [])


@pytest.mark.parametrize("wire_id", ["int-nope", "nope", "call-1a", "ask-nope"])
async def test_an_id_that_was_never_issued_runs_nothing_s07(wire_id: str) -> None:
    hotel = await paused()
    for entries in ([approved(wire_id)], [approved(), approved(wire_id)]):
        run = await hotel.talk.go(*entries, keep=False)
        assert (run.error.code, hotel.booked) == ("invalid_answer", [])


async def test_a_missing_entry_is_an_error_that_names_the_call() -> None:
    hotel = await paused([ROME, ("book_hotel", {"city": "Oslo", "nights": 1})])
    run = await hotel.talk.go(approved("int-call-1a"), keep=False)
    assert run.error.code == "invalid_answer"
    assert "call-1b" in run.error.message
    assert hotel.booked == []
    await hotel.talk.go(approved("int-call-1a"), approved("int-call-1b"))
    assert len(hotel.booked) == 2


async def test_the_same_resume_after_the_result_runs_nothing_again_f03() -> None:
    hotel = await paused()
    await hotel.talk.go(approved())
    run = await hotel.talk.go(approved())
    assert run.outcome.type == "success"
    assert hotel.booked == [("Rome", 2)]


async def test_an_old_answer_does_not_decide_the_next_approval() -> None:
    hotel = await paused([ROME], [("book_hotel", {"city": "Oslo", "nights": 1})])
    second = await hotel.talk.go(approved())
    assert [interrupt.id for interrupt in second.interrupts] == ["int-call-2a"]
    run = await hotel.talk.go(approved("int-call-1a"), keep=False)
    assert run.error.code == "invalid_answer"
    assert hotel.booked == [("Rome", 2)]
    await hotel.talk.go(approved("int-call-2a"))
    assert hotel.booked == [("Rome", 2), ("Oslo", 1)]


async def test_a_second_approval_in_the_resumed_run_is_asked_and_runs_f11() -> None:
    hotel = await paused([ROME], [("book_hotel", {"city": "Oslo", "nights": 1})])
    await hotel.talk.go(approved())
    run = await hotel.talk.go(approved("int-call-2a"))
    assert run.outcome.type == "success"
    assert hotel.booked == [("Rome", 2), ("Oslo", 1)]


async def test_a_new_message_beside_the_answer_follows_the_result() -> None:
    hotel = await paused()
    hotel.talk.say("And tell me a joke")
    run = await hotel.talk.go(cancelled())
    assert run.outcome.type == "success"
    last = [part.part_kind for message in hotel.script.asked[-1] for part in message.parts][-2:]
    assert last == ["tool-return", "user-prompt"]


async def test_a_new_message_without_an_answer_runs_nothing_and_the_call_is_closed() -> None:
    hotel = await paused()
    run = await hotel.talk.send("Never mind")
    assert run.outcome.type == "success"
    assert hotel.booked == []
    assert hotel.script.told()["call-1a"][1] == "failed"


async def test_no_answer_at_all_runs_nothing() -> None:
    hotel = await paused()
    run = await hotel.talk.go()
    assert run.outcome.type == "success"
    assert hotel.booked == []


async def test_a_tool_return_keeps_its_state_event_beside_the_notice() -> None:
    script = Script([("count", {"to": 1})])
    agent = Agent(script.model())

    @agent.tool_plain(requires_approval=True)
    def count(to: int) -> ToolReturn:
        """Count."""
        snapshot = StateSnapshotEvent(type=EventType.STATE_SNAPSHOT, snapshot={"count": to})
        return ToolReturn(return_value={"count": to}, content="seen", metadata=[snapshot])

    talk = Talk(PydanticAIAgent(agent))
    await talk.send("Count")
    run = await talk.go(approved(editedArgs={"to": 7}))
    assert [event.snapshot for event in run.of(StateSnapshotEvent)] == [{"count": 7}]
    content, outcome = script.told()["call-1a"]
    assert outcome == "success"
    assert content["result"] == {"count": 7}
    assert '{"to": 7}' in content["note"]


async def test_a_call_id_that_comes_again_in_a_later_turn_is_a_new_call() -> None:
    hotel = Hotel([ROME], "Done.", [("book_hotel", {"city": "Oslo", "nights": 1})])
    hotel.script.call_id = "call-{letter}"
    await hotel.talk.send("Book a hotel")
    await hotel.talk.go(approved("int-call-a"))
    run = await hotel.talk.send("Again")
    assert [interrupt.id for interrupt in run.interrupts] == ["int-call-a"]
    assert hotel.booked == [("Rome", 2)]
    await hotel.talk.go(approved("int-call-a"))
    assert hotel.booked == [("Rome", 2), ("Oslo", 1)]
