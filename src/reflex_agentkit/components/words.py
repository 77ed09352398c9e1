"""The labels that each component is given: a part of the catalog, so that no page carries all for each."""

from __future__ import annotations

from collections.abc import Mapping

from reflex_agentkit.labels.catalog import catalog, pick

_DATA = ("visible", "fold", "values")
_CARD = (*_DATA, "pause", "editor", "problem", "syntax", "type", "time")

GROUPS: Mapping[str, tuple[str, ...]] = {
    "approval": (*_CARD, "load", "approval", "reject", "respond", "tool", "form", "difference"),
    "composer": ("composer",),
    "decision": (*_DATA, "load", "verdict", "decision", "difference", "card"),
    "dialog": ("pause", "approval", "question", "card", "visible", "fold"),
    "failed": (*_DATA, "error"),
    "live": ("markdown", "reasoning", "working", "visible"),
    "markdown": ("markdown",),
    "question": (*_CARD, "load", "question", "form", "card", "decision", "verdict", "approval", "tool"),
    "refusal": (*_DATA, "pause"),
    "threads": ("threads", "time"),
    "tool": (*_DATA, "load", "tool", "status", "verdict", "decision", "difference", "card"),
    "transcript": ("transcript",),
    "usage": ("chat",),
}
"""Component to groups of labels; a label's group is what stands before the dot."""


class Words:
    """One catalog, and the part of it that each component needs."""

    def __init__(self, labels: Mapping[str, str] | Words | None = None) -> None:
        self._all = labels._all if isinstance(labels, Words) else catalog(labels)

    def __getitem__(self, key: str) -> str:
        return self._all[key]

    def of(self, component: str) -> dict[str, str]:
        """The labels of one component of `GROUPS`."""
        return pick(self._all, *GROUPS[component])


Labels = Mapping[str, str] | Words | None
"""What a component takes as `labels`: texts in place of the English ones, or words made before."""
