"""Environments for remote agents' servers that cannot live beside Reflex, or that nothing else here needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from steps.environment import ROOT, install, make_empty, python_of

TESTS = "tests/remote/test_other_environments.py"

REMOTES: Mapping[str, tuple[str, Sequence[str]]] = MappingProxyType(
    {
        "REMOTE_CREWAI_PYTHON": (".venv-test-remote-crewai", ["ag-ui-crewai>=1.0,<1.1", "uvicorn"]),
        "REMOTE_STRANDS_PYTHON": (".venv-test-remote-strands", ["ag-ui-strands>=1.0.2,<1.1", "uvicorn"]),
    }
)
"""The variable by which the tests find each Python, the environment's folder, and what is in it."""


def pythons() -> dict[str, str]:
    """Make the environments that are missing; gives the variables that name their Pythons.

    Raises:
        StepFailedError: an environment could not be made, or a package could not be fetched.
    """
    return {name: str(_python(ROOT / folder, wanted)) for name, (folder, wanted) in REMOTES.items()}


def _python(folder: Path, wanted: Sequence[str]) -> Path:
    stamp, fits = folder / "made-for.txt", "\n".join(wanted)
    if not (stamp.is_file() and stamp.read_text(encoding="utf-8") == fits):
        make_empty(folder)
        install(folder, wanted, f"Installing {wanted[0]} into an environment of its own")
        stamp.write_text(fits, encoding="utf-8")
    return python_of(folder)
