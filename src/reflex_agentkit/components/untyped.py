"""The functions of Reflex that build pages, without their types: a strict checker cannot follow those."""

from __future__ import annotations

from typing import Any

import reflex as rx

_reflex: Any = rx

box: Any = _reflex.box
cond: Any = _reflex.cond
el: Any = _reflex.el
foreach: Any = _reflex.foreach
fragment: Any = _reflex.fragment
match: Any = _reflex.match
var: Any = _reflex.Var.create
"""A value of Python as a var."""
