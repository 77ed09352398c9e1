"""The Pythons of the environments in which some remote servers live; `scripts/test` makes them."""

from __future__ import annotations

import os

import pytest

CREWAI = "REMOTE_CREWAI_PYTHON"
STRANDS = "REMOTE_STRANDS_PYTHON"


def python_of(name: str) -> str:
    """The Python that an environment variable names. Without it the test fails; it is not passed over."""
    python = os.environ.get(name, "")
    if not python:
        pytest.fail(
            f"{name} must name the Python of the environment with that server. scripts/test makes it and "
            "sets it; to run the other tests alone, leave out tests/remote/test_other_environments.py.",
            pytrace=False,
        )
    return python
