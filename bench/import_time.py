"""How long each part takes to import, as a multiple of the protocol's own models (`ag_ui.core`)."""

from __future__ import annotations

import argparse
import statistics
import subprocess
import sys

FLOOR = "ag_ui.core"
PARTS = (
    "reflex_agentkit",
    "reflex_agentkit.protocol",
    "reflex_agentkit.protocol.fold.dispatch",
    "reflex_agentkit.kit",
    "reflex_agentkit.plugin",
    "reflex",
)
PROGRAM = "import time; begun = time.perf_counter(); import {}; print(time.perf_counter() - begun)"


def seconds(module: str) -> float:
    """One import in an interpreter of its own."""
    command = [sys.executable, "-c", PROGRAM.format(module)]
    return float(subprocess.run(command, capture_output=True, text=True, check=True).stdout)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("--times", type=int, default=9, help="imports of each module (default: %(default)s)")
    times = options.parse_args().times
    taken: dict[str, list[float]] = {module: [] for module in (FLOOR, *PARTS)}
    for _ in range(times):  # in turn, so that a busy moment hits all of them
        for module in taken:
            taken[module].append(seconds(module))
    floor = statistics.median(taken[FLOOR])
    print(f"{'module':42} {'median ms':>10} {'x ' + FLOOR:>12}")
    for module, each in taken.items():
        median = statistics.median(each)
        print(f"{module:42} {median * 1000:10.1f} {median / floor:12.2f}")


if __name__ == "__main__":
    main()
