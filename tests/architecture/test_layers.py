"""Imports go down only, and never around."""

from __future__ import annotations

import re
import sys
import tomllib
from importlib.metadata import packages_distributions

import pytest

from tests.architecture.house import PACKAGE, ROOT, Module, imports, in_room, modules, own_target
from tests.architecture.layers import TABLE, row_of

COME_WITH_OTHERS = {"pydantic_core", "pytest", "reflex_base", "socketio"}
"""pydantic's and Reflex's own parts, in the version that these need; pytest, which runs what imports it."""

BEHIND_THE_FACE = [module for module in modules() if module.name]


def test_every_module_has_a_row_in_the_table() -> None:
    assert [module.where for module in BEHIND_THE_FACE if row_of(module.name) is None] == []


@pytest.mark.parametrize("module", BEHIND_THE_FACE, ids=lambda module: module.name)
def test_a_module_imports_only_what_its_room_may(module: Module) -> None:
    room = row_of(module.name)
    assert room is not None, f"{module.where} lies in no room of the table"
    row = TABLE[room]
    broken: list[str] = []
    for target in imports(module):
        ours = own_target(target)
        if ours is None:
            root = target.module.split(".")[0]
            if root not in sys.stdlib_module_names and root not in row.others:
                broken.append(f"{module.where}:{target.line}: {room} may not import {root}")
        elif not any(in_room(ours, allowed) for allowed in (room, *row.ours)):
            broken.append(f"{module.where}:{target.line}: {room} may not import {ours or PACKAGE}")
    assert broken == []


def test_every_package_that_is_imported_is_declared() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    lines = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    declared = {
        re.split(r"[^\w.-]", line)[0].replace("-", "_").casefold() for line in lines
    } | COME_WITH_OTHERS
    known = packages_distributions()
    missing = {
        root
        for module in modules()
        for target in imports(module)
        if (root := target.module.split(".")[0]) not in {*sys.stdlib_module_names, PACKAGE, *COME_WITH_OTHERS}
        and not {name.replace("-", "_").casefold() for name in known.get(root, [root])} & declared
    }
    assert missing == set()


def test_no_module_imports_itself_by_a_detour() -> None:
    graph = {
        module.name: {
            ours
            for target in imports(module)
            if (ours := own_target(target)) is not None and ours != module.name
        }
        for module in BEHIND_THE_FACE
        if not module.is_package
    }
    assert _circles(graph) == []


def _circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The modules that reach themselves, each with the modules on its way back."""
    reached = {name: {after for after in direct if after in graph} for name, direct in graph.items()}
    grows = True
    while grows:
        grows = False
        for after in reached.values():
            more = set[str]().union(*(reached[name] for name in after)) - after
            after |= more
            grows = grows or bool(more)
    return [
        [name, *sorted(other for other in after if name in reached[other] and other != name)]
        for name, after in sorted(reached.items())
        if name in after
    ]


@pytest.mark.parametrize("module", BEHIND_THE_FACE, ids=lambda module: module.name)
def test_inside_the_package_names_are_taken_from_the_leaf(module: Module) -> None:
    faces = {other.name for other in modules() if other.is_package}
    through_a_face = [
        f"{module.where}:{target.line}: {target.name} comes through {target.module}"
        for target in imports(module)
        if own_target(target) in faces
        and not (module.is_package and in_room(own_target(target) or "", module.name))
    ]
    assert through_a_face == []
