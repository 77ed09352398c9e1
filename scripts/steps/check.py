"""`scripts/check`: lint, format, types, and the walls of the house."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from reflex_agentkit.cli.steps import guarded, run
from steps.environment import ROOT, make

FOLDER = ROOT / ".venv-test"
LOGS = FOLDER / "logs"
PLACES = ("src", "tests", "scripts", "examples", "bench")


def main(arguments: Sequence[str]) -> int:
    """Check everything that needs no run; gives the exit code."""
    argparse.ArgumentParser(
        prog="scripts/check", description="Lint, format, types, architecture."
    ).parse_args(arguments)
    return guarded(_check)


def _check() -> int:
    python = environment()
    read_over(python)
    walls = [python, "-m", "pytest", "-q", "tests/architecture"]
    run("Holding the walls of the house", walls, log=LOGS / "architecture.log", cwd=ROOT, advice=_as_shown)
    return 0


def environment() -> Path:
    """The environment for checks and tests; gives its Python."""
    return make(FOLDER, extras=["build", "langchain", "openai-agents", "pydantic-ai"], groups=["dev"])


def read_over(python: Path) -> None:
    """Lint, format and types.

    Raises:
        StepFailedError: at the first of them that finds something.
    """
    ruff = [python, "-m", "ruff"]
    lint = [*ruff, "check", *PLACES]
    run("Linting", lint, log=LOGS / "lint.log", cwd=ROOT, advice=lambda _: _try(python, "ruff check --fix"))
    form = [*ruff, "format", "--check", *PLACES]
    run(
        "Looking at the format",
        form,
        log=LOGS / "format.log",
        cwd=ROOT,
        advice=lambda _: _try(python, "ruff format"),
    )
    types = [python, "-m", "pyright", "--pythonpath", python]
    run("Checking types", types, log=LOGS / "types.log", cwd=ROOT, advice=_as_shown)


def _try(python: Path, program: str) -> str:
    return f"Try: {python} -m {program} {' '.join(PLACES)}"


def _as_shown(_output: str) -> str:
    return "Correct what is listed above, then run this again."
