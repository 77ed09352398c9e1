"""What an agent that runs as a tool did so far, kept in the thread's log so that it can go on later.

It holds what its model said, what its tools gave, and the arguments that it runs with where a person changed
them. It holds no decision about the calls in it: it can approve nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, Final, cast

from reflex_agentkit.errors import InvalidJSONError
from reflex_agentkit.protocol import json_text

_KIND: Final = "openai-agents-nested-run"


@dataclass(slots=True)
class Record:
    """The responses of a nested run's models in order, the outputs of its calls, the runs inside of it.

    `edited` are the arguments that it runs with, where a person changed those of its call.
    """

    turns: list[list[dict[str, Any]]] = field(default_factory=list[list[dict[str, Any]]])
    outputs: dict[str, Any] = field(default_factory=dict[str, Any])
    nested: dict[str, Record] = field(default_factory=dict[str, "Record"])
    edited: dict[str, Any] | None = None

    def calls(self) -> Iterator[str]:
        """The ids of all calls in it, also of those in the runs inside."""
        for turn in self.turns:
            for item in turn:
                if item.get("type") == "function_call":
                    yield str(item.get("call_id"))
        for record in self.nested.values():
            yield from record.calls()

    def open(self) -> bool:
        """Whether it stands still before its end: its last response has a call without an output."""
        last = self.turns[-1] if self.turns else []
        return any(i.get("type") == "function_call" and i.get("call_id") not in self.outputs for i in last)

    def write(self) -> str:
        """The record as text, for the log."""
        return json_text.write({"kind": _KIND, **self._plain()})

    def _plain(self) -> dict[str, Any]:
        nested = {call_id: record._plain() for call_id, record in self.nested.items()}
        edited = {"edited": self.edited} if self.edited is not None else {}
        return {"turns": self.turns, "outputs": self.outputs, "nested": nested, **edited}


def read_record(text: str | None) -> Record | None:
    """The record that a text holds; `None` where it is none."""
    try:
        value: Any = json_text.read(text) if text else None
    except InvalidJSONError:
        return None
    if not isinstance(value, dict):
        return None
    found = cast("dict[str, Any]", value)
    return _record(found) if found.get("kind") == _KIND else None


def _record(value: dict[str, Any]) -> Record:
    return Record(
        turns=value["turns"],
        outputs=value["outputs"],
        nested={call_id: _record(inner) for call_id, inner in value["nested"].items()},
        edited=value.get("edited"),
    )
