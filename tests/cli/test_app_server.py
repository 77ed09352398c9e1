"""Serving an app on one port of this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from reflex_agentkit.cli import app_server
from reflex_agentkit.cli.app_server import HOST, choose_port, environment, served, stop
from reflex_agentkit.cli.steps import StepFailedError


@pytest.fixture
def taken() -> Iterator[int]:
    """A port that somebody listens on."""
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_a_wanted_port_that_is_taken_is_refused(taken: int) -> None:
    with pytest.raises(StepFailedError, match=f"Port {taken} is taken. Choose another with --port"):
        choose_port(taken)


def test_a_port_that_cannot_be_is_refused() -> None:
    with pytest.raises(StepFailedError, match="Port 70000"):
        choose_port(70000)


def test_without_a_wish_a_taken_port_is_passed_over(taken: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_server, "FIRST_PORT", taken)
    assert taken < choose_port() < taken + app_server.PORTS


def test_where_the_tool_chain_is_missing_the_line_that_installs_it_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(StepFailedError, match=r"reflex-agentkit\[build,pydantic-ai\]"):
        environment()


def test_the_server_gets_the_tool_chain_of_its_own_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bun = tmp_path / "bun"
    bun.write_text("#!/bin/sh\n")
    bun.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    monkeypatch.setenv("REFLEX_BACKEND_ONLY", "true")
    env = environment()
    assert env["REFLEX_BUN_PATH"] == str(bun)
    assert env["PATH"].split(os.pathsep)[0] == str(tmp_path)
    assert env["REFLEX_TELEMETRY_ENABLED"] == "false"
    assert "REFLEX_BACKEND_ONLY" not in env


def test_an_app_that_does_not_start_tells_why_and_leaves_nothing_running(tmp_path: Path) -> None:
    (tmp_path / "rxconfig.py").write_text("raise RuntimeError('this app is broken on purpose')\n")
    env = {**os.environ, "REFLEX_TELEMETRY_ENABLED": "false", "REFLEX_BACKEND_ONLY": "false"}
    with pytest.raises(StepFailedError, match="this app is broken on purpose"), served(tmp_path, 1, env):
        pass


@pytest.mark.skipif(not hasattr(os, "killpg"), reason="process groups are of POSIX")
def test_a_server_that_will_not_stop_is_ended_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(app_server, "SECONDS_TO_STOP", 0.2)
    deaf = "import signal as s; [s.signal(n, s.SIG_IGN) for n in (2, 15)]; print('up', flush=True); s.pause()"
    with subprocess.Popen(
        [sys.executable, "-c", deaf], stdout=subprocess.PIPE, start_new_session=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
        stop(process)
        assert process.returncode == -9
