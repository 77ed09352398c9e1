"""A production build of the test app, served on one port for all browser tests, and a real Chromium.

These tests run in a pytest process of their own: Playwright's synchronous interface and an asyncio test
runner do not share one.
"""

from __future__ import annotations

import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

HERE = Path(__file__).parent
PICTURES = HERE / "pictures"
CHROMIUM_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
BUILD_SECONDS = 240
_PERSONS = itertools.count(1)


def free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


@dataclass
class Served:
    """The running app: where it is, what its agents noted, and how to start it anew."""

    folder: Path
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / "noted.jsonl"

    def noted(self, kind: str) -> list[dict]:
        lines = self.log.read_text().splitlines() if self.log.exists() else []
        return [note for line in lines if (note := json.loads(line))["kind"] == kind]

    def start(self) -> None:
        bin_folder = Path(sys.executable).parent
        environment = {
            **os.environ,
            "PATH": f"{bin_folder}{os.pathsep}{os.environ['PATH']}",
            "AGENTKIT_TEST_LOG": str(self.log),
            "REFLEX_TELEMETRY_ENABLED": "false",
            "REFLEX_CHECK_LATEST_VERSION": "false",
        }
        environment.pop("REFLEX_BACKEND_ONLY", None)
        if (bin_folder / "bun").exists():
            environment["REFLEX_BUN_PATH"] = str(bin_folder / "bun")
        port = str(self.port)
        command = ["run", "--env", "prod", "--frontend-port", port, "--backend-port", port]
        with (self.folder / "server.log").open("ab") as output:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "reflex", *command],
                cwd=self.folder,
                env=environment,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        self._wait()

    def _wait(self) -> None:
        until = time.monotonic() + BUILD_SECONDS
        while time.monotonic() < until:
            if self.process is None or self.process.poll() is not None:
                break
            try:
                urllib.request.urlopen(f"{self.url}/ping", timeout=1).close()
            except OSError:
                time.sleep(0.1)
            else:
                return
        said = (self.folder / "server.log").read_text()[-4000:]
        pytest.fail(f"the test app did not come up:\n{said}", pytrace=False)

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        if self.process is None:
            return
        os.killpg(self.process.pid, how)
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self.process = None


def _serving(name: str, paths: pytest.TempPathFactory) -> Iterator[Served]:
    folder = paths.mktemp(name) / name
    shutil.copytree(HERE / name, folder, ignore=shutil.ignore_patterns(".web", "__pycache__", ".states"))
    app = Served(folder, free_port())
    try:
        app.start()
        yield app
    finally:
        app.stop()


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    yield from _serving("app", tmp_path_factory)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = os.environ.get("CHROMIUM", "/usr/bin/chromium")
        made = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_FLAGS)
        yield made
        made.close()


@pytest.fixture
def open_page(browser: Browser, served: Served) -> Iterator:
    """A function that opens a path in a browser profile of its own; a page that raises fails the test."""
    contexts, errors = [], []

    def open_(path: str = "/", *, context=None, **options) -> Page:
        if context is None:
            context = browser.new_context(**({"viewport": {"width": 1280, "height": 800}} | options))
            contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(served.url + path)
        page.get_by_role("textbox", name="Message", include_hidden=True).wait_for()
        return page

    def open_new(path: str = "/", **options) -> Page:
        """The same, as somebody who was never here."""
        return open_(f"{path}?user=person-{next(_PERSONS)}", **options)

    open_.new = open_new
    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors


@pytest.fixture(scope="session")
def picker(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    yield from _serving("picker", tmp_path_factory)


@pytest.fixture(scope="session")
def gallery(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    yield from _serving("gallery", tmp_path_factory)


@pytest.fixture
def scene(browser: Browser, gallery: Served) -> Iterator[Callable[..., Page]]:
    contexts, errors = [], []

    def open_(
        name: str,
        width: int = 1280,
        height: int = 800,
        scheme: str = "light",
        *,
        clock: bool = False,
        blocked: str = "",
    ) -> Page:
        """A page of the gallery. With `clock` its timers wait for the test; `blocked` never loads."""
        viewport = {"width": width, "height": height}
        context = browser.new_context(viewport=viewport, color_scheme=scheme, reduced_motion="reduce")
        contexts.append(context)
        page = context.new_page()
        if blocked:
            page.route(re.compile(blocked), lambda route: route.abort())
        if clock:
            page.clock.install()
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(f"{gallery.url}/{name}")
        page.locator("[data-ak-composer]").wait_for()
        if clock:
            page.locator("[data-interrupt], .ak-custom").first.wait_for()
            # Far enough ahead for a slow machine: the clock cannot be stopped at a time that is over.
            page.clock.pause_at(page.evaluate("new Date(Date.now() + 5000).toISOString()"))
        return page

    yield open_
    for context in contexts:
        context.close()
    assert not errors, errors
