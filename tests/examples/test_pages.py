"""Every example is an app that can be imported and drawn, without a key and without a network."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.architecture.house import ROOT

ELSEWHERE = {"crew_schedule"}
"""Drawn by `tests/crewai_browser`: CrewAI does not fit into this environment."""

EXAMPLES = sorted({path.parent.name for path in (ROOT / "examples").glob("*/rxconfig.py")} - ELSEWHERE)
DRAW = """
import importlib, sys
import rxconfig
app = importlib.import_module(f"{rxconfig.config.app_name}.{rxconfig.config.app_name}").app
for page in app._unevaluated_pages.values():
    drawn = page.component() if callable(page.component) else page.component
    print(len(str(drawn.render())))
"""


@pytest.mark.parametrize("example", EXAMPLES)
def test_an_example_can_be_drawn(example: str, tmp_path: Path) -> None:
    env = {name: value for name, value in os.environ.items() if "MODEL" not in name and "API_KEY" not in name}
    env |= {"PYTHONPATH": str(ROOT / "examples" / example), "REFLEX_BACKEND_ONLY": "true"}
    command = [sys.executable, "-c", DRAW]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split()[-1]) > 1000


def test_the_first_page_fits_a_screen() -> None:
    text = (ROOT / "examples/first_page/first_page/first_page.py").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 35
