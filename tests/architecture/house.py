"""The sources of the package, read once: what each module imports, defines and names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGE = "reflex_agentkit"
SOURCE = ROOT / "src" / PACKAGE


@dataclass(frozen=True)
class Import:
    """One import statement's target: a dotted module, and the name taken from it (empty for `import x`)."""

    module: str
    name: str
    line: int
    lazy: bool  # inside a function: it does not run when the module is imported


@dataclass(frozen=True)
class Module:
    """One Python file. `name` leaves out the package (`protocol.fold.dispatch`) and is empty for the face."""

    name: str
    path: Path
    text: str
    tree: ast.Module

    @property
    def is_package(self) -> bool:
        return self.path.name == "__init__.py"

    @property
    def where(self) -> str:
        return str(self.path.relative_to(ROOT))


@cache
def modules() -> tuple[Module, ...]:
    """Every module of the package."""
    found: list[Module] = []
    for path in sorted(SOURCE.rglob("*.py")):
        parts = path.relative_to(SOURCE).with_suffix("").parts
        if parts[-1] == "__init__":
            parts = parts[:-1]
        text = path.read_text(encoding="utf-8")
        found.append(Module(".".join(parts), path, text, ast.parse(text)))
    return tuple(found)


@cache
def names() -> frozenset[str]:
    return frozenset(module.name for module in modules())


@cache
def imports(module: Module) -> tuple[Import, ...]:
    """All imports of a module, those for types only and those inside functions too."""
    lazy = {
        id(node)
        for function in ast.walk(module.tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
    }
    found: list[Import] = []
    for node in ast.walk(module.tree):
        if isinstance(node, ast.Import):
            found += [Import(alias.name, "", node.lineno, id(node) in lazy) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{module.where}:{node.lineno}: relative import"
            found += [
                Import(node.module or "", alias.name, node.lineno, id(node) in lazy) for alias in node.names
            ]
    return tuple(found)


def own_target(target: Import) -> str | None:
    """The module of ours that an import reaches, without the package's name; `None` for anybody else's."""
    if target.module != PACKAGE and not target.module.startswith(PACKAGE + "."):
        return None
    base = target.module[len(PACKAGE) :].lstrip(".")
    deeper = f"{base}.{target.name}".lstrip(".")
    return deeper if target.name and deeper in names() else base


def in_room(name: str, room: str) -> bool:
    """Is the module this room, or inside it?"""
    return name == room or name.startswith(room + ".")


def calls(module: Module) -> list[tuple[str, int]]:
    """The dotted names that a module calls, with their lines."""
    return [
        (ast.unparse(node.func), node.lineno) for node in ast.walk(module.tree) if isinstance(node, ast.Call)
    ]
