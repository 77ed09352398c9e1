"""An adapter whose framework is missing says how to install it."""

from __future__ import annotations

import importlib
import sys

import pytest

from reflex_agentkit.adapters._extras import missing_extra
from reflex_agentkit.errors import AdapterNotInstalledError

ADAPTER = "reflex_agentkit.adapters.pydantic_ai"


def test_the_message_is_the_line_that_installs_it() -> None:
    error = missing_extra("langgraph")
    assert isinstance(error, ImportError)
    assert str(error) == 'pip install "reflex-agentkit[langgraph]"'


def test_a_missing_framework_is_an_adapter_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(ADAPTER)]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "pydantic_ai", None)
    with pytest.raises(AdapterNotInstalledError, match=r'^pip install "reflex-agentkit\[pydantic-ai\]"$'):
        importlib.import_module(ADAPTER)
