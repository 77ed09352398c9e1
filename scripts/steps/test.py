"""`scripts/test`: checks, unit tests, browser tests, and the wheel in an environment of its own."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from reflex_agentkit.cli.steps import Step, StepFailedError, guarded
from steps import chromium as chromiums
from steps import crewai, postgres, remote
from steps.check import FOLDER, LOGS, environment, read_over
from steps.environment import ROOT, build_wheel, install, make_empty, python_of

NO_TESTS = 5  # pytest's exit code when there was nothing to run


def main(arguments: Sequence[str]) -> int:
    """Run the tests; gives the exit code, 0 only if all of them passed."""
    options = argparse.ArgumentParser(prog="scripts/test", description="Run everything that can fail.")
    options.add_argument(
        "what", nargs="?", choices=["all", "quick"], default="all", help="quick: no browser, no wheel"
    )
    options.add_argument("rest", nargs=argparse.REMAINDER, help="arguments for pytest, after --")
    chosen = options.parse_args(arguments)
    rest = [argument for argument in chosen.rest if argument != "--"]
    return guarded(lambda: _test(chosen.what == "quick", rest))


def _test(quick: bool, rest: list[str]) -> int:
    python = environment()
    chromium = None if quick else chromiums.find_or_install(LOGS)
    left_out = _without_postgres(quick)
    others = {} if quick else remote.pythons()
    if quick:
        print("• A quick run leaves out what has its own environment: CrewAI and remote agents.", flush=True)
        left_out.append(f"--ignore={remote.TESTS}")
    failed: list[str] = []
    for title, part in (
        ("lint, format and types", lambda: read_over(python)),
        ("tests", lambda: _pytest(python, ["tests", "--ignore=tests/browser", *left_out, *rest], **others)),
        (
            "browser tests",
            lambda: _pytest(python, ["tests/browser", *rest], CHROMIUM=chromium) if chromium else None,
        ),
        ("the CrewAI adapter", lambda: _crewai(rest, chromium) if chromium else None),
        ("the wheel", lambda: None if quick else _wheel()),
    ):
        try:
            part()
        except StepFailedError as error:
            print(f"\n{error}\n", file=sys.stderr, flush=True)
            failed.append(title)
    print("\nEverything passed." if not failed else f"\nNot well: {', '.join(failed)}.", flush=True)
    return 1 if failed else 0


def _without_postgres(quick: bool) -> list[str]:
    """What the tests leave out: nothing, but in a quick run on a machine without a PostgreSQL server."""
    if not quick:
        postgres.find_or_install(LOGS)
    if postgres.is_there():
        return []
    print("• There is no PostgreSQL server here: a quick run leaves out the tests that need one.", flush=True)
    return [f"--ignore={postgres.TESTS}"]


def _pytest(python: Path, arguments: Sequence[str], **variables: str) -> None:
    """Run pytest in a process of its own, for all to see: Playwright and pytest-asyncio do not share one."""
    path = f"{python.parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    env = {**os.environ, "PATH": path, **variables}
    print(f"• pytest {' '.join(arguments)}", flush=True)
    code = subprocess.run([python, "-m", "pytest", *arguments], cwd=ROOT, env=env, check=False).returncode
    if code == NO_TESTS:
        raise StepFailedError(f"pytest found no tests in {arguments[0]}.")
    if code != 0:
        raise StepFailedError(f"Tests failed in {arguments[0]}: pytest lists them above.")


def _crewai(rest: Sequence[str], chromium: str) -> None:
    """Types, tests and browser tests of the CrewAI adapter, where CrewAI is."""
    python = crewai.environment()
    crewai.check_types(python)
    _pytest(python, [crewai.TESTS, *rest])
    _pytest(python, [crewai.BROWSER_TESTS, *rest], CHROMIUM=chromium)


def _wheel() -> None:
    """Build the wheel, install it where nothing of the repository is, and import it there."""
    clean = FOLDER / "clean"
    wheel = build_wheel(FOLDER, FOLDER / "dist")
    make_empty(clean)
    install(clean, [f"{wheel}[pydantic-ai]"], "Installing the wheel there")
    with Step("Importing it there"):
        probe = [python_of(clean), "-I", ROOT / "tests" / "scripts" / "wheel_probe.py"]
        done = subprocess.run(probe, cwd=clean, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise StepFailedError(f"The wheel is not whole:\n{done.stdout}{done.stderr}")
