"""Steps that a person can follow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from reflex_agentkit.cli.steps import Step, StepFailedError, guarded, run


def test_a_step_says_when_it_begins_and_how_long_it_took(capsys: pytest.CaptureFixture[str]) -> None:
    with Step("Baking"):
        pass
    begun, done = capsys.readouterr().out.splitlines()
    assert begun == "• Baking ..."
    assert done.startswith("  done after ")


def test_a_step_that_breaks_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="flour"), Step("Baking"):
        raise ValueError("no flour")
    assert "failed after" in capsys.readouterr().out


def test_the_output_of_a_command_is_kept_in_its_file(tmp_path: Path) -> None:
    log = tmp_path / "logs" / "hello.log"
    run("Greeting", [sys.executable, "-c", "print('hello')"], log=log)
    assert log.read_text().strip() == "hello"


def test_a_command_that_fails_shows_its_last_words_and_the_one_thing_to_do(tmp_path: Path) -> None:
    program = "import sys; [print('line', n) for n in range(100)]; sys.exit(3)"
    with pytest.raises(StepFailedError) as failed:
        run(
            "Counting",
            [sys.executable, "-c", program],
            log=tmp_path / "log",
            advice=lambda said: f"Do {len(said)}.",
        )
    words = str(failed.value)
    assert "Counting failed" in words
    assert "line 99" in words
    assert "line 50" not in words
    assert words.endswith("Do 790.")


def test_without_an_advice_the_file_with_the_whole_output_is_named(tmp_path: Path) -> None:
    with pytest.raises(StepFailedError, match=r"Read the whole output in .*my\.log"):
        run("Failing", [sys.executable, "-c", "raise SystemExit(1)"], log=tmp_path / "my.log")


def test_a_program_ends_with_words_and_not_with_a_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    def broken() -> int:
        raise StepFailedError("The oven is cold. Heat it.")

    def stopped() -> int:
        raise KeyboardInterrupt

    assert guarded(broken) == 1
    assert "The oven is cold. Heat it." in capsys.readouterr().err
    assert guarded(stopped) == 130
    assert guarded(lambda: 0) == 0


def test_a_request_to_end_is_heard_even_by_a_program_in_the_background() -> None:
    program = (
        "import os, signal; from reflex_agentkit.cli.steps import guarded\n"
        "signal.signal(signal.SIGINT, signal.SIG_IGN)\n"
        "def work():\n    os.kill(os.getpid(), signal.SIGINT); signal.pause()\n"
        "raise SystemExit(guarded(work))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (130, "Stopped.", "")
