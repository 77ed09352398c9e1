"""Find a Chromium for the browser tests, or install Debian's."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from reflex_agentkit.cli.steps import StepFailedError
from steps.debian import can_install, install_packages

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome", "msedge")
PLACES = (
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)


def find_or_install(logs: Path) -> str:
    """The path of a Chromium: `$CHROMIUM`, one that is installed, or the one that apt-get installs now.

    Raises:
        StepFailedError: there is none, and this program may not install one.
    """
    named = os.environ.get("CHROMIUM")
    if named:
        found = shutil.which(named)
        if found is None:
            raise StepFailedError(
                f"CHROMIUM names {named!r}, which is not a program. Correct it, or unset it."
            )
        return found
    found = _installed()
    if found is None and can_install():
        install_packages("Chromium", ["chromium"], logs)
        found = _installed()
    if found is None:
        raise StepFailedError(
            "The browser tests need Chromium or Chrome, and none was found.\n"
            "On Debian and Ubuntu install it with: sudo apt-get install chromium\n"
            "Elsewhere install Chrome, or set CHROMIUM to its path. Without a browser: scripts/test quick"
        )
    return found


def _installed() -> str | None:
    return next((path for name in (*NAMES, *PLACES) if (path := shutil.which(name))), None)
