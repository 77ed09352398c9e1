"""The demo's own parts; the page itself is tried in a browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from reflex_agentkit.cli import demo
from reflex_agentkit.cli.demo import lay_out, parser, source
from reflex_agentkit.cli.main import main


def test_the_app_is_laid_out_beside_what_an_earlier_build_left(tmp_path: Path) -> None:
    kept = tmp_path / ".web" / "node_modules" / "kept"
    kept.mkdir(parents=True)
    lay_out(tmp_path)
    assert (tmp_path / "rxconfig.py").is_file()
    assert (tmp_path / "travel" / "travel.py").is_file()
    assert kept.is_dir()


def test_what_a_build_made_in_the_source_is_not_laid_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "app" / ".web").mkdir(parents=True)
    (tmp_path / "app" / "rxconfig.py").touch()
    monkeypatch.setattr(demo, "source", lambda: tmp_path / "app")
    lay_out(tmp_path / "page")
    assert [path.name for path in (tmp_path / "page").iterdir()] == ["rxconfig.py"]


def test_the_source_of_the_demo_is_there() -> None:
    assert (source() / "travel" / "travel.py").is_file()


def test_without_options_it_opens_a_browser_on_any_free_port() -> None:
    options = parser().parse_args([])
    assert (options.port, options.no_browser, options.model, options.check) == (None, False, None, False)


def test_a_model_that_cannot_be_used_is_told_before_anything_is_built(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "environment", lambda: {"PATH": "/usr/bin:/bin"})
    code = demo.main(["--model", "nobody:knows-it", "--folder", str(tmp_path)])
    said = capsys.readouterr().err
    assert code == 1
    assert "Unknown model: nobody:knows-it" in said
    assert "Traceback" not in said
    assert said.endswith("Do what it says, then start again.\n")
    assert "rxconfig.py" not in [path.name for path in tmp_path.iterdir()]


def test_a_program_that_is_not_there_is_answered_with_those_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main(["dance"]) == 2
    assert "demo" in capsys.readouterr().err
    assert main(["--help"]) == 0
    assert "demo" in capsys.readouterr().out
