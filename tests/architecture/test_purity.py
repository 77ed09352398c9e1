"""Time and chance have one door each, and the protocol has none."""

from __future__ import annotations

import pytest

from tests.architecture.house import Import, Module, calls, imports, in_room, modules
from tests.architecture.layers import IMPURE, PURE

PURE_MODULES = [module for module in modules() if any(in_room(module.name, room) for room in PURE)]
TIME = {"time.time", "time.time_ns", "datetime.now", "datetime.utcnow", "datetime.datetime.now", "date.today"}
CHANCE = {"random", "secrets", "uuid"}


def _is_type(target: Import) -> bool:
    """The type of an id may be named anywhere; making one may not."""
    return (target.module, target.name) == ("uuid", "UUID")


@pytest.mark.parametrize("module", PURE_MODULES, ids=lambda module: module.name)
def test_a_pure_module_touches_nothing_outside(module: Module) -> None:
    reached = {target.module for target in imports(module) if not _is_type(target)} & set(IMPURE)
    opened = [line for name, line in calls(module) if name in {"open", "input", "print", *TIME}]
    assert (reached, opened) == (set(), [])


def test_time_is_read_in_the_clock_alone() -> None:
    read = [
        f"{module.where}:{line} {name}"
        for module in modules()
        if module.name != "clock" and not in_room(module.name, "cli")
        for name, line in calls(module)
        if name in TIME
    ]
    assert read == []


def test_chance_has_one_door() -> None:
    drawn = [
        f"{module.where}:{target.line} {target.module}"
        for module in modules()
        if module.name != "ids"
        for target in imports(module)
        if target.module.split(".")[0] in CHANCE and not _is_type(target)
    ]
    assert drawn == []
