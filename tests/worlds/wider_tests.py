"""Which tests take more samples in a wider campaign: read from their source.

Laws: a test grows if it draws with Hypothesis, is marked wide or large, or if its own code, or a
name of its module that this code uses, asks for the size of the campaign. Every other test does the
same in `make test-all` as in `make test`, so that it need not run twice.
"""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from tests.worlds.paths import ROOT

SIZE_NAMES = frozenset({"pick", "IS_WIDE", "IS_LARGE"})
CAMPAIGN = "tests.worlds.campaign"


def takes_more_samples(item: pytest.Item) -> bool:
    """Return whether this test does more in a wider campaign."""
    if item.get_closest_marker("wide") or item.get_closest_marker("large"):
        return True
    function = getattr(item, "obj", None)
    if getattr(function, "is_hypothesis_test", False) or hasattr(function, "hypothesis"):
        return True
    module = getattr(function, "__module__", "")
    cls = getattr(item, "cls", None)
    name = cls.__name__ if cls is not None else getattr(item, "originalname", item.name)
    fixtures = getattr(item, "fixturenames", ())
    return bool({name, *fixtures} & growing_names(module))


@cache
def growing_names(module: str) -> frozenset[str]:
    """Return the names at the top of a module that depend on the size of the campaign."""
    if module == CAMPAIGN:
        return SIZE_NAMES
    path = ROOT.joinpath(*module.split(".")).with_suffix(".py")
    if not module.startswith("tests.") or not path.exists():
        return frozenset()
    uses = _used_names(path)
    found = set(_imported_growing_names(path)) | _names_of_conftest(module)
    while more := {name for name, used in uses.items() if name not in found and used & found}:
        found |= more
    return frozenset(found)


def _names_of_conftest(module: str) -> set[str]:
    """Return the growing fixtures of the conftest beside a module."""
    package, _, name = module.rpartition(".")
    beside = f"{package}.conftest"
    return set() if name == "conftest" else set(growing_names(beside))


def _imported_growing_names(path: Path) -> Iterator[str]:
    """Yield the names that a module imports and that grow where they are made."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("tests."):
            growing = growing_names(node.module)
            yield from (a.asname or a.name for a in node.names if a.name in growing)


def _used_names(path: Path) -> dict[str, set[str]]:
    """Map each name that a module makes at its top to the names that its code uses."""
    uses: dict[str, set[str]] = {}
    for node in ast.parse(path.read_text("utf-8")).body:
        used = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
        used |= {inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)}
        for name in _made_names(node):
            uses.setdefault(name, set()).update(used)
    return uses


def _made_names(node: ast.stmt) -> Iterator[str]:
    """Yield the names that a statement makes or changes: `X.settings = …` changes X."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        yield node.name
        return
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name | ast.Attribute) and isinstance(inner.ctx, ast.Store):
            yield ast.unparse(inner).partition(".")[0]
        elif isinstance(inner, ast.AugAssign):
            yield ast.unparse(inner.target).partition(".")[0]
