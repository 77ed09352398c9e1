"""The only place where identity and randomness are made. `Ids` is passed in, so that a test can count."""

from __future__ import annotations

import uuid
from typing import Protocol


class Ids(Protocol):
    """Makes names that no one has used before."""

    def new(self, kind: str) -> str:
        """A fresh id; `kind` is a short word that makes logs readable (`run`, `thread`, `int`)."""
        ...


class RandomIds:
    """Ids that nobody can guess."""

    def new(self, kind: str) -> str:
        return f"{kind}-{uuid.uuid4().hex}"
