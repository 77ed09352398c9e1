"""The same pairs of schema and value as in `tests/components/test_verdicts.py`, judged by Chromium."""

from __future__ import annotations

import mimetypes
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from playwright.sync_api import Browser, Page, Route

from tests.browser.conftest import HERE
from tests.components.javascript import FOLDER
from tests.components.made_schemas import hard_pairs, pairs, servers_verdict, text_pairs

JUDGE = HERE.parent / "components" / "judge.js"
PAGE = (
    '<!doctype html><script type="module">import { judge } from "./judge.js"; window.judge = judge;</script>'
)


def serve(route: Route) -> None:
    name = Path(route.request.url).name
    if name == "page":
        route.fulfill(body=PAGE, content_type="text/html")
        return
    path = JUDGE if name == "judge.js" else FOLDER / name
    route.fulfill(path=path, content_type=mimetypes.types_map[".js"])


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    context = browser.new_context()
    made = context.new_page()
    made.route("http://verdicts.test/**", serve)
    made.goto("http://verdicts.test/page")
    made.wait_for_function("() => window.judge !== undefined")
    yield made
    context.close()


@settings(
    max_examples=1000, derandomize=True, deadline=None, database=None, suppress_health_check=list(HealthCheck)
)
@given(pair=pairs())
def test_the_browser_and_the_server_agree_on_a_thousand_pairs(page: Page, pair: dict[str, Any]) -> None:
    told = page.evaluate("pair => window.judge(pair)", pair)
    assert bool(told) == bool(servers_verdict(pair)), (pair, told)


@pytest.mark.parametrize("pair", hard_pairs(), ids=lambda pair: f"{pair['schema']} {pair['value']}"[:60])
def test_the_browser_and_the_server_agree_where_browsers_reckon_otherwise(
    page: Page, pair: dict[str, Any]
) -> None:
    told = page.evaluate("pair => window.judge(pair)", pair)
    assert bool(told) == bool(servers_verdict(pair)), told


def test_the_browser_and_the_server_agree_on_every_format_and_pattern(page: Page) -> None:
    differing = [
        pair
        for pair in text_pairs()
        if bool(page.evaluate("pair => window.judge(pair)", pair)) != bool(servers_verdict(pair))
    ]
    assert differing == []
