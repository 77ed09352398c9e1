"""What the documents show can be run: code parses, names exist, links lead somewhere."""

from __future__ import annotations

import ast
import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest
from pydantic_ai import Agent

from reflex_agentkit.adapters.pydantic_ai import PydanticAIAgent
from reflex_agentkit.protocol.verdicts import RefusalCode
from tests.architecture.house import ROOT
from tests.support.examples import example

DOCUMENTS = [ROOT / "README.md", ROOT / "AGENTS.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md",
             *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "news").glob("*.md"))]  # fmt: skip
FENCE = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\((?!https?:|#)([^)#]+)[^)]*\)")
KINDS = {"added", "changed", "fixed", "removed", "security"}


ELSEWHERE = ROOT / "docs/crewai.md"
"""Its blocks need CrewAI, so the tests where that is read them."""


def blocks() -> Iterator[tuple[str, str]]:
    for document in DOCUMENTS:
        if document == ELSEWHERE:
            continue
        for number, block in enumerate(FENCE.findall(document.read_text(encoding="utf-8")), 1):
            yield f"{document.relative_to(ROOT)}:{number}", block


@pytest.mark.parametrize(
    ("where", "block"), list(blocks()), ids=lambda value: value if ".md:" in value else ""
)
def test_a_block_of_code_parses_and_imports_what_there_is(where: str, block: str) -> None:
    for node in ast.walk(ast.parse(block, where)):
        if isinstance(node, ast.ImportFrom) and node.module:
            module = importlib.import_module(node.module)
            assert [alias.name for alias in node.names if not hasattr(module, alias.name)] == []
        elif isinstance(node, ast.Import):
            for alias in node.names:
                importlib.import_module(alias.name)


def test_the_first_page_in_the_documents_is_the_one_in_the_examples() -> None:
    shown = "".join(block for where, block in blocks() if where.startswith("docs/index.md"))
    example = (ROOT / "examples/first_page/first_page/first_page.py").read_text(encoding="utf-8")
    tool_and_page = example[example.index("@agent.tool_plain") :]
    assert tool_and_page.strip() in shown
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert tool_and_page[: tool_and_page.index("app = ")].strip() in readme


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda document: document.name)
def test_a_link_leads_to_a_file(document: Path) -> None:
    targets = LINK.findall(document.read_text(encoding="utf-8"))
    assert [target for target in targets if not (document.parent / target).exists()] == []


def test_every_code_of_a_refusal_is_explained() -> None:
    page = (ROOT / "docs/what-can-go-wrong.md").read_text(encoding="utf-8")
    assert [code for code in get_args(RefusalCode) if f"`{code}`" not in page] == []


def test_news_are_one_sentence_with_a_kind() -> None:
    for path in (ROOT / "news").glob("*.md"):
        if path.name == "README.md":
            continue
        assert path.name.split(".")[1] in KINDS, f"{path.name}: the name is what-it-is-about.kind.md"
        assert len(path.read_text(encoding="utf-8").strip().splitlines()) == 1


def test_the_program_without_a_screen_runs_as_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    program = next(block for _, block in blocks() if "async def main" in block)
    example("first_page")
    scripted = importlib.import_module("first_page.scripted")
    agent = Agent(scripted.scripted_model)

    @agent.tool_plain(requires_approval=True)
    def book_hotel(city: str, nights: int) -> str:
        return f"Booked {nights} nights in {city}."

    exec(program, {"agent": agent, "PydanticAIAgent": PydanticAIAgent})
    asked, said = capsys.readouterr().out.splitlines()
    assert asked == "book_hotel {'city': 'Lisbon', 'nights': 2}"
    assert said == "The tool said: Booked 2 nights in Lisbon."
