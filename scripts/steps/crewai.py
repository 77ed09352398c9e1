"""The tests of the CrewAI adapter. CrewAI excludes packages of other adapters, so it has an environment."""

from __future__ import annotations

from pathlib import Path

from reflex_agentkit.cli.steps import run
from steps.environment import ROOT, make

FOLDER = ROOT / ".venv-test-crewai"
TESTS = "tests/crewai_env"
"""The tests, and how pyright reads the adapter: the main environment's settings leave it out."""

BROWSER_TESTS = "tests/crewai_browser"


def environment() -> Path:
    """The environment with CrewAI beside Reflex; gives its Python."""
    return make(FOLDER, extras=["build", "crewai"], groups=["test-crewai"])


def check_types(python: Path) -> None:
    """Types of the adapter, which only this environment can read.

    Raises:
        StepFailedError: something is wrong.
    """
    types = [python, "-m", "pyright", "--pythonpath", python, "--project", TESTS]
    log = FOLDER / "types.log"
    run("Checking types of the CrewAI adapter", types, log=log, cwd=ROOT, advice=_as_shown)


def _as_shown(_output: str) -> str:
    return "Correct what is listed above, then run this again."
