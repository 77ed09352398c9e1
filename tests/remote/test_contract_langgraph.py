"""The contract of agents through `HttpAgent`, against the endpoint of ag-ui-langgraph."""

from __future__ import annotations

from typing import Any

import pytest
from ag_ui_langgraph import LangGraphAgent, add_langgraph_fastapi_endpoint
from fastapi import FastAPI
from langchain_core.messages import ToolMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import END, START, StateGraph
from langgraph.types import Send, interrupt

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.protocol.payload import approval_schema
from reflex_agentkit.protocol.verdicts import Answer, Approve
from reflex_agentkit.testing.agent_contract.decisions import DecisionsThroughKit, QuestionsThroughKit
from reflex_agentkit.testing.agent_contract.kit_thread import OpenThread
from reflex_agentkit.testing.agent_contract.script import ASK, LONGER, OSLO, ROME
from reflex_agentkit.testing.agent_contract.trouble import TroubleThroughKit
from reflex_agentkit.testing.agents import Build, Subject
from tests.adapters.langgraph_subjects import State, SubjectChat, tools_of
from tests.remote.serving import Served

# ag-ui-langgraph 0.0.47 asks a graph for its schema by a name that LangGraph has replaced.
pytestmark = pytest.mark.filterwarnings("ignore:`get_config_jsonschema` is deprecated:DeprecationWarning")


def graph_of(subject: Subject) -> Any:
    """A graph as somebody else may have written it: its nodes ask by `interrupt()` and read the answer."""
    bodies = {one.name: one for one in tools_of(subject)}
    chat = SubjectChat(subject=subject)

    async def model(state: State) -> State:
        return {"messages": [await chat.ainvoke(state["messages"])]}

    async def act(state: dict[str, Any]) -> State:
        call = state["call"]
        args, answer = call["args"], {"approved": True}
        if call["name"] in ("book", "pay"):
            asked = {"reason": "tool_call", "toolCallId": call["id"], "responseSchema": approval_schema(None)}
            answer = interrupt(asked)
            args = answer.get("editedArgs") or args
        if answer.get("approved") is True:
            content = await bodies[call["name"]].ainvoke(args)
        elif "__agui_cancelled__" in answer:
            content = "The user cancelled this."
        else:
            content = f"Refused: {answer.get('reason')}. Do not repeat it."
        return {"messages": [ToolMessage(content=content, tool_call_id=call["id"], name=call["name"])]}

    def route(state: State) -> Any:
        calls = getattr(state["messages"][-1], "tool_calls", ())
        return [Send("act", {"call": call}) for call in calls] or END

    builder = StateGraph(State)
    builder.add_node("model", model)
    builder.add_node("act", act)  # pyright: ignore[reportArgumentType, reportCallIssue]
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", route)
    builder.add_edge("act", "model")
    return builder.compile(checkpointer=InMemorySaver())


def app_of(subject: Subject) -> FastAPI:
    app = FastAPI()
    agent = LangGraphAgent(name="graph", graph=graph_of(subject), emit_interrupt_outcome=True)
    add_langgraph_fastapi_endpoint(app, agent, "/")
    return app


class TestLangGraphOverHttp(DecisionsThroughKit, TroubleThroughKit, QuestionsThroughKit):
    """Through the engine, as screens do; what the endpoint does with raw resumes is its own affair."""

    @pytest.fixture
    def build(self, serve: Served) -> Build:
        return lambda subject: HttpAgent(serve(app_of(subject)))

    # The endpoint cannot take several answers at once; see below.
    test_each_of_several_calls_gets_its_own_decision_f15 = None
    test_approvals_come_before_questions_and_all_are_answered_f13 = None
    test_an_answer_to_a_part_of_the_pause_is_refused_whole = None
    test_cancel_and_say_tells_the_agent_both_f22 = None
    test_a_model_that_fails_after_the_tool_does_not_cost_a_second_run_f29 = None

    # The tool runs in another process, where nobody can ask `current_answer()`.
    test_what_else_an_answer_holds_reaches_the_tool = None

    async def test_several_answers_at_once_are_an_error_of_the_endpoint_and_run_nothing(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME, OSLO]])
        thread = await open_thread(subject)
        assert len(await thread.send()) == 2
        assert await thread.answer(Approve(), Approve()) == "error"
        fault = (await thread.conversation()).fault
        assert fault is not None
        assert "multiple pending interrupts" in fault.message
        assert subject.ran == []
        assert {call.status for call in (await thread.calls()).values()} == {"sent"}

    @pytest.mark.parametrize("value", [0, False, "", [], [1, 2], 3.5, "two", {"nights": 2}])
    async def test_any_answer_arrives_as_it_was_given_f19(self, open_thread: OpenThread, value: Any) -> None:
        await super().test_any_answer_arrives_as_it_was_given_f19(open_thread, value)

    @pytest.mark.parametrize(("value", "status"), [(None, "error"), ({}, "awaiting_input")])
    async def test_what_the_endpoint_cannot_take_as_an_answer_leaves_the_thread_usable(
        self, open_thread: OpenThread, value: Any, status: str
    ) -> None:
        subject = Subject(turns=[[ASK]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Answer(value)) == status
        assert subject.heard == []

    async def test_edited_arguments_are_what_runs_and_the_model_is_told(
        self, open_thread: OpenThread
    ) -> None:
        """Without the edit notice: the result is the remote tool's own. The card shows the change."""
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve(edited_args=LONGER)) == "idle"
        assert subject.ran == [("book", LONGER)]
        call = (await thread.calls())["call-1a"]
        assert call.result == "Booked 5 nights in Rome."
        assert call.decision is not None
        assert (call.decision.verdict, '"nights": 5' in call.decision.after_text) == ("edited", True)

    async def test_a_model_that_fails_after_the_tool_leaves_a_doubt_since_no_result_was_told_f29(
        self, open_thread: OpenThread
    ) -> None:
        subject = Subject(turns=[[ROME]], model_fails=1)
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve()) == "error"
        assert (await thread.calls())["call-1a"].status == "sent"
        assert subject.ran == [ROME]

    async def test_a_tool_that_raises_after_the_yes_is_not_run_again(self, open_thread: OpenThread) -> None:
        """By us: the yes is in doubt and does not travel again. What the endpoint keeps is its own."""
        subject = Subject(turns=[[ROME]], tool_raises=1)
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve()) == "error"
        fault = (await thread.conversation()).fault
        assert fault is not None
        assert "the card service is down" in fault.message
        assert (await thread.calls())["call-1a"].status == "sent"
        assert subject.ran == [ROME]
