"""The protocol core stands alone: seen by what a fresh interpreter loads with it, and by what it imports."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import reflex_agentkit.protocol

ROOT = Path(reflex_agentkit.protocol.__file__).parent
MODULES = sorted(ROOT.rglob("*.py"))

FORBIDDEN_LOADS = ("reflex", "sqlalchemy", "pydantic_ai", "langgraph", "httpx", "starlette")
FORBIDDEN_IMPORTS = {
    "time", "random", "secrets", "os", "pathlib", "io", "socket", "asyncio", "threading", "subprocess",
    "http", "requests", "tempfile", "contextvars",
}  # fmt: skip


def dotted(path: Path) -> str:
    parts = path.relative_to(ROOT.parents[1]).with_suffix("").parts
    return ".".join(part for part in parts if part != "__init__")


def test_no_module_of_it_loads_a_screen_a_database_or_a_framework() -> None:
    program = f"import sys, {', '.join(dotted(path) for path in MODULES)}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.split(".")[0] for name in done.stdout.split()}
    assert loaded & set(FORBIDDEN_LOADS) == set()


@pytest.mark.parametrize("path", MODULES, ids=dotted)
def test_a_module_of_it_touches_no_clock_no_chance_no_world(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imported = {
        name.split(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported & FORBIDDEN_IMPORTS == set()
    called = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    assert called & {"now", "utcnow", "today", "uuid1", "uuid4"} == set()
