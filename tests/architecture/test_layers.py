"""The layers: which package may import which, what is pure, and how files introduce themselves."""

import ast
import re
import tomllib
from collections.abc import Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter

import pytest

from tests.worlds.paths import ROOT

PACKAGES = ("companion", "hardware", "web")
MOST_LINES_OF_A_COMMAND = 200
"""A command parses, calls one service and prints."""
ELSEWHERE = ("colorama",)
"""Only wanted on systems on which we do not test."""

ONLY_IMPORTER = {
    "gpiozero": ("hardware/panel.py",),
    "mfrc522": ("hardware/rc522/stock.py",),
    "RPi": ("hardware/rc522/stock.py",),
    "spidev": (),
    "smartcard": ("hardware/pcsc/service.py",),
    "babel": (),
    "flask": ("web/",),
    "tornado": ("web/", "companion/app/", "companion/cli/floor.py"),
    "sqlite3": ("companion/core/databases.py", "companion/journal/", "companion/seating/names.py"),
    "nacl": ("companion/seating/identity.py",),
    "paho": ("companion/app/floor.py", "companion/cli/floor.py"),
    "segno": ("web/rendering/invite.py", "companion/cli/greeting.py"),
}
"""Who may import what touches the world; the tuple holds the beginnings of paths."""

IMPURE = frozenset({
    "asyncio", "concurrent", "datetime", "fcntl", "logging", "multiprocessing", "os", "queue",
    "random", "secrets", "select", "shutil", "signal", "socket", "sqlite3", "subprocess",
    "tempfile", "threading", "time",
})  # fmt: skip
"""Clocks, dice, threads and I/O."""
PROGRAM = ("companion/app/", "companion/cli/", "companion/__main__.py")
"""The running program: the only importers of hardware and web, and free to be impure."""
EXCEPTIONS: dict[str, set[str]] = {
    "companion/__init__.py": {"logging"},
    "companion/backup/archive.py": {"datetime", "fcntl", "os", "shutil"},
    "companion/backup/restore.py": {"datetime", "secrets", "shutil"},
    "companion/backup/service.py": {"datetime", "secrets", "tempfile", "threading"},
    "companion/bots/__init__.py": {"random"},
    "companion/bots/bot.py": {"random"},
    "companion/core/cards.py": {"os"},
    "companion/core/databases.py": {"logging", "shutil", "sqlite3", "tempfile", "threading"},
    "companion/core/durable_files.py": {"os"},
    "companion/host/demo.py": {"logging"},
    "companion/host/host.py": {"logging", "secrets", "time"},
    "companion/host/host_pass.py": {"logging", "secrets", "threading"},
    "companion/floor.py": {"threading"},
    "companion/host/name_keeping.py": {"logging"},
    "companion/host/settings.py": {"threading"},
    "companion/hotspot/addresses.py": {"socket"},
    "companion/hotspot/machine.py": {"subprocess", "threading", "time"},
    "companion/hotspot/network.py": {"os", "secrets", "shutil", "subprocess"},
    "companion/testing/laws.py": {"random"},
    "companion/seating/identity.py": {"secrets", "threading"},
    "companion/journal/file.py": {"fcntl", "os", "sqlite3"},
    "companion/journal/journal.py": {"logging", "shutil", "sqlite3"},
    "companion/journal/repair.py": {"datetime", "shutil", "sqlite3"},
    "companion/seating/names.py": {"sqlite3", "threading"},
    "companion/seating/seats.py": {"logging", "threading", "time"},
    "companion/table/faults.py": {"logging"},
    "companion/table/table.py": {"logging", "threading"},
    "companion/table/wishes.py": {"logging"},
}
"""All else in companion is pure but for these files, each with the modules that it may import."""

APP_IMPORTERS = ("companion/app/", "companion/cli/", "web/")
CLI_IMPORTERS = ("companion/cli/", "companion/__main__.py")


