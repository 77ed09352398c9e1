"""The states of an interrupt and the moves between them, as a table.

    open ──decide──▶ decided ──send──▶ sent ──begin──▶ begun ──finish──▶ done
     │                  │               │                │
     ├──cancel──────────┴─▶ cancelled   ├──settle──▶ done└──lose──▶ in_doubt ──rerun──▶ sent
     │                                  └──take_back──▶ cancelled        │
     └──expire──▶ expired                                               └──record──▶ done

A cancelled or expired interrupt keeps its state when the agent is told; that it was told is `settled`.
What was handed to an agent without a gate and refused unseen is `put_back`, from begun to sent.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from reflex_agentkit.records.decision import InterruptState

Act = Literal[
    "decide",
    "cancel",
    "expire",
    "send",
    "take_back",
    "begin",
    "put_back",
    "finish",
    "settle",
    "lose",
    "rerun",
    "record",
]

MOVES: Mapping[Act, Mapping[InterruptState, InterruptState]] = {
    "decide": {"open": "decided"},
    # An answer that was gathered but not sent yet can still be taken back with its whole pause.
    "cancel": {"open": "cancelled", "decided": "cancelled"},
    "expire": {"open": "expired"},
    # Sending again what an agent never took is the way a failed resume is tried again.
    "send": {"decided": "sent", "sent": "sent", "cancelled": "cancelled", "expired": "expired"},
    # A run was stopped before the call began, and the person does not want it tried again.
    "take_back": {"sent": "cancelled"},
    "begin": {"sent": "begun"},
    "put_back": {"begun": "sent"},
    "finish": {"begun": "done"},
    "settle": {"sent": "done", "done": "done", "cancelled": "cancelled", "expired": "expired"},
    "lose": {"begun": "in_doubt"},
    "rerun": {"in_doubt": "sent"},
    "record": {"in_doubt": "done"},
}

STATES: frozenset[InterruptState] = frozenset(
    state for moves in MOVES.values() for pair in moves.items() for state in pair
)


def sources(act: Act) -> frozenset[InterruptState]:
    """The states from which an act is possible."""
    return frozenset(MOVES[act])


def after(act: Act, state: InterruptState) -> InterruptState:
    """The state that an act leads to.

    Raises:
        KeyError: the act is not possible in that state; ask `sources` first.
    """
    return MOVES[act][state]
