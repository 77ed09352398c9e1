"""What can be given to `CrewAIFlowAGUIAgent`, and what is refused when it is built."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import Any

import pytest
from crewai.flow import Flow, HumanFeedbackResult, human_feedback, listen, start
from crewai.flow.persistence import FlowPersistence, SQLiteFlowPersistence
from crewai.flow.persistence.factory import set_flow_persistence_factory
from pydantic import BaseModel

from reflex_agentkit.adapters import crewai
from reflex_agentkit.adapters.crewai import (
    AGUIFlowState,
    CrewAIFlowAGUIAgent,
    agui_feedback_provider,
    answers,
    question,
    tool_request,
)
from reflex_agentkit.errors import ConfigurationError
from reflex_agentkit.testing.agent_contract.script import resolved
from reflex_agentkit.testing.agent_contract.wire_thread import WireThread
from tests.crewai_env.talk import error_of, thread_of


class Count(BaseModel):
    runs: list[int] = []


class Counting(Flow[Count]):
    greeting: str = "hello"

    @start()
    @human_feedback(message="More?", provider=agui_feedback_provider)
    def ask(self) -> str:
        self.state.runs.append(len(self.state.runs))
        return self.greeting

    @listen(ask)
    def take(self, result: HumanFeedbackResult) -> None:
        self.state.runs.append(int(result.feedback))


@pytest.mark.parametrize("kind", ["class", "factory", "instance"])
async def test_every_run_gets_its_own_copy(persistence: SQLiteFlowPersistence, kind: str) -> None:
    instance = Counting(greeting="hi", initial_state=Count(runs=[]))
    source: Any = {"class": Counting, "factory": lambda: Counting(greeting="hi"), "instance": instance}[kind]
    agent = CrewAIFlowAGUIAgent(source, persistence=persistence)
    threads = [WireThread(agent, f"thread-{number}") for number in range(3)]
    for number, thread in enumerate(threads):
        [asked] = (await thread.send()).interrupts
        output = (asked.metadata or {})["crewai"]["output"]
        assert output == ("hello" if kind == "class" else "hi")
        await thread.go(resolved(asked.id, str(number)))
        assert thread.state == {"runs": [0, number]}
    assert instance.state.runs == []


async def test_the_state_that_an_instance_begins_with_is_not_shared(
    persistence: SQLiteFlowPersistence,
) -> None:
    class Noting(Flow[dict[str, Any]]):
        @start()
        def note(self) -> None:
            self.state["runs"].append("a run")

    agent = CrewAIFlowAGUIAgent(Noting(initial_state={"runs": []}), persistence=persistence)
    for number in range(2):
        thread = WireThread(agent, f"thread-{number}")
        await thread.send()
        assert thread.state == {"runs": ["a run"]}


async def test_without_a_persistence_it_is_the_flows_own_or_crewais_default(
    persistence: SQLiteFlowPersistence,
) -> None:
    thread = WireThread(CrewAIFlowAGUIAgent(Counting(persistence=persistence)))
    await thread.send()
    assert persistence.load_pending_feedback("thread-1") is not None
    set_flow_persistence_factory(lambda: persistence)
    try:
        await WireThread(CrewAIFlowAGUIAgent(Counting), "thread-2").send()
    finally:
        set_flow_persistence_factory(None)
    assert persistence.load_pending_feedback("thread-2") is not None


class Forgetful(FlowPersistence):
    def init_db(self) -> None: ...

    def save_state(self, flow_uuid: str, method_name: str, state_data: Any) -> None: ...

    def load_state(self, flow_uuid: str) -> None: ...


class Needs(Flow[AGUIFlowState]):
    where: str

    @start()
    def begin(self) -> None: ...


SAME = Counting()


@pytest.mark.parametrize(
    ("flow", "options", "said"),
    [
        (object(), {}, "Give a Flow class"),
        (int, {}, "int is not a CrewAI Flow"),
        (Needs, {}, r"lambda: Needs\(where=...\)"),
        (lambda: 3, {}, "The factory gave int"),
        (lambda: SAME, {}, "the same flow every time"),
        (lambda: 1 / 0, {}, "ZeroDivisionError"),
        (Counting, {"persistence": object()}, "not a FlowPersistence"),
        (Counting, {"persistence": Forgetful()}, "Forgetful does not keep pauses"),
        (Flow(), {}, "Give a factory"),
    ],
)
def test_what_cannot_work_is_refused_when_it_is_built(flow: Any, options: Any, said: str) -> None:
    with pytest.raises(ConfigurationError, match=said):
        CrewAIFlowAGUIAgent(flow, **options)


def test_arguments_that_are_not_json_cannot_be_asked_about() -> None:
    with pytest.raises(ConfigurationError, match="cannot be shown"):
        tool_request("c", "buy", {"what": object()})


def test_a_deadline_needs_a_zone() -> None:
    with pytest.raises(ConfigurationError, match="has no zone"):
        question("Quick?", expires_at=datetime(2030, 1, 1))


async def test_a_broken_request_fails_the_run_and_leaves_no_pause(persistence: SQLiteFlowPersistence) -> None:
    def asking(output: Any) -> type[Flow[AGUIFlowState]]:
        class Asking(Flow[AGUIFlowState]):
            @start()
            @human_feedback(message="?", provider=agui_feedback_provider)
            def ask(self) -> Any:
                return output

        return Asking

    for output, said in (
        ([tool_request("c", "buy", {}), tool_request("c", "sell", {})], "twice"),
        ([question("How?"), "and more"], "something else"),
        ({"aguiRequest": "tool", "toolName": "buy"}, "is not a request"),
    ):
        thread = thread_of(asking(output), persistence)
        error = error_of(await thread.send())
        assert error.code == "configuration"
        assert said in error.message
        assert persistence.load_pending_feedback("thread-1") is None


async def test_an_answer_is_read_only_in_the_run_that_carries_it(persistence: SQLiteFlowPersistence) -> None:
    result = HumanFeedbackResult(output=None, feedback="", method_name="ask")
    with pytest.raises(ConfigurationError, match="not run by one"):
        answers(result)

    class Reads(Flow[AGUIFlowState]):
        @start()
        def ask(self) -> None:
            answers(result)

    assert "carries no answer to 'ask'" in error_of(await thread_of(Reads, persistence).send()).message


async def test_the_console_is_never_waited_for(
    persistence: SQLiteFlowPersistence, caplog: pytest.LogCaptureFixture
) -> None:
    said: list[Any] = []

    class Console(Flow[AGUIFlowState]):
        @start()
        def begin(self) -> None:
            said.append(self.ask("Really?"))

    assert (await thread_of(Console, persistence).send()).ended == "success"
    assert said == [None]
    assert "Ask with @human_feedback" in caplog.text


def test_without_crewai_the_adapter_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    import importlib

    from reflex_agentkit.errors import AdapterNotInstalledError

    adapter = "reflex_agentkit.adapters.crewai"
    for name in [name for name in sys.modules if name.startswith(adapter)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "crewai.flow.persistence", None)
    with pytest.raises(AdapterNotInstalledError, match=r'^pip install "reflex-agentkit\[crewai\]"$'):
        importlib.import_module(adapter)


def test_every_public_name_is_bound() -> None:
    assert [name for name in crewai.__all__ if not hasattr(crewai, name)] == []
