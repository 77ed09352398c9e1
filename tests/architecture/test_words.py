"""Files name no machine, no registry and no secret; words for people are in one place."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

from tests.architecture.house import ROOT

KINDS = {".py", ".jsx", ".js", ".css", ".toml", ".md", ".json", ".lock", ".sh", ".yml", ".yaml", ".txt", ""}
MACHINE = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|tmp/\w+|opt/\w+|Users/\w+)/")
REGISTRY = re.compile(
    r"pypi\.org|pythonhosted|registry\.npmjs|registry\.yarnpkg|npm\.jsr|index-url|extra-index|proxy\.golang"
)
SECRET = re.compile(
    r"sk-[A-Za-z0-9]{16,}|AKIA[0-9A-Z]{16}|-----BEGIN [A-Z ]*PRIVATE KEY-----|gh[pousr]_\w{30,}"
)


def files() -> Iterator[tuple[Path, str]]:
    """Every text file that belongs to the project: what git has or would take."""
    asked = ["git", "ls-files", "--cached", "--others", "--exclude-standard"]
    listed = subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False)
    paths = listed.stdout.splitlines() or [
        str(path.relative_to(ROOT))
        for folder in ("src", "tests", "docs", "examples")
        for path in (ROOT / folder).rglob("*")
    ]
    for name in paths:
        path = ROOT / name
        if path.is_file() and path.suffix in KINDS and path != Path(__file__):
            yield path.relative_to(ROOT), path.read_text(encoding="utf-8", errors="replace")


def _found(pattern: re.Pattern[str]) -> list[str]:
    return [
        f"{path}:{number}: {match.group()}"
        for path, text in files()
        for number, line in enumerate(text.splitlines(), 1)
        for match in pattern.finditer(line)
    ]


def test_no_file_names_a_folder_of_somebodys_machine() -> None:
    assert _found(MACHINE) == []


def test_no_file_names_a_package_registry() -> None:
    assert _found(REGISTRY) == []


def test_no_file_holds_a_key() -> None:
    assert _found(SECRET) == []
