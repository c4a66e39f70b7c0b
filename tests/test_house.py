"""The house: who may know whom, and how its rooms are kept."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
ROOMS = ("companion", "hardware", "web")
INTRODUCES = ("companion/cli/", "companion/__main__.py")
"""The command line is the one place that knows all three."""

ONLY_IMPORTER = {
    "gpiozero": ("hardware/panel.py",),
    "mfrc522": ("hardware/rc522/stock.py",),
    "RPi": ("hardware/rc522/stock.py",),
    "spidev": (),
    "flask": ("web/",),
    "tornado": ("web/", "companion/cli/"),
    "sqlite3": ("companion/journal/",),
    "segno": ("web/qr.py", "companion/cli/greeting.py"),
}
"""Who may import what touches the world; the tuple holds the beginnings of paths."""

IMPURE = {"time", "random", "datetime", "secrets", "threading", "os", "socket", "asyncio"}
PURE = (
    "companion/games/", "companion/judge/", "companion/lookback/", "companion/demo/",
    "companion/house_rules.py", "companion/cards.py", "companion/deck.py",
    "companion/enrol/", "companion/first/", "companion/errors.py", "companion/events.py",
    "companion/sealed.py", "companion/texts.py", "companion/tracking.py",
    "companion/verdict.py", "companion/view.py", "companion/evidence.py",
    "companion/journal/line.py", "companion/journal/mending.py", "companion/journal/shape.py",
    "companion/wish.py", "companion/house.py", "companion/affairs.py", "companion/history.py",
    "companion/proof.py", "companion/record/writing.py", "companion/record/proving.py",
)  # fmt: skip
"""No clock, no dice, no thread, no I/O in the rules."""


def modules() -> Iterator[tuple[str, ast.Module]]:
    for room in ROOMS:
        for path in sorted((ROOT / room).rglob("*.py")):
            name = path.relative_to(ROOT).as_posix()
            yield name, ast.parse(path.read_text("utf-8"))


def imported(tree: ast.Module) -> Iterator[str]:
    """Every module that this one imports, at the top or anywhere inside."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports here name the whole way"
            yield node.module or ""


def breaches() -> Iterator[str]:
    for name, tree in modules():
        for module in imported(tree):
            top = module.partition(".")[0]
            if name.startswith("companion/") and top in ("hardware", "web"):
                if not name.startswith(INTRODUCES):
                    yield f"{name} imports {module}: companion knows no wire and no screen"
            elif top in ROOMS and top not in (name.partition("/")[0], "companion"):
                yield f"{name} imports {module}: only the command line knows both"
            elif module.startswith("companion.cli") and not name.startswith(INTRODUCES):
                yield f"{name} imports {module}: nobody but the user knows the command line"
            allowed = ONLY_IMPORTER.get(top)
            if allowed is not None and not name.startswith(("hardware/simulator/", *allowed)):
                yield f"{name} imports {module}: only {allowed or 'the simulator'} may"
            if top in IMPURE and name.startswith(PURE):
                yield f"{name} imports {module}: there is no clock and no dice in the rules"


def test_only_those_know_each_other_who_should() -> None:
    assert list(breaches()) == []


@pytest.mark.parametrize("room", ROOMS)
def test_every_file_says_what_it_is(room: str) -> None:
    silent = [name for name, tree in modules() if name.startswith(room) and _silent(tree)]
    assert silent == []


def _silent(tree: ast.Module) -> bool:
    return bool(tree.body) and not ast.get_docstring(tree)


def test_names_are_the_words_of_the_table() -> None:
    vague = ("Manager", "Helper", "Utils", "Util", "Impl", "Base")
    named = [
        f"{name}: {node.name}"
        for name, tree in modules()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith(vague)
    ]
    assert named == []


def test_a_fresh_clone_installs_from_names_and_numbers_only() -> None:
    lines = (ROOT / "constraints.txt").read_text("utf-8").splitlines()
    pins = [line for line in lines if line and not line.startswith("#")]
    assert pins
    assert all(line.count("==") == 1 and "/" not in line for line in pins)
