"""Import the packages of examples, and keep their folders off the path: Reflex would take their settings."""

from __future__ import annotations

import importlib
import sys
from types import ModuleType

from tests.architecture.house import ROOT


def example(name: str) -> ModuleType:
    """The package of the example in `examples/NAME`; its modules can be imported from then on."""
    folder = str(ROOT / "examples" / name)
    sys.path.insert(0, folder)
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(folder)
