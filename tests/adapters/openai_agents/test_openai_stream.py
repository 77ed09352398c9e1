"""What an agent of the OpenAI Agents SDK says and does, as AG-UI events."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui.core import (
    DataSource,
    DocumentPart,
    ImagePart,
    ReasoningEncryptedValueEvent,
    ReasoningMessageContentEvent,
    RunFinishedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageContentEvent,
    TextPart,
    ToolCallStartEvent,
    UrlSource,
    UserMessage,
)
from agents import (
    Agent,
    GuardrailFunctionOutput,
    InputGuardrail,
    OutputGuardrail,
    RunContextWrapper,
    RunHooks,
    ToolOutputImage,
    ToolOutputText,
    Usage,
    function_tool,
    handoff,
    tool_input_guardrail,
)
from agents.testing import ModelStep, ScriptedModel, assistant_message, function_call
from agents.tool_guardrails import ToolGuardrailFunctionOutput
from openai.types.responses import ResponseReasoningItem
from openai.types.responses.response_reasoning_item import Summary

from reflex_agentkit.protocol.verdicts import Approve
from tests.adapters.openai_agents.scripted import ROME, Hotel, model, run_of, said_to, talk, told
from tests.adapters.talk import approved


def kinds(events: list[Any]) -> list[str]:
    return [event.type.value for event in events]


async def test_text_calls_and_results_come_in_order_and_calls_hang_on_their_text() -> None:
    hotel = Hotel()
    look = [assistant_message("Let me look."), function_call("look", {}, call_id="call-1a")]
    agent = hotel.agent(model=ScriptedModel([look, [assistant_message("Quiet.")]]))
    run = await talk(agent).send("Hi")
    assert kinds(run.events) == [
        "RUN_STARTED",
        "STEP_STARTED",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "TOOL_CALL_START",
        "TOOL_CALL_ARGS",
        "TOOL_CALL_END",
        "TOOL_CALL_RESULT",
        "TEXT_MESSAGE_START",
        "TEXT_MESSAGE_CONTENT",
        "TEXT_MESSAGE_END",
        "STEP_FINISHED",
        "RUN_FINISHED",
    ]
    assert run.events[0].protocol_version == "1.0"
    [call] = run.of(ToolCallStartEvent)
    assert call.parent_message_id == run.events[2].message_id
    assert run.results == {"call-1a": "All quiet."}
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["Let me look.", "Quiet."]


async def test_a_sealed_thought_is_told_and_goes_back_to_the_model_with_its_calls() -> None:
    thought = ResponseReasoningItem(
        id="rs_1",
        type="reasoning",
        summary=[
            Summary(text="Rome is nice.", type="summary_text"),
            Summary(text="So.", type="summary_text"),
        ],
        encrypted_content="sealed",
    )
    hotel = Hotel()
    book = [thought, function_call("book", ROME[1], call_id="call-1a")]
    agent = hotel.agent(model=ScriptedModel([book, [assistant_message("Done.")]]))
    thread = talk(agent)
    run = await thread.send("Hi")
    assert "".join(event.delta for event in run.of(ReasoningMessageContentEvent)) == "Rome is nice.\n\nSo."
    [sealed] = run.of(ReasoningEncryptedValueEvent)
    assert '"sealed"' in sealed.encrypted_value
    await thread.go(approved("call-1a"))
    assert hotel.booked == [ROME[1]]
    assert said_to(agent)[1] == "thought sealed"


async def test_a_thought_without_a_seal_is_shown_and_not_sent_back() -> None:
    thought = ResponseReasoningItem(
        id="rs_1", type="reasoning", summary=[Summary(text="Hm.", type="summary_text")]
    )
    agent = Hotel().agent(
        model=ScriptedModel([[thought, assistant_message("Yes.")], [assistant_message("So.")]])
    )
    thread = talk(agent)
    run = await thread.send("Hi")
    assert [event.delta for event in run.of(ReasoningMessageContentEvent)] == ["Hm."]
    await thread.send("And?")
    assert said_to(agent) == ["user: Hi", "assistant: Yes.", "user: And?"]


async def test_a_handoff_is_a_call_with_a_result_a_step_and_holds_for_the_next_message() -> None:
    clerk = Agent(name="clerk", model=model("Clerk here.", "Clerk again."))
    front = Agent(name="front", model=model([("transfer_to_clerk", {})]), handoffs=[clerk])
    thread = talk(front)
    run = await thread.send("Hi")
    assert run.results == {"call-1a": '{"assistant": "clerk"}'}
    assert [event.step_name for event in run.of(StepStartedEvent)] == ["front", "clerk"]
    assert [event.step_name for event in run.of(StepFinishedEvent)] == ["front", "clerk"]
    run = await thread.send("And?")
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["Clerk again."]
    assert said_to(clerk)[-2:] == ["assistant: Clerk here.", "user: And?"]


async def test_of_two_handoffs_at_once_the_first_holds_for_the_next_message() -> None:
    one = Agent(name="one", model=model("One here.", "One again."))
    two = Agent(name="two", model=model("Two here."))
    calls = [("transfer_to_two", {}), ("transfer_to_one", {})]
    front = Agent(name="front", model=model(calls[::-1]), handoffs=[two, one])
    thread = talk(front)
    run = await thread.send("Hi")
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["One here."]
    assert len(run.results) == 2
    run = await thread.send("And?")
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["One again."]


async def test_a_custom_handoff_pauses_and_goes_on_in_the_agent_that_it_leads_to() -> None:
    hotel, heard = Hotel(), []
    clerk = hotel.agent(name="clerk", model=model([ROME], "Booked.", ids="clerk"))

    async def on_handoff(context: Any) -> None:
        heard.append("handed on")

    front = Agent(
        name="front",
        model=model([("to_the_clerk", {})]),
        handoffs=[handoff(clerk, tool_name_override="to_the_clerk", on_handoff=on_handoff)],
    )
    thread = talk(front)
    [asked] = (await thread.send("Hi")).interrupts
    run = await thread.go(approved(asked.id))
    assert (heard, hotel.booked, run.outcome.type) == (["handed on"], [ROME[1]], "success")
    assert [event.step_name for event in run.of(StepStartedEvent)] == ["clerk"]


async def test_a_handoff_beside_a_call_that_waits_happens_once_the_call_is_decided() -> None:
    hotel = Hotel()
    clerk = Agent(name="clerk", model=model("Clerk here."))
    front = hotel.agent([ROME, ("transfer_to_clerk", {})], name="front", handoffs=[clerk])
    thread = talk(front)
    [asked] = (await thread.send("Hi")).interrupts
    run = await thread.go(approved(asked.id))
    assert hotel.booked == [ROME[1]]
    assert set(run.results) == {"call-1a", "call-1b"}
    assert [event.delta for event in run.of(TextMessageContentEvent)] == ["Clerk here."]


async def test_usage_is_told_at_the_end_and_after_an_error() -> None:
    counted = Usage(requests=1, input_tokens=10, output_tokens=3, total_tokens=13)
    agent = Hotel().agent(model=ScriptedModel([[assistant_message("Hi.")]], default_usage=counted))
    run = await talk(agent).send("Hi")
    [finished] = run.of(RunFinishedEvent)
    [usage] = finished.usage
    assert (usage.input_tokens, usage.output_tokens, usage.total_tokens) == (10, 3, 13)
    look = [function_call("look", {}, call_id="call-1a")]
    steps = [look, ModelStep.raise_error(RuntimeError("503"))]
    run = await talk(Hotel().agent(model=ScriptedModel(steps, default_usage=counted))).send("Hi")
    assert run.error.usage[0].total_tokens == 13


async def trips(*_: Any) -> GuardrailFunctionOutput:
    return GuardrailFunctionOutput(output_info="no", tripwire_triggered=True)


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (
            {"input_guardrails": [InputGuardrail(guardrail_function=trips, run_in_parallel=False)]},
            "input_guardrail",
        ),
        ({"output_guardrails": [OutputGuardrail(guardrail_function=trips)]}, "output_guardrail"),
    ],
)
async def test_a_guardrail_that_trips_ends_the_run_with_its_code(options: dict[str, Any], code: str) -> None:
    run = await talk(Hotel().agent("Hi.", **options)).send("Hi")
    assert run.error.code == code
    assert "trips" in run.error.message or "guardrail" in run.error.message.lower()


async def test_a_tool_guardrail_that_raises_stops_an_approved_call_before_its_body() -> None:
    @tool_input_guardrail
    def never(data: Any) -> ToolGuardrailFunctionOutput:
        return ToolGuardrailFunctionOutput.raise_exception("no")

    hotel = Hotel()
    tools = hotel.tools(tool_input_guardrails=[never])
    thread = talk(hotel.agent([ROME], "Done.", tools=tools))
    await thread.send("Hi")
    run = await thread.go(approved("call-1a"))
    assert (hotel.booked, run.error.code) == ([], "tool_guardrail")


async def test_more_than_max_turns_is_an_error_with_a_code() -> None:
    run = await talk(Hotel().agent([("look", {})], [("look", {})]), max_turns=1).send("Hi")
    assert run.error.code == "max_turns"


async def test_what_a_person_shows_and_what_a_tool_shows_reach_the_model_and_come_back() -> None:
    @function_tool
    def draw() -> list[Any]:
        """Draw."""
        return [ToolOutputText(text="Here."), ToolOutputImage(image_url="data:image/png;base64,AAAA")]

    agent = Agent(name="artist", model=model([("draw", {})], "Done.", "Again."), tools=[draw])
    thread = talk(agent)
    thread.messages.append(
        UserMessage(
            id="user-0",
            content=[
                TextPart(text="Like this:"),
                ImagePart(source=UrlSource(value="https://example.org/a.png")),
                DocumentPart(
                    source=DataSource(value="QQ==", mime_type="text/plain"), metadata={"filename": "a.txt"}
                ),
            ],
        )
    )
    run = await thread.go()
    [first] = [agent.model.calls[0].input]
    assert first[0]["content"] == [
        {"type": "input_text", "text": "Like this:"},
        {"type": "input_image", "image_url": "https://example.org/a.png", "detail": "auto"},
        {"type": "input_file", "file_data": "data:text/plain;base64,QQ==", "filename": "a.txt"},
    ]
    text, image = run.results["call-1a"]
    assert (text.text, image.source.value, image.source.mime_type) == ("Here.", "AAAA", "image/png")
    sent = told(agent)["call-1a"]
    await thread.send("Again")
    [kept_text, kept_image] = told(agent)["call-1a"]
    assert kept_text == sent[0]
    assert kept_image["image_url"] == sent[1]["image_url"]


async def test_hooks_context_and_options_are_the_applications_own() -> None:
    seen: list[Any] = []

    async def make(run_input: Any) -> dict[str, str]:
        return {"thread": run_input.thread_id}

    class Hooks(RunHooks[Any]):
        async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
            seen.append((tool.name, context.context))

    @function_tool(needs_approval=True)
    def mine(context: RunContextWrapper[dict[str, str]]) -> str:
        """Mine."""
        return context.context["thread"]

    agent = Agent(name="a", model=model([("mine", {})], "Done."), tools=[mine])
    thread = talk(agent, context_factory=make, hooks=Hooks())
    await thread.send("Hi")
    assert seen == []
    run = await thread.go(approved("call-1a"))
    assert run.results == {"call-1a": "thread-1"}
    assert seen == [("mine", {"thread": "thread-1"})]


async def test_through_a_kit_a_handoff_beside_a_call_that_waits_happens_once_it_is_decided(
    make_kit: Any,
) -> None:
    hotel = Hotel()
    clerk = Agent(name="clerk", model=model("Clerk here."))
    front = hotel.agent([ROME, ("transfer_to_clerk", {})], name="front", handoffs=[clerk])
    kit = await make_kit(run_of(front))
    await kit.send("t", "Hi")
    await kit.wait("t")
    [asked] = await kit.pending("t")
    await kit.answer(asked.id, Approve(), by="ann")
    assert await kit.wait("t") == "idle"
    conversation = await kit.conversation("t")
    assert (hotel.booked, conversation.messages[-1].text) == ([ROME[1]], "Clerk here.")
    calls = {call.id: call.result for message in conversation.messages for call in message.tool_calls}
    assert calls == {"call-1a": "Booked 2 nights in Rome.", "call-1b": '{"assistant": "clerk"}'}
