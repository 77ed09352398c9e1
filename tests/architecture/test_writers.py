"""One desk writes decisions; one room notes that a tool began and ended; one room carries text to tabs."""

from __future__ import annotations

import ast

from tests.architecture.house import calls, in_room, modules

DESK = ("review.desk",)
EXECUTION = ("runs.execution", "runs.recover")
NOT_WRITERS = ("testing", "records")


def _in(name: str, rooms: tuple[str, ...]) -> bool:
    return any(in_room(name, room) or name.startswith(room + "_") for room in rooms)


def test_only_the_desk_makes_a_decision() -> None:
    made = [
        f"{module.where}:{line}"
        for module in modules()
        if not _in(module.name, DESK + NOT_WRITERS)
        for name, line in calls(module)
        if name.split(".")[-1] == "Decision"
    ]
    assert made == []


def test_only_the_room_of_execution_notes_that_a_tool_began_or_is_done() -> None:
    noted = [
        f"{module.where}:{node.lineno}"
        for module in modules()
        if not _in(module.name, EXECUTION + NOT_WRITERS)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.keyword)
        and node.arg == "state"
        and isinstance(node.value, ast.Constant)
        and node.value.value in {"begun", "done"}
    ]
    assert noted == []
