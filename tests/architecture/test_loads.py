"""Below the waist nothing knows a screen: seen by what is loaded in a fresh interpreter."""

from __future__ import annotations

import subprocess
import sys

import pytest

SCREEN = ("reflex", "reflex_base", "socketio", "starlette")
STORES = ("sqlalchemy", "alembic", "asyncpg", "redis")
FRAMEWORKS = ("pydantic_ai", "langgraph", "langchain_core", "agents", "crewai", "openai")


def modules_loaded_by(module: str) -> set[str]:
    program = f"import sys, {module}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def loaded_by(module: str) -> set[str]:
    return {name.split(".")[0] for name in modules_loaded_by(module)}


@pytest.mark.parametrize(
    "room", ["", ".errors", ".protocol", ".records", ".agents", ".store", ".review", ".runs", ".kit"]
)
def test_a_room_below_the_waist_loads_no_screen_no_database_no_framework(room: str) -> None:
    assert loaded_by(f"reflex_agentkit{room}") & {*SCREEN, *STORES, *FRAMEWORKS} == set()


def test_the_plugin_can_be_imported_before_there_is_an_app() -> None:
    loaded = modules_loaded_by("reflex_agentkit.plugin")
    assert [name for name in loaded if name.startswith("reflex_agentkit.components")] == []
