"""Start one of the programs in `steps`. The shell scripts beside this file find a Python for it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT / "scripts"), str(ROOT / "src")]

from steps import check, demo, test  # noqa: E402  (the path above comes first)

PROGRAMS: dict[str, Callable[[Sequence[str]], int]] = {
    "check": check.main,
    "demo": demo.main,
    "test": test.main,
}

if __name__ == "__main__":
    if len(sys.argv) < 2 or sys.argv[1] not in PROGRAMS:
        sys.exit(f"usage: python scripts/run.py {'|'.join(PROGRAMS)} [options]")
    sys.exit(PROGRAMS[sys.argv[1]](sys.argv[2:]))
