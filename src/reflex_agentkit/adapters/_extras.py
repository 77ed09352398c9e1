"""The error for an adapter whose framework is not installed."""

from __future__ import annotations

from reflex_agentkit.errors import AdapterNotInstalledError


def missing_extra(extra: str) -> AdapterNotInstalledError:
    """The error to raise when `extra` is not installed; its message is the line that installs it."""
    return AdapterNotInstalledError(f'pip install "reflex-agentkit[{extra}]"')