@cache
def product() -> dict[str, ast.Module]:
    """Return the parsed modules of the product by their paths."""
    paths = [path for top in (*PACKAGES, "systemd") for path in sorted((ROOT / top).rglob("*.py"))]
    return {path.relative_to(ROOT).as_posix(): ast.parse(path.read_text("utf-8")) for path in paths}


@cache
def imports() -> dict[str, frozenset[str]]:
    """Return the dotted names that each module imports, at the top or anywhere inside."""
    return {path: frozenset(_imported(tree)) for path, tree in product().items()}


def _imported(tree: ast.Module) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def outsiders(package: str, *allowed: str) -> list[str]:
    """List the imports of a package from elsewhere than from these beginnings of paths."""
    return [
        f"{path} imports {name}"
        for path, names in imports().items()
        for name in names
        if f"{name}.".startswith(f"{package}.") and not path.startswith(allowed)
    ]


def test_only_app_and_cli_import_hardware_or_web() -> None:
    assert outsiders("hardware", "hardware/", *PROGRAM) == []
    assert outsiders("web", "web/", *PROGRAM) == []


def test_only_the_main_module_imports_the_command_line() -> None:
    assert outsiders("companion.cli", *CLI_IMPORTERS) == []


def test_only_cli_and_web_import_app() -> None:
    assert outsiders("companion.app", *APP_IMPORTERS) == []


@pytest.mark.parametrize("module", ONLY_IMPORTER)
def test_modules_that_touch_the_world_have_few_importers(module: str) -> None:
    allowed = ("hardware/simulator/", "systemd/", *ONLY_IMPORTER[module])
    assert outsiders(module, *allowed) == []


def test_companion_is_pure_outside_app_and_cli_and_the_listed_files() -> None:
    used = {
        path: {name.partition(".")[0] for name in names} & IMPURE
        for path, names in imports().items()
        if path.startswith("companion/") and not path.startswith(PROGRAM)
    }
    assert {path: names for path, names in used.items() if names} == EXCEPTIONS


def test_every_path_that_a_law_names_exists() -> None:
    lists = (EXCEPTIONS, PROGRAM, APP_IMPORTERS, CLI_IMPORTERS, *ONLY_IMPORTER.values())
    named = {path for paths in lists for path in paths}
    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {_dotted(path): path for path in product() if path.startswith(PACKAGES)}
    graph = {
        module: {
            target
            for name in imports()[path]
            for target in [name if name in names else name.rpartition(".")[0]]
            if target in names and target != module
        }
        for module, path in names.items()
    }
    assert sum(map(len, graph.values())) > len(graph), "the imports were not found"
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        pytest.fail(" -> ".join(error.args[1]))


def _dotted(path: str) -> str:
    return path.removesuffix(".py").replace("/", ".").removesuffix(".__init__")


LAYERS: dict[str, set[str]] = {
    "companion/core": set(),
    "companion/games": {"core", "bots", "judge", "tracking"},
    "companion/tracking": {"core", "games"},
    "companion/judge": {"core", "games"},
    "companion/bots": {"core", "games", "table"},
    "companion/journal": {"core"},
    "companion/records": {"core", "games", "journal", "table"},
    "companion/table": {"core", "games", "journal", "judge", "tracking"},
    "companion/seating": {"core", "games"},
    "companion/testing": {"bots", "core", "games", "table"},
    "companion/backup": {"core", "journal", "seating"},
    "companion/hotspot": {"core"},
    "companion/setup": {"core", "games"},
    "companion/host": {
        "core", "games", "journal", "records", "seating", "setup", "table",
    },
    "hardware": {"core", "host", "tracking"},
}  # fmt: skip
"""What each folder imports; `companion/app`, `companion/cli` and `web` compose all of them."""


@pytest.mark.parametrize("folder", LAYERS)
def test_a_layer_imports_what_is_listed(folder: str) -> None:
    used = {
        room
        for path, names in imports().items()
        if path.startswith(f"{folder}/")
        for name in names
        if (room := _layer(name)) and folder not in (f"companion/{room}", room)
    }
    assert used == LAYERS[folder]


