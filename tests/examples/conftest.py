"""The examples' own packages can be imported by the tests here."""

from __future__ import annotations

from tests.support.examples import example

example("travel")
