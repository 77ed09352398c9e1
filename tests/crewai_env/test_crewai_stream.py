"""What a flow tells as AG-UI events: its models' words, its tools, its state, its steps."""

from __future__ import annotations

import json
from typing import Any

import pytest
from ag_ui.core import (
    AssistantMessage,
    FunctionCall,
    ReasoningMessageContentEvent,
    RunFinishedEvent,
    StepFinishedEvent,
    StepStartedEvent,
    TextMessageStartEvent,
    ToolCall,
    ToolCallArgsEvent,
    ToolCallStartEvent,
    UserMessage,
)
from crewai import Agent
from crewai.events.types.llm_events import LLMCallType
from crewai.flow import Flow, listen, router, start
from crewai.flow.persistence import SQLiteFlowPersistence
from crewai.llms.base_llm import BaseLLM, llm_call_context
from crewai.tools import tool
from pydantic import BaseModel

from reflex_agentkit.adapters.crewai import AGUIFlowState, emit_text, emit_tool_result, unseen
from tests.crewai_env.talk import text_of, thread_of


class Whole(BaseLLM):
    """A model that does not stream, and tells how much it used."""

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
        with llm_call_context():
            self._emit_call_completed_event(
                response="All at once.",
                call_type=LLMCallType.LLM_CALL,
                usage={"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
                messages=messages,
            )
        return "All at once."


class Streaming(BaseLLM):
    """Thinks, says a text, and makes two calls; the second one's pieces come without an id."""

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
        with llm_call_context():
            self._emit_thinking_chunk_event("Hm, ")
            self._emit_thinking_chunk_event("yes.")
            self._emit_stream_chunk_event("I ")
            self._emit_stream_chunk_event("look.")
            self._piece(0, "a", "look", '{"at": ', '{"at": ')
            self._piece(0, "a", "look", "1.0}", '{"at": 1.0}')
            self._piece(1, "b", "sum", "", "")
            self._piece(1, None, None, "", '{"of": [1, 2]}')
        return "I look."

    def _piece(self, at: int, call_id: str | None, name: str | None, chunk: str, text: str) -> None:
        function = {"name": name, "arguments": text}
        self._emit_stream_chunk_event(chunk, tool_call={"id": call_id, "index": at, "function": function})


async def test_a_model_that_does_not_stream_is_heard_whole_with_what_it_used(
    persistence: SQLiteFlowPersistence,
) -> None:
    class Says(Flow[AGUIFlowState]):
        @start()
        def say(self) -> str:
            return Whole(model="whole").call([])

    run = await thread_of(Says, persistence).send()
    assert text_of(run) == "All at once."
    [finished] = run.of(RunFinishedEvent)
    assert [(one.input_tokens, one.output_tokens, one.total_tokens) for one in finished.usage or ()] == [
        (11, 3, 14)
    ]


async def test_thinking_text_and_calls_stream_in_pieces_and_in_order(
    persistence: SQLiteFlowPersistence,
) -> None:
    class Says(Flow[AGUIFlowState]):
        @start()
        def say(self) -> None:
            Streaming(model="streaming").call([])
            emit_tool_result("a", "nothing")

    run = await thread_of(Says, persistence).send()
    assert [event.delta for event in run.of(ReasoningMessageContentEvent)] == ["Hm, ", "yes."]
    assert text_of(run) == "I look."
    assert [(event.tool_call_id, event.delta) for event in run.of(ToolCallArgsEvent)] == [
        ("a", '{"at": '),
        ("a", "1.0}"),
        ("b", '{"of": [1, 2]}'),
    ]
    [text] = run.of(TextMessageStartEvent)
    assert {event.parent_message_id for event in run.of(ToolCallStartEvent)} == {text.message_id}
    assert run.results == {"a": "nothing"}


class Scripted(BaseLLM):
    """An agent's model that uses a tool once, in CrewAI's own form."""

    def call(self, messages: Any, *args: Any, **kwargs: Any) -> str:
        with llm_call_context():
            used = "All quiet" in str(messages)
            said = "Thought: I know.\nFinal Answer: It is calm."
            if not used:
                said = 'Thought: I look.\nAction: look_out\nAction Input: {"where": "harbour"}'
            self._emit_stream_chunk_event(said, from_agent=kwargs.get("from_agent"))
        return said


# An agent of CrewAI sets fields of its own that CrewAI has deprecated.
@pytest.mark.filterwarnings("ignore::DeprecationWarning:crewai")
@pytest.mark.filterwarnings("ignore::DeprecationWarning:pydantic")
async def test_what_an_agent_says_to_itself_is_not_shown_but_its_tools_are(
    persistence: SQLiteFlowPersistence,
) -> None:
    @tool
    def look_out(where: str) -> str:
        """Look out of the window."""
        return f"All quiet at the {where}."

    class Asks(Flow[AGUIFlowState]):
        @start()
        async def ask(self) -> Any:
            agent = Agent(
                role="watch", goal="watch", backstory="none", llm=Scripted(model="scripted"), tools=[look_out]
            )
            return await agent.kickoff_async("How is it?")

    run = await thread_of(Asks, persistence).send()
    assert text_of(run) == "It is calm."
    [call] = run.of(ToolCallStartEvent)
    assert call.tool_call_name == "look_out"
    assert json.loads("".join(event.delta for event in run.of(ToolCallArgsEvent))) == {"where": "harbour"}
    assert run.results == {call.tool_call_id: "All quiet at the harbour."}
    assert [event.step_name for event in run.of(StepStartedEvent)] == ["ask"]


async def test_a_flow_that_says_nothing_says_its_result_but_never_a_routers_word(
    persistence: SQLiteFlowPersistence,
) -> None:
    class Result(Flow[AGUIFlowState]):
        @start()
        def work(self) -> str:
            return "The report."

    class Routed(Flow[AGUIFlowState]):
        @start()
        def work(self) -> int:
            return 3

        @router(work)
        def decide(self) -> str:
            return "nowhere"

    assert text_of(await thread_of(Result, persistence).send()) == "The report."
    assert text_of(await thread_of(Routed, persistence, "other").send()) == ""


async def test_what_is_said_unseen_is_not_shown(persistence: SQLiteFlowPersistence) -> None:
    class Says(Flow[AGUIFlowState]):
        @start()
        def say(self) -> None:
            with unseen():
                Streaming(model="streaming").call([])
            emit_text("Only this.")

    run = await thread_of(Says, persistence).send()
    assert (text_of(run), run.started) == ("Only this.", [])


class Notes(BaseModel):
    wishes: list[str] = []
    read: int = 0


async def test_the_state_is_shared_kept_and_changed_by_the_page(persistence: SQLiteFlowPersistence) -> None:
    class Wishes(Flow[Notes]):
        @start()
        def note(self) -> None:
            self.state.read += 1

    thread = thread_of(Wishes, persistence)
    await thread.send()
    assert thread.state == {"wishes": [], "read": 1}
    thread.state = {**thread.state, "wishes": ["tea"]}
    await thread.send("again")
    assert thread.state == {"wishes": ["tea"], "read": 2}
    thread.state = {}
    await thread.send("a client that keeps no state")
    assert thread.state == {"wishes": ["tea"], "read": 3}


async def test_the_conversation_reaches_the_flow_with_a_result_behind_every_call(
    persistence: SQLiteFlowPersistence,
) -> None:
    heard: list[Any] = []

    class Listens(Flow[AGUIFlowState]):
        @start()
        def hear(self) -> None:
            heard.extend(self.state.messages)

    thread = thread_of(Listens, persistence)
    call = ToolCall(id="c", function=FunctionCall(name="look", arguments="{}"))
    thread.messages += [UserMessage(id="u", content="Hello"), AssistantMessage(id="a", tool_calls=[call])]
    await thread.send("And now?")
    assert [one["role"] for one in heard] == ["user", "assistant", "tool", "user"]
    assert heard[1]["tool_calls"][0] == {
        "id": "c",
        "type": "function",
        "function": {"name": "look", "arguments": "{}"},
    }
    assert heard[2]["tool_call_id"] == "c"


async def test_steps_are_told_and_end(persistence: SQLiteFlowPersistence) -> None:
    class Two(Flow[AGUIFlowState]):
        @start()
        def one(self) -> None: ...

        @listen(one)
        def two(self) -> None:
            raise RuntimeError("no")

    run = await thread_of(Two, persistence).send()
    assert [event.step_name for event in run.of(StepStartedEvent)] == ["one", "two"]
    assert [event.step_name for event in run.of(StepFinishedEvent)] == ["one", "two"]
    assert run.ended == "error"
