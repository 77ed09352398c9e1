"""The JavaScript of the components, read as text: what it imports and which labels it asks for."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from reflex_agentkit.components import bundle

FOLDER = Path(bundle.__file__).parent
MODULES = tuple(name for name in bundle.FILES if not name.endswith(".css"))

_IMPORT = re.compile(r"""(?:from|import)\s*\(?\s*["']([^"']+)["']""")
_COMMENT = re.compile(r"/\*.*?\*/|^\s*//.*?$", re.DOTALL | re.MULTILINE)
_LABEL = re.compile(r"""["'`]([a-z]+\.[A-Za-z_0-9$]+(?:\.one)?)(?:["'`]|\{)""")


@cache
def code(name: str) -> str:
    """A module without its comments."""
    return _COMMENT.sub("", (FOLDER / name).read_text(encoding="utf-8"))


def imports(name: str) -> set[str]:
    return set(_IMPORT.findall(code(name)))


def labels(name: str) -> set[str]:
    """Keys of labels that a module names; `status.$` where the end is made at run time."""
    found = set(_LABEL.findall(code(name)))
    return {key for key in found if not key.endswith((".jsx", ".js", ".css"))}


def reached(name: str) -> set[str]:
    """A module and all of ours that it imports, now or when needed."""
    seen: set[str] = set()
    waiting = [name]
    while waiting:
        here = waiting.pop()
        if here in seen or here not in MODULES:
            continue
        seen.add(here)
        waiting.extend(one.removeprefix("./") for one in imports(here) if one.startswith("./"))
    return seen
