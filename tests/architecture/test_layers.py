"""The house: who may know whom, and how its rooms are kept."""

import ast
from collections.abc import Iterator

import pytest

from tests.worlds.paths import ROOT

ROOMS = ("companion", "hardware", "web")

ONLY_IMPORTER = {
    "gpiozero": ("hardware/panel.py",),
    "mfrc522": ("hardware/rc522/stock.py",),
    "RPi": ("hardware/rc522/stock.py",),
    "spidev": (),
    "flask": ("web/",),
    "tornado": ("web/", "companion/app/"),
    "sqlite3": ("companion/journal/",),
    "segno": ("web/rendering/invite.py", "companion/cli/greeting.py"),
}
"""Who may import what touches the world; the tuple holds the beginnings of paths."""

IMPURE = frozenset({
    "asyncio", "concurrent", "datetime", "fcntl", "logging", "multiprocessing", "os", "queue",
    "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess",
    "tempfile", "threading", "time",
})  # fmt: skip
"""Clocks, dice, threads and I/O."""
RUNNING = ("companion/app/", "companion/cli/", "companion/__main__.py")
"""The running program, where all of it is allowed."""
EXCEPTIONS: dict[str, set[str]] = {
    "companion/backup/format.py": {"datetime", "shutil"},
    "companion/backup/privileges.py": {"os"},
    "companion/backup/read.py": {"os"},
    "companion/backup/restore.py": {"os", "secrets", "shutil"},
    "companion/backup/swap.py": {"os", "shutil"},
    "companion/backup/write.py": {"os", "shutil"},
    "companion/bots/bot.py": {"random"},
    "companion/bots/decisions.py": {"random"},
    "companion/enrol/deck_file.py": {"os"},
    "companion/host/demo.py": {"time"},
    "companion/host/host.py": {"secrets", "time"},
    "companion/host/pin.py": {"secrets", "threading"},
    "companion/host/report.py": {"time"},
    "companion/hotspot/apply.py": {"os", "subprocess"},
    "companion/hotspot/plan.py": {"secrets"},
    "companion/hotspot/radio.py": {"os", "shutil", "subprocess"},
    "companion/journal/reader_log.py": {"sqlite3"},
    "companion/journal/copy.py": {"os", "sqlite3"},
    "companion/journal/errors.py": {"sqlite3"},
    "companion/journal/journal.py": {"shutil", "sqlite3"},
    "companion/journal/lock.py": {"fcntl", "os"},
    "companion/journal/version_1.py": {"sqlite3"},
    "companion/journal/open.py": {"os", "sqlite3"},
    "companion/journal/reader.py": {"sqlite3"},
    "companion/journal/verify.py": {"sqlite3"},
    "companion/journal/schema.py": {"os", "sqlite3"},
    "companion/journal/salvage.py": {"os"},
    "companion/seating/seats.py": {"threading", "time"},
    "companion/table/table.py": {"logging", "threading"},
}
"""All else in companion is pure but for these files, each with the modules that it may import."""


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
                if not name.startswith(RUNNING):
                    yield f"{name} imports {module}: companion knows no wire and no screen"
            elif top in ROOMS and top not in (name.partition("/")[0], "companion"):
                yield f"{name} imports {module}: only the command line knows both"
            elif module.startswith("companion.cli") and not name.startswith(RUNNING):
                yield f"{name} imports {module}: nobody but the user knows the command line"
            allowed = ONLY_IMPORTER.get(top)
            if allowed is not None and not name.startswith(("hardware/simulator/", *allowed)):
                yield f"{name} imports {module}: only {allowed or 'the simulator'} may"
            pure = name.startswith("companion/") and not name.startswith(RUNNING)
            if pure and top in IMPURE - EXCEPTIONS.get(name, frozenset()):
                yield f"{name} imports {module}: only companion/app and listed files may"


def test_only_those_know_each_other_who_should() -> None:
    assert list(breaches()) == []


def test_every_path_that_a_law_names_exists_and_needs_it() -> None:
    named = {*EXCEPTIONS, *RUNNING, *(path for paths in ONLY_IMPORTER.values() for path in paths)}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    used = {
        name: {module.partition(".")[0] for module in imported(tree)} & IMPURE
        for name, tree in modules()
        if name in EXCEPTIONS
    }
    assert used == EXCEPTIONS


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
