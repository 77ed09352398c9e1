"""A module is one idea; a function fits a screen."""

from __future__ import annotations

import ast

from tests.architecture.house import ROOT, SOURCE, modules

LINES_OF_A_MODULE = 350
LINES_OF_A_FUNCTION = 60


def test_no_module_is_longer_than_the_wall() -> None:
    files = [path for kind in ("*.py", "*.jsx", "*.js", "*.css") for path in SOURCE.rglob(kind)]
    long = {
        str(path.relative_to(ROOT)): lines
        for path in files
        if (lines := len(path.read_text(encoding="utf-8").splitlines())) > LINES_OF_A_MODULE
    }
    assert long == {}


def test_no_function_is_longer_than_a_screen() -> None:
    long = {
        f"{module.where}:{node.lineno} {node.name}": lines
        for module in modules()
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > LINES_OF_A_FUNCTION
    }
    assert long == {}


def test_no_module_is_named_for_what_did_not_fit_elsewhere() -> None:
    vague = {"utils", "util", "helpers", "helper", "common", "misc", "manager", "core", "base_utils"}
    assert [module.where for module in modules() if module.name.rsplit(".", 1)[-1] in vague] == []
