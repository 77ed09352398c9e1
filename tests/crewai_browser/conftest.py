"""The example of a CrewAI flow, built and served, and a real Chromium. Runs where CrewAI is."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.architecture.house import ROOT
from tests.browser.conftest import CHROMIUM_FLAGS, Served, free_port

collect_ignore_glob = [] if importlib.util.find_spec("crewai") else ["test_*"]


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder: Path = tmp_path_factory.mktemp("crew") / "crew_schedule"
    leave_out = shutil.ignore_patterns(".web", "__pycache__", ".states", "remote")
    shutil.copytree(ROOT / "examples" / "crew_schedule", folder, ignore=leave_out)
    os.environ["CREWAI_STORAGE_DIR"] = str(folder)
    app = Served(folder, free_port())
    try:
        app.start()
        yield app
    finally:
        app.stop()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        made = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield made
        made.close()


@pytest.fixture
def page(browser: Browser, served: Served) -> Iterator[Page]:
    errors: list[str] = []
    context = browser.new_context(viewport={"width": 1280, "height": 800})
    page = context.new_page()
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto(served.url)
    page.get_by_role("textbox", name="Message", include_hidden=True).wait_for()
    # The user's latest thread opens by itself.
    page.get_by_role("button", name="New conversation").click()
    yield page
    context.close()
    assert errors == []