def _layer(name: str) -> str:
    """Return the layer of an imported name, "" for what is not ours or belongs to all."""
    top, _, rest = name.partition(".")
    if top == "companion":
        room = rest.partition(".")[0]
        return room if (ROOT / "companion" / room).is_dir() else ""
    return top if top in PACKAGES else ""


def test_every_folder_is_a_layer_and_in_contributing() -> None:
    folders = {
        f"companion/{path.name}"
        for path in (ROOT / "companion").iterdir()
        if (path / "__init__.py").exists()
    }
    assert {*LAYERS} == folders - {"companion/app", "companion/cli"} | {"hardware"}
    layout = (ROOT / "CONTRIBUTING.md").read_text("utf-8").partition("## Layout")[2]
    rows = [line.split("|")[1] for line in layout.splitlines() if line.startswith("| `")]
    assert len(rows) <= 16
    named = {*re.findall(r"(\w+)`", " ".join(rows))}
    assert {path.rpartition("/")[2] for path in folders} <= named


@pytest.mark.parametrize("package", PACKAGES)
def test_every_file_has_a_module_docstring(package: str) -> None:
    assert [
        path
        for path, tree in product().items()
        if path.startswith(f"{package}/") and tree.body and not ast.get_docstring(tree)
    ] == []


def test_no_class_has_a_vague_name() -> None:
    vague = ("Manager", "Helper", "Utils", "Util", "Impl", "Base")
    assert [
        f"{path}: {node.name}"
        for path, tree in product().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ClassDef) and node.name.endswith(vague)
    ] == []


LOCKS = "systemd/packaging/locks"


def read_pins(file: str) -> dict[str, list[str]]:
    """The libraries of a list, as NAME==VERSION, and the hashes of each."""
    pins: dict[str, list[str]] = {}
    for line in (ROOT / file).read_text("utf-8").splitlines():
        words = line.removesuffix("\\").partition(" ;")[0].split()
        if line.startswith(" "):
            pins[list(pins)[-1]] += words
        elif words and words[0] != "#":
            (pin,) = words
            pins[pin.lower().replace("_", "-").replace(".", "-")] = []
    return pins


def test_a_fresh_clone_installs_from_names_and_numbers_only() -> None:
    pins = read_pins("constraints.txt")
    assert pins
    assert all(pin.count("==") == 1 and "/" not in pin for pin in pins)


@pytest.mark.parametrize("name", ["run", "play", "dev", "usb"])
def test_what_is_installed_has_a_hash_and_the_version_that_was_tested(name: str) -> None:
    pins = read_pins(f"{LOCKS}/{name}.txt")
    assert pins
    for pin, hashes in pins.items():
        assert hashes
        assert all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", each) for each in hashes)
        assert pin in read_pins("constraints.txt") or pin.startswith(ELSEWHERE)


def test_every_library_that_is_wanted_is_in_its_list() -> None:
    wanted = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    extras = wanted["project"]["optional-dependencies"]
    build, run = wanted["build-system"]["requires"], wanted["project"]["dependencies"]
    for name, libraries in {
        "run": run, "play": run + build, "dev": run + build + extras["dev"],
        "usb": extras["usb"],
    }.items():  # fmt: skip
        named = {pin.partition("==")[0] for pin in read_pins(f"{LOCKS}/{name}.txt")}
        plain = {re.sub(r"[-_.]+", "-", re.split("[>=]", each)[0]).lower() for each in libraries}
        assert plain <= named


def test_commands_stay_thin() -> None:
    lines = {
        path.name: len(path.read_text("utf-8").splitlines())
        for path in (ROOT / "companion/cli").glob("*.py")
    }
    assert lines
    assert {name: n for name, n in lines.items() if n > MOST_LINES_OF_A_COMMAND} == {}
