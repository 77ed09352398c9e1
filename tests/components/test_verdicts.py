"""The page and the server come to one verdict: the page's JavaScript, run by bun, beside the desk's check."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from tests.components.bun import program, workplace
from tests.components.made_schemas import hard_pairs, pairs, servers_verdict, text_pairs

LOOP = """
import { judge } from "./judge.js";
for await (const line of console) console.log(JSON.stringify(judge(JSON.parse(line))));
"""

Judge = Callable[[dict[str, Any]], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def judge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Judge]:
    """The page's verdict on a pair."""
    folder = workplace(tmp_path_factory.mktemp("judge"))
    shutil.copy(Path(__file__).parent / "judge.js", folder)
    (folder / "loop.js").write_text(LOOP)
    running = subprocess.Popen(
        [program(), "run", "loop.js"],
        cwd=folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        bufsize=1,
    )
    assert running.stdin
    assert running.stdout
    told, heard = running.stdin, running.stdout

    def ask(pair: dict[str, Any]) -> list[dict[str, Any]]:
        told.write(json.dumps(pair) + "\n")
        told.flush()
        return json.loads(heard.readline())

    yield ask
    told.close()
    heard.close()
    running.wait(10)


@settings(
    max_examples=1000, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(pair=pairs())
def test_the_page_and_the_server_agree_on_a_thousand_pairs(judge: Judge, pair: dict[str, Any]) -> None:
    page, server = judge(pair), servers_verdict(pair)
    assert bool(page) == bool(server), (pair, page, server)


@pytest.mark.parametrize("pair", hard_pairs(), ids=lambda pair: f"{pair['schema']} {pair['value']}"[:60])
def test_the_page_and_the_server_agree_where_browsers_reckon_otherwise(
    judge: Judge, pair: dict[str, Any]
) -> None:
    assert bool(judge(pair)) == bool(servers_verdict(pair))


def test_the_page_and_the_server_agree_on_every_format_and_pattern(judge: Judge) -> None:
    differing = [pair for pair in text_pairs() if bool(judge(pair)) != bool(servers_verdict(pair))]
    assert differing == []


def broken(args: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """The arguments, and each of them missing, null, of another type, and with one that nobody knows."""
    yield args
    yield {**args, "nobody_knows_this": 1}
    for name, value in args.items():
        yield {other: kept for other, kept in args.items() if other != name}
        for wrong in (None, [], 0, "", {"a": 1}, [value]):
            yield {**args, name: wrong}


def test_the_page_and_the_server_agree_about_the_arguments_of_two_hundred_real_tools(judge: Judge) -> None:
    tools = json.loads((Path(__file__).parent / "tool_schemas.json").read_text(encoding="utf-8"))
    assert len(tools) >= 200
    for tool in tools:
        for args in broken(tool["args"]):
            pair = {"schema": json.dumps(tool["schema"]), "value": json.dumps(args), "args": True}
            assert bool(judge(pair)) == bool(servers_verdict(pair)), (tool["from"], args)
