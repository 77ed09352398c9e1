"""The JavaScript and the style sheets of the kit, made known to Reflex in one place.

They lie together so that they can import each other by their file names.
"""

from __future__ import annotations

from pathlib import Path

import reflex as rx

FILES: tuple[str, ...] = tuple(
    sorted(path.name for path in Path(__file__).parent.iterdir() if path.suffix in {".jsx", ".js", ".css"})
)

PATHS: dict[str, str] = {}
for _name in FILES:
    PATHS[_name] = rx.asset(_name, shared=True).importable_path

PARTS_LIBRARY: str = PATHS["parts.jsx"]
"""The module that hands on all components, the heavy ones as shells that fetch themselves."""
MARKDOWN_LIBRARY: str = PATHS["markdown.jsx"]
"""The module that exports `Markdown({text, streaming, labels})`."""
