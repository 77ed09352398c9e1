"""The contract of agents through `HttpAgent`, against pydantic-ai's own AG-UI endpoint."""

from __future__ import annotations

import pytest
from pydantic_ai import DeferredToolRequests
from pydantic_ai.ui.ag_ui import AGUIAdapter
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from reflex_agentkit.agents import HttpAgent
from reflex_agentkit.protocol.verdicts import Approve, Reject
from reflex_agentkit.testing.agent_contract.kit_thread import OpenThread
from reflex_agentkit.testing.agent_contract.script import LONGER, ROME, yes
from reflex_agentkit.testing.agent_contract.wire_thread import WireThread
from reflex_agentkit.testing.agents import ApprovalContract, Build, Subject
from tests.adapters.test_contract_pydantic_ai import agent_of
from tests.remote.serving import Served


def app_of(subject: Subject) -> Starlette:
    agent = agent_of(subject)

    async def endpoint(request: Request) -> Response:
        kinds = [agent.output_type, DeferredToolRequests]
        return await AGUIAdapter.dispatch_request(request, agent=agent, output_type=kinds)

    return Starlette(routes=[Route("/", endpoint, methods=["POST"])])


class TestPydanticAIOverHttp(ApprovalContract):
    @pytest.fixture
    def build(self, serve: Served) -> Build:
        return lambda subject: HttpAgent(serve(app_of(subject)))

    # The tool runs in another process, where nobody can ask `current_answer()`.
    test_what_else_an_answer_holds_reaches_the_tool = None
    test_wire_what_else_an_answer_holds_reaches_the_tool = None

    # The wire words of results, refusals and interrupts are the endpoint's own.
    test_wire_edited_arguments_run_and_the_result_tells_of_them = None
    test_wire_an_approval_names_its_call_and_publishes_the_answer = None
    test_wire_a_refusal_is_the_result = None

    async def test_wire_an_unknown_id_runs_nothing_s07(self, build: Build) -> None:
        """But the endpoint takes the same entry twice for one; the engine never sends it so."""
        subject = Subject(turns=[[ROME]])
        thread = WireThread(build(subject))
        [asked] = (await thread.send()).interrupts
        for entries in ([yes("nope")], [yes("0" * 32)], [yes("nope"), yes(asked.id)]):
            assert (await thread.go(*entries)).ended == "error"
        assert subject.ran == []
        assert (await thread.go(yes(asked.id))).ended == "success"
        assert subject.ran == [ROME]

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

    @pytest.mark.parametrize(("reason", "said"), [("Too expensive", "Too expensive"), (None, "denied")])
    async def test_a_refusal_runs_nothing_and_is_the_result_f21(
        self, open_thread: OpenThread, reason: str | None, said: str
    ) -> None:
        """In the endpoint's own words, which do not say to leave it."""
        subject = Subject(turns=[[ROME]])
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Reject(reason)) == "idle"
        assert subject.ran == []
        call = (await thread.calls())["call-1a"]
        assert call.status == "rejected"
        assert said in (call.result or "")

    async def test_a_tool_that_raises_after_the_yes_is_not_run_again(self, open_thread: OpenThread) -> None:
        """The endpoint says only that it was interrupted; the yes does not travel again."""
        subject = Subject(turns=[[ROME]], tool_raises=1)
        thread = await open_thread(subject)
        await thread.send()
        assert await thread.answer(Approve()) == "error"
        fault = (await thread.conversation()).fault
        assert fault is not None
        assert "the card service is down" in fault.message
        assert "interrupted" in ((await thread.calls())["call-1a"].result or "")
        await thread.kit.retry(thread.thread_id)
        assert (await thread.wait(), subject.ran) == ("idle", [ROME])
