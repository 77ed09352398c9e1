"""The button that lets a call run says what it will do, and cannot be taken for another one of ours."""

from __future__ import annotations

import json
import subprocess
from functools import cache
from pathlib import Path

import pytest

from reflex_agentkit.labels.english import ENGLISH
from tests.components.bun import program, workplace

ASK = """
import { approveWords } from "./components/act.js";
import { words } from "./components/words.jsx";
const { labels, names } = JSON.parse(await Bun.stdin.text());
const t = words(labels);
console.log(JSON.stringify(names.map((name) => [approveWords(t, name, false), approveWords(t, name, true)])));
"""

SAID = {
    "book_hotel": ("Book hotel", "Book with changes"),
    "bookHotel": ("Book hotel", "Book with changes"),
    "mcp__travel__book_hotel": ("Book hotel", "Book with changes"),
    "travel.book-hotel": ("Book hotel", "Book with changes"),
    "ping": ("Ping", "Ping with changes"),
    "cancel_booking": ("Approve: Cancel booking", "Approve with changes: Cancel booking"),
    "reject": ("Approve: Reject", "Approve with changes: Reject"),
    "please_go_back": ("Approve: Please go back", "Approve with changes: Please go back"),
    "": ("Approve", "Approve with changes"),
    "<b>delete</b>": ("Approve", "Approve with changes"),
    "delete\u202efiles": ("Approve", "Approve with changes"),
    "a_name_that_is_a_whole_sentence": ("Approve", "Approve with changes"),
    "x" * 60: ("Approve", "Approve with changes"),
}


@cache
def said(folder: Path) -> dict[str, tuple[str, str]]:
    (workplace(folder) / "ask.js").write_text(ASK)
    asked = json.dumps({"labels": dict(ENGLISH), "names": list(SAID)})
    # What `words.jsx` needs of React is not used here.
    (folder / "node_modules" / "react").mkdir(parents=True)
    (folder / "node_modules" / "react" / "index.js").write_text("export const useMemo = (make) => make();")
    done = subprocess.run(
        [program(), "run", "--preserve-symlinks", "ask.js"],
        cwd=folder,
        input=asked,
        capture_output=True,
        text=True,
        check=True,
    )
    return {
        name: (plain, changed) for name, (plain, changed) in zip(SAID, json.loads(done.stdout), strict=True)
    }


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("act")


@pytest.mark.parametrize(("name", "words"), SAID.items())
def test_s01_the_button_is_named_by_what_the_tool_does(
    folder: Path, name: str, words: tuple[str, str]
) -> None:
    assert said(folder)[name] == words
