"""The scripts run with a bare Python, and say what to do when something is missing."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from reflex_agentkit.cli.steps import StepFailedError
from steps import chromium, environment
from steps.demo import provider_packages
from steps.environment import ROOT, make, members, python_of

SCRIPTS = ["check", "demo", "test"]


def sh(script: str, *arguments: str, **env: str) -> subprocess.CompletedProcess[str]:
    command = ["/bin/sh", str(ROOT / "scripts" / script), *arguments]
    return subprocess.run(
        command, env={"LANG": "C.UTF-8", **env}, capture_output=True, text=True, check=False
    )


def fake(folder: Path, name: str, text: str) -> Path:
    """A program of this name that does what the shell text says."""
    path = folder / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


@pytest.fixture
def tools(tmp_path: Path) -> Path:
    """A folder for PATH that holds the few tools that every system has, and no Python."""
    for name in ("sh", "dirname"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    return tmp_path


@pytest.mark.parametrize("script", SCRIPTS)
def test_a_script_needs_nothing_but_python(script: str, tools: Path) -> None:
    fake(tools, "python3", f'exec "{sys.executable}" -S -E "$@"')
    done = sh(script, "--help", PATH=str(tools))
    assert (done.returncode, done.stderr) == (0, "")
    assert f"scripts/{script}" in done.stdout


def test_an_old_python_is_passed_over_for_a_newer_one(tools: Path) -> None:
    fake(tools, "python3", "exit 1")
    fake(tools, "python3.12", f'exec "{sys.executable}" -S -E "$@"')
    assert sh("demo", "--help", PATH=str(tools)).returncode == 0


def test_without_a_fitting_python_the_script_says_which_it_needs(tools: Path) -> None:
    fake(tools, "python3", "exit 1")
    done = sh("demo", PATH=str(tools))
    assert done.returncode == 1
    assert "Python 3.11, 3.12 or 3.13 is needed" in done.stderr
    assert "PYTHON=" in done.stderr


@pytest.mark.parametrize("script", [f"scripts/{name}" for name in SCRIPTS] + [".ci/run"])
def test_a_script_can_be_started(script: str) -> None:
    assert os.access(ROOT / script, os.X_OK)


def test_a_python_without_venv_is_told_apart_with_the_line_that_installs_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "executable", str(fake(tmp_path, "python3", "exit 1")))
    monkeypatch.setattr(environment.shutil, "which", lambda _name: None)
    name = f"python3.{sys.version_info.minor}-venv"
    with pytest.raises(StepFailedError, match=f"apt-get install {name}"):
        make(tmp_path / "env", extras=["build"])


def test_packages_that_cannot_be_fetched_are_told_as_a_matter_of_the_network(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    uv = fake(tmp_path, "uv", '[ "$1" = venv ] || { echo "error sending request for url"; exit 2; }')
    monkeypatch.setattr(environment.shutil, "which", lambda _name: str(uv))
    with pytest.raises(StepFailedError, match="Check the network or the proxy, then run this again"):
        make(tmp_path / "env", extras=["build"])


def test_an_environment_is_made_once_and_again_when_what_is_wanted_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ran: list[str] = []

    def run(title: str, _command: list[object], **_: object) -> None:
        ran.append(title)
        python_of(tmp_path / "env").parent.mkdir(parents=True, exist_ok=True)
        python_of(tmp_path / "env").touch()

    monkeypatch.setattr(environment, "run", run)
    make(tmp_path / "env", extras=["build"])
    assert len(ran) == 2
    make(tmp_path / "env", extras=["build"])
    assert len(ran) == 2
    make(tmp_path / "env", extras=["build"], more=["spice"])
    assert ran[2:] == ["Installing spice"]
    make(tmp_path / "env", extras=["build"], more=["spice"])
    assert len(ran) == 3
    make(tmp_path / "env", extras=["build", "pydantic-ai"])
    assert len(ran) == 5


def test_the_packages_for_developers_are_read_from_the_project_file() -> None:
    assert any(package.startswith("pytest>") for package in members(["dev"]))


@pytest.mark.parametrize(
    ("model", "packages"),
    [
        (None, []),
        ("openai:gpt-5-mini", ["pydantic-ai-slim[openai]"]),
        ("anthropic:claude-sonnet-4-5", ["pydantic-ai-slim[anthropic]"]),
        ("google-cloud:gemini-3-pro", ["pydantic-ai-slim[google]"]),
        ("ollama:qwen3", ["pydantic-ai-slim[openai]"]),
    ],
)
def test_a_model_brings_what_its_provider_needs(model: str | None, packages: list[str]) -> None:
    assert provider_packages(model) == packages


def test_a_chromium_that_is_named_and_is_not_there_is_told(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("CHROMIUM", str(tmp_path / "nothing"))
    with pytest.raises(StepFailedError, match="CHROMIUM names"):
        chromium.find_or_install(tmp_path)


def test_where_no_chromium_can_be_had_the_one_thing_to_do_is_named(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("CHROMIUM", raising=False)
    monkeypatch.setattr(chromium.shutil, "which", lambda _name: None)
    with pytest.raises(StepFailedError, match="sudo apt-get install chromium"):
        chromium.find_or_install(tmp_path)
