"""Who: a person or a part of the system that acts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Principal:
    """Somebody who acts. `id` is what records name; `name` is what people read."""

    id: str
    name: str = ""

    @property
    def shown(self) -> str:
        return self.name or self.id


LOCAL_USER = Principal("local", "You")
"""The one person of an app that names no users."""

CLOCK = Principal("clock", "the clock")
"""Who decides when the time has run out."""
