"""The one line in rxconfig.py."""

from __future__ import annotations

import subprocess
import sys
from types import SimpleNamespace

import pytest

from reflex_agentkit import AgentKit, ConfigurationError
from reflex_agentkit.agents.scripted import ScriptedAgent
from reflex_agentkit.live.channel import NAMESPACE
from reflex_agentkit.live.grants import GRANTS
from reflex_agentkit.plugin import AgentKitPlugin
from tests.state.states import ChatState
from tests.state.test_declare import NoAgentState


class App:
    """What the plugin needs of a Reflex app."""

    def __init__(self) -> None:
        self.namespaces: list = []
        self.tasks: list = []
        self.sio = SimpleNamespace(register_namespace=self.namespaces.append)
        self.register_lifespan_task = self.tasks.append


@pytest.fixture
def only(monkeypatch):
    """A function that makes these the state classes of the app."""

    def choose(*classes: type) -> None:
        monkeypatch.setattr("reflex_agentkit.state.classes.state_classes", lambda: list(classes))

    return choose


async def test_every_worker_opens_the_channel_and_keeps_the_kits_running(only):
    only(ChatState)
    ChatState.kit = kit = AgentKit(ScriptedAgent(), "memory:")
    app = App()
    AgentKitPlugin().post_compile(app=app)
    [live], [lifespan] = app.namespaces, app.tasks
    assert live.namespace == NAMESPACE
    assert kit._sweeper is None
    async with lifespan():
        assert GRANTS.heard
        assert kit._sweeper is not None
    assert kit._sweeper is None
    assert not GRANTS.heard


def test_a_state_without_an_agent_stops_the_start_with_a_word(only):
    only(NoAgentState)
    with pytest.raises(ConfigurationError, match="NoAgentState has no agent"):
        AgentKitPlugin().post_compile(app=App())
    assert not GRANTS.heard


def test_importing_it_imports_no_state_and_no_component():
    rooms = ("reflex_agentkit.state", "reflex_agentkit.components")
    program = (
        "import sys, reflex_agentkit.plugin;"
        f"print([name for name in sys.modules if name.startswith({rooms!r})])"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
