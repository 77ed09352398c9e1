"""What is kept beside a flow's state, so that a broken run is gone on with and no finished step runs again.

CrewAI forgets a pause before it runs what listens to it. So the answers, and each finished step's result, are
kept under a key of their own in the flow's persistence, and outlive the process like the pause itself.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Final, Literal, cast

from ag_ui.core import ResumeEntry
from crewai.flow.persistence import FlowPersistence
from pydantic import BaseModel

from reflex_agentkit.adapters.crewai.scene import Result
from reflex_agentkit.errors import InvalidJSONError, MalformedEventError
from reflex_agentkit.protocol import json_text
from reflex_agentkit.protocol.plain import plain

SUFFIX: Final = "#reflex-agentkit"
TAKEN: Final = 200
"""So many answered interrupts of a thread are remembered, to tell a late replay from an unknown id."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One finished call of a method: which, the how-manieth in its run, and its result as text."""

    method: str
    at: int
    result: str


@dataclass(slots=True, kw_only=True)
class Journal:
    """The record of one thread.

    `open` while a run is going on or after it broke off. It began from `pause`, or with `inputs` where that
    is empty.
    """

    open: bool = False
    pause: str = ""
    inputs: dict[str, Any] = field(default_factory=dict[str, Any])
    answers: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    released: list[str] = field(default_factory=list[str])
    results: dict[str, dict[str, Any]] = field(default_factory=dict[str, dict[str, Any]])
    outcome: str | None = None
    steps: list[Step] = field(default_factory=list[Step])
    state: dict[str, Any] | None = None
    unkept: str = ""
    """A step whose result cannot be kept; then the run cannot be gone on with."""
    told: list[str] = field(default_factory=list[str])
    """The ids of the person's messages that flows of this thread were given."""
    before: list[str] = field(default_factory=list[str])
    """The ids of the results of the pause's calls that stood in the conversation before the answers came."""
    taken: list[str] = field(default_factory=list[str])
    """The interrupts whose answers flows of this thread have taken."""

    def entries(self) -> dict[str, ResumeEntry]:
        """The answers with which the run began, by wire id."""
        return {one["interruptId"]: ResumeEntry.model_validate(one) for one in self.answers}

    def carries(self, entry: ResumeEntry) -> bool:
        """Whether the run began with this very answer."""
        held = self.entries().get(entry.interrupt_id)
        return held is not None and json_text.same(_said(held), _said(entry))

    def replace(self, entries: Sequence[ResumeEntry]) -> None:
        """Take other answers in place of those with which the run began."""
        ids = {one.interrupt_id for one in entries}
        kept = [one for one in self.answers if one["interruptId"] not in ids]
        self.answers = [*kept, *(_held(one) for one in entries)]

    def began(
        self,
        *,
        told: Sequence[str],
        before: Sequence[str] = (),
        pause: str = "",
        answers: Sequence[ResumeEntry] = (),
    ) -> Journal:
        """The record of a run that begins now."""
        return Journal(
            open=True,
            pause=pause,
            answers=[_held(one) for one in answers],
            told=list(told),
            before=list(before),
            taken=self.taken,
        )

    def ended(self, answered: Iterable[str] = ()) -> Journal:
        """The record once its run came to an end or to the next pause; `answered` were taken beside."""
        ids = [one for one in (*self.entries(), *answered) if one not in self.taken]
        return Journal(told=self.told, taken=[*self.taken, *ids][-TAKEN:])

    def note_results(self, results: dict[str, Result]) -> None:
        """Keep what calls gave."""
        self.results = {call_id: asdict(result) for call_id, result in results.items()}

    def known_results(self) -> dict[str, Result]:
        """What calls gave in the run."""
        return {call_id: Result(**result) for call_id, result in self.results.items()}


class Shelf:
    """Where the records lie: in a flow's own persistence, under a key beside the flow's."""

    def __init__(self, persistence: FlowPersistence) -> None:
        self._persistence = persistence

    def load(self, thread_id: str) -> Journal:
        """The record of a thread; an empty one where there is none or it cannot be read."""
        found = self._persistence.load_state(thread_id + SUFFIX)
        try:
            values = cast("dict[str, Any]", json_text.read(str((found or {})["journal"])))
            steps = [Step(**one) for one in values.pop("steps")]
            return replace(Journal(**values), steps=steps)
        except (KeyError, TypeError, InvalidJSONError):
            return Journal()

    def save(self, thread_id: str, journal: Journal) -> None:
        """Keep a record."""
        # As one text: an own backend may know nothing of numbers that keep their value.
        text = json_text.write(plain(asdict(journal), "the record"))
        self._persistence.save_state(
            thread_id + SUFFIX, "reflex-agentkit", {"id": thread_id + SUFFIX, "journal": text}
        )


def encoded(value: Any) -> str | None:
    """A step's result as text; `None` where it could not be read back as the same value."""
    kind: Literal["json", "model"] = "json"
    held: Any = value
    try:
        if isinstance(value, BaseModel):
            kind = "model"
            name = f"{type(value).__module__}:{type(value).__qualname__}"
            held = {"class": name, "values": value.model_dump(mode="json")}
        text = json_text.write({kind: held})
        return text if _same(decoded(text), value) else None
    except (InvalidJSONError, MalformedEventError, ValueError, TypeError, ImportError, AttributeError):
        return None


def decoded(text: str) -> Any:
    """A step's result, read back.

    Raises:
        ValueError: it names something that is not a model.
    """
    found: dict[str, Any] = json_text.read(text)
    if "model" not in found:
        return found["json"]
    module, _, name = str(found["model"]["class"]).partition(":")
    kind: Any = importlib.import_module(module)
    for part in name.split("."):
        kind = getattr(kind, part)
    if not (isinstance(kind, type) and issubclass(kind, BaseModel)):
        raise ValueError(f"{name!r} is not a model")
    return kind.model_validate(found["model"]["values"])


def _same(read: Any, value: Any) -> bool:
    return type(read) is type(value) and bool(read == value)


def _held(entry: ResumeEntry) -> dict[str, Any]:
    return entry.model_dump(by_alias=True, exclude_unset=True)


def _said(entry: ResumeEntry) -> Any:
    return [entry.status, plain(entry.payload, "the answer") if entry.status == "resolved" else None]
