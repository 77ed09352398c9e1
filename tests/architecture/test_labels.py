"""Every word on the page has a label, and every label is on the page."""

from __future__ import annotations

import re

from reflex_agentkit.labels.english import ENGLISH
from tests.architecture.house import SOURCE

KEY = r"[a-z_]+(?:\.[a-z_]+)+"
GROUPS = {key.split(".")[0] for key in ENGLISH}


def _written() -> dict[str, str]:
    """The texts of all modules that speak to people, by file, without the labels themselves."""
    files = [path for kind in ("*.jsx", "*.js", "*.py") for path in (SOURCE / "components").rglob(kind)]
    return {path.name: path.read_text(encoding="utf-8") for path in files}


def test_every_label_that_a_component_asks_for_exists() -> None:
    asked = {
        f"{name}: {key}"
        for name, text in _written().items()
        for key in re.findall(rf"""\bt(?:\.n)?\(\s*["']({KEY})["']""", text)
        if key not in ENGLISH
    }
    assert asked == set()


def test_every_label_is_used() -> None:
    texts = "\n".join(_written().values())
    whole = set(re.findall(rf"""["'`]({KEY})["'`]""", texts))
    begun = {
        start
        for start in re.findall(r"""["'`]([a-z_]+(?:\.[a-z_]+)*[._])\$?\{""", texts)
        if start.split(".")[0] in GROUPS
    }
    ended = set(re.findall(r"`\$\{[^}`]+\}(\.[a-z_]+)`", texts))
    unused = [
        key
        for key in ENGLISH
        if key != "locale"
        and key.removesuffix(".one") not in whole
        and not any(key.startswith(start) for start in begun)
        and not any(key.endswith(end) for end in ended)
    ]
    assert unused == []
