"""Programs from Debian's packages, where this program may install them."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from reflex_agentkit.cli.steps import run
from steps.environment import is_root


def can_install() -> bool:
    """Whether packages can be installed here: Debian's tools, and the right to use them."""
    return shutil.which("apt-get") is not None and is_root()


def install_packages(title: str, packages: list[str], logs: Path) -> None:
    """Install packages of Debian's, with what they need and nothing that they only suggest."""
    quiet = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    run(
        "Asking for the list of Debian packages",
        ["apt-get", "update"],
        log=logs / "apt-update.log",
        env=quiet,
    )
    install = ["apt-get", "install", "--yes", "--no-install-recommends", *packages]
    run(f"Installing {title}", install, log=logs / "apt-install.log", env=quiet)
