"""Who may import whom: the plan of the house as a table.

Rooms are read from the most exact to the most general, so `cli.demo` has a row of its own beside `cli`.
`ours` are rooms of the package, `others` are packages beside the standard library.
"""

from __future__ import annotations

from dataclasses import dataclass

GROUND = ("errors", "clock", "ids", "labels")


@dataclass(frozen=True)
class Row:
    """What a room may import, besides its own modules."""

    ours: tuple[str, ...] = ()
    others: tuple[str, ...] = ()


TABLE: dict[str, Row] = {
    "errors": Row(),
    "clock": Row(),
    "ids": Row(),
    "labels": Row(ours=("errors",)),
    "protocol": Row(
        ours=("errors",),
        others=(
            "ag_ui",
            "jsonpatch",
            "jsonpointer",
            "jsonschema",
            "pydantic",
            "referencing",
            "regex",
            "simplejson",
        ),
    ),
    "records": Row(ours=("protocol",), others=("ag_ui",)),
    "agents.http": Row(ours=("agents", "protocol", "errors"), others=("ag_ui", "httpx", "httpx_sse")),
    "agents": Row(ours=("protocol", "errors"), others=("ag_ui",)),
    "adapters.crewai": Row(
        ours=("agents", "protocol", "errors", "adapters._extras", "adapters._notice"),
        others=("ag_ui", "crewai", "pydantic"),
    ),
    "adapters.langgraph": Row(
        ours=("agents", "protocol", "errors", "adapters._extras", "adapters._notice"),
        others=("ag_ui", "ag_ui_langgraph", "langchain_core", "langgraph", "pydantic"),
    ),
    "adapters.openai_agents": Row(
        ours=("agents", "protocol", "errors", "adapters._extras", "adapters._notice"),
        others=("ag_ui", "agents", "openai", "pydantic"),
    ),
    "adapters.pydantic_ai": Row(
        ours=("agents", "protocol", "errors", "adapters._extras", "adapters._notice"),
        others=("ag_ui", "pydantic", "pydantic_ai", "pydantic_core"),
    ),
    "adapters": Row(ours=("agents", "protocol", "errors"), others=("ag_ui",)),
    "store": Row(ours=("records", "errors"), others=("ag_ui",)),
    "review": Row(ours=("store.base", "records", "protocol", *GROUND), others=("ag_ui",)),
    "runs": Row(
        ours=("review", "store.base", "agents", "protocol", "records", *GROUND),
        others=("ag_ui",),
    ),
    "kit": Row(
        ours=("runs", "review", "store.base", "store.opening", "agents", "records", "protocol", *GROUND),
        others=("ag_ui",),
    ),
    "live": Row(ours=("kit", "protocol", *GROUND), others=("ag_ui", "reflex", "reflex_base", "socketio")),
    "state": Row(
        ours=("kit", "live", "protocol", "records", "agents.base", *GROUND),
        others=("ag_ui", "pydantic", "pydantic_core", "reflex", "reflex_base"),
    ),
    "components": Row(ours=("state.views", "live.channel_asset", *GROUND), others=("reflex", "reflex_base")),
    "plugin": Row(ours=("kit", "live", "state", *GROUND), others=("reflex", "reflex_base", "socketio")),
    "cli.demo": Row(ours=("cli",)),
    "cli": Row(ours=("cli", "kit", "serve.app", "protocol.visible", *GROUND)),
    "testing": Row(
        ours=("kit", "agents", "adapters", "store", "records", "review", "protocol", *GROUND),
        others=("ag_ui", "pytest"),
    ),
}
"""A room that is not in the table may import nothing of ours, so a new room asks for its row."""

PURE = ("protocol", "state.present")
"""No clock, no randomness, no files, no network, no tasks: what comes out depends on what goes in alone."""

IMPURE = (
    "asyncio", "contextvars", "http", "io", "os", "pathlib", "random", "secrets", "shutil", "socket",
    "subprocess", "tempfile", "threading", "time", "urllib.request", "uuid",
)  # fmt: skip


def row_of(name: str) -> str | None:
    """The row that holds for a module: the longest room that it lies in."""
    rooms = [room for room in TABLE if name == room or name.startswith(room + ".")]
    return max(rooms, key=len, default=None)
