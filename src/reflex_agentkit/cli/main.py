"""`reflex-agentkit`: the programs of this library, by name."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence

from reflex_agentkit.cli import demo

PROGRAMS: Mapping[str, tuple[str, Callable[[Sequence[str]], int]]] = {
    "demo": ("talk to a travel agent that asks before it books", demo.main),
}


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program that the first argument names; gives the exit code, 2 for a name that is not there."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given and given[0] in PROGRAMS:
        return PROGRAMS[given[0]][1](given[1:])
    lines = [f"  {name:8} {about}" for name, (about, _) in PROGRAMS.items()]
    asked_for_help = given[:1] in (["-h"], ["--help"])
    out = sys.stdout if asked_for_help else sys.stderr
    print("usage: reflex-agentkit PROGRAM [options]\n", *lines, sep="\n", file=out)
    return 0 if asked_for_help else 2
