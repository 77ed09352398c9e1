"""Work in steps that a person can follow: what is done, how long it takes, what to do when it fails.

Standard library only, and nothing of ours: the scripts of the repository use it before anything is installed.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import FrameType, TracebackType

LINES_OF_A_LOG = 15
SECONDS_BETWEEN_LINES = 10.0


class StepFailedError(Exception):
    """A step failed. The message says what happened and the one thing to do."""


class Step:
    """A step under way: a title, then the seconds so far, then `done`.

    On a terminal the line is written over; elsewhere a new line comes now and then, so that a log shows life.
    """

    def __init__(self, title: str) -> None:
        self._title = title
        self._begun = time.monotonic()
        self._told = self._begun
        self._live = sys.stdout.isatty()

    def __enter__(self) -> Step:
        print(f"• {self._title} ...", end="" if self._live else "\n", flush=True)
        return self

    def tick(self) -> None:
        """Show that it goes on; call it often."""
        now = time.monotonic()
        if now - self._told < (0.5 if self._live else SECONDS_BETWEEN_LINES):
            return
        self._told = now
        line = f"• {self._title} ... {self.seconds:.0f} s"
        print(f"\r{line}" if self._live else f"  {line[2:]}", end="" if self._live else "\n", flush=True)

    @property
    def seconds(self) -> float:
        """How long it has taken so far."""
        return time.monotonic() - self._begun

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        word = "done" if error is None else "failed" if isinstance(error, Exception) else "stopped"
        line = f"{word} after {self.seconds:.1f} s"
        print(f"\r• {self._title}: {line}" if self._live else f"  {line}", flush=True)


def run(
    title: str,
    command: Sequence[str | Path],
    *,
    log: Path,
    env: Mapping[str, str] | None = None,
    cwd: Path | None = None,
    advice: Callable[[str], str] | None = None,
) -> None:
    """Run a command as a step, its output in a file.

    `advice` gets that output when the command failed and gives the one thing to do.

    Raises:
        StepFailedError: with the end of the output and the advice.
    """
    log.parent.mkdir(parents=True, exist_ok=True)
    with Step(title) as step, log.open("wb") as output:
        process = subprocess.Popen(
            [str(part) for part in command],
            stdout=output, stderr=subprocess.STDOUT, stdin=subprocess.DEVNULL, env=env, cwd=cwd,
        )  # fmt: skip
        try:
            while process.poll() is None:
                step.tick()
                time.sleep(0.1)
        finally:
            if process.poll() is None:
                process.terminate()
                process.wait()
        if process.returncode != 0:
            text = log.read_text(encoding="utf-8", errors="replace")
            raise StepFailedError(failure(title, text, log, advice(text) if advice else ""))


def failure(title: str, output: str, log: Path, advice: str) -> str:
    """The words for a failed step: the end of what it printed, where the rest is, what to do."""
    end = "\n".join(f"    {line}" for line in output.rstrip().splitlines()[-LINES_OF_A_LOG:])
    todo = advice or f"Read the whole output in {shown(log)}."
    return f"{title} failed. It said last:\n{end}\n\n{todo}"


def shown(path: Path) -> str:
    """A path as short as it can be from here."""
    try:
        return os.path.relpath(path)
    except ValueError:
        return str(path)


def guarded(work: Callable[[], int]) -> int:
    """Run a program: a failed step is told in words and gives 1; Ctrl-C, or a request to end, gives 130."""
    # A shell starts background programs deaf to Ctrl-C, so hearing it is not left to chance.
    before = {how: signal.signal(how, _interrupt) for how in (signal.SIGINT, signal.SIGTERM)}
    try:
        return work()
    except StepFailedError as error:
        print(f"\n{error}", file=sys.stderr, flush=True)
        return 1
    except KeyboardInterrupt:
        print("\nStopped.", flush=True)
        return 130
    finally:
        for how, handler in before.items():
            signal.signal(how, handler)


def _interrupt(_number: int, _frame: FrameType | None) -> None:
    raise KeyboardInterrupt
