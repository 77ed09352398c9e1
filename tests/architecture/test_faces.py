"""What is public is listed, bound and explained; what hands on does nothing else."""

from __future__ import annotations

import ast
import importlib
from functools import cache

import pytest

from tests.architecture.house import PACKAGE, Module, imports, modules, own_target

FACES = [module for module in modules() if module.is_package]


def _listed(module: Module) -> list[str] | None:
    for node in module.tree.body:
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        value = getattr(node, "value", None)
        if isinstance(target, ast.Name) and target.id == "__all__" and value is not None:
            listed = ast.literal_eval(value)
            return [str(name) for name in listed]
    return None


LISTS = [module for module in modules() if _listed(module) is not None]
ELSEWHERE = {"adapters.crewai"}  # loaded where its framework is, by the tests there


@pytest.mark.parametrize("module", LISTS, ids=lambda m: m.name or PACKAGE)
def test_the_list_of_public_names_is_sorted(module: Module) -> None:
    listed = _listed(module) or []
    assert listed == sorted(set(listed), key=_place)


@pytest.mark.parametrize(
    "module", [m for m in LISTS if m.name not in ELSEWHERE], ids=lambda m: m.name or PACKAGE
)
def test_the_public_names_are_bound(module: Module) -> None:
    listed = _listed(module) or []
    loaded = importlib.import_module(f"{PACKAGE}.{module.name}".rstrip("."))
    assert [name for name in listed if not hasattr(loaded, name)] == []


def _place(name: str) -> tuple[int, str]:
    """Constants first, then classes, then the rest, as the linter sorts."""
    return (0 if name.isupper() else 1 if name[0].isupper() else 2, name)


def test_the_package_lists_its_public_names() -> None:
    face = next(module for module in modules() if not module.name)
    assert _listed(face), "the face of the package has no __all__"


@pytest.mark.parametrize("module", FACES, ids=lambda m: m.name or PACKAGE)
def test_a_face_only_hands_names_on(module: Module) -> None:
    allowed = (ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign, ast.If, ast.Try)
    for node in module.tree.body:
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        is_door = isinstance(node, ast.FunctionDef) and node.name in {"__getattr__", "__dir__"}
        assert isinstance(node, allowed) or is_text or is_door, f"{module.where}:{node.lineno} does more"


@pytest.mark.parametrize("module", [m for m in modules() if m.text.strip()], ids=lambda m: m.name or PACKAGE)
def test_every_module_says_what_it_is_for(module: Module) -> None:
    assert ast.get_docstring(module.tree), f"{module.where} has no docstring"


def test_what_crosses_the_border_of_a_room_says_what_it_is_for() -> None:
    silent = {
        f"{module.where}:{node.lineno} {node.name}"
        for module in modules()
        for node in module.tree.body
        if isinstance(node, ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef)
        and (module.name, node.name) in _crossing()
        and not ast.get_docstring(node)
        and "overload" not in [ast.unparse(decorator).split(".")[-1] for decorator in node.decorator_list]
    }
    assert silent == set()


@cache
def _crossing() -> set[tuple[str, str]]:
    """Names with their module that another room takes, faces included."""
    return {
        (taken, target.name)
        for module in modules()
        for target in imports(module)
        if (taken := own_target(target)) is not None
        and (module.is_package or taken.split(".")[0] != module.name.split(".")[0])
    }


def test_errors_are_all_in_one_tree() -> None:
    errors = importlib.import_module(f"{PACKAGE}.errors")
    loose = [
        name
        for name, kind in vars(errors).items()
        if isinstance(kind, type) and not issubclass(kind, errors.AgentKitError)
    ]
    assert loose == []
    drawn = errors.__doc__ or ""
    assert [name for name, kind in vars(errors).items() if isinstance(kind, type) and name not in drawn] == []
