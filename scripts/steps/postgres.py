"""Find a PostgreSQL server for the tests that keep checkpoints in one, or install Debian's."""

from __future__ import annotations

import shutil
from pathlib import Path

from reflex_agentkit.cli.steps import StepFailedError
from steps.debian import can_install, install_packages

DEBIAN = Path("/usr/lib/postgresql")
"""Where Debian keeps the server's programs, in a folder a version and not on the path."""

TESTS = "tests/adapters/langgraph/test_langgraph_postgres.py"


def is_there() -> bool:
    """Whether a server can be started here."""
    return shutil.which("initdb") is not None or any(DEBIAN.glob("*/bin/initdb"))


def find_or_install(logs: Path) -> None:
    """Make sure that a server can be started.

    Raises:
        StepFailedError: there is none, and this program may not install one.
    """
    if not is_there() and can_install():
        install_packages("PostgreSQL", ["postgresql"], logs)
    if not is_there():
        raise StepFailedError(
            "Some tests need a PostgreSQL server, and none was found.\n"
            "On Debian and Ubuntu install it with: sudo apt-get install postgresql\n"
            "Elsewhere put the folder of initdb and pg_ctl on PATH. Without a server: scripts/test quick"
        )
