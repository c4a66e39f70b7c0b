"""A version: a virtual environment of its own, built beside the one that runs, swapped by a link.

Laws: a version lies where it will run and never moves, because an environment knows its own path.
It is called after what is in it, so the same clone on the same Pi is the same version. One whose
mark does not fit what lies there is not whole, and another is built beside it.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from . import environment, gpio
from .machine import Failed, Machine
from .pi import Pi
from .step import Step, link

HOME = "/opt/companion"
VERSIONS = f"{HOME}/versions"
CURRENT = f"{HOME}/current"
WHOLE = "whole"
CLONE = Path(__file__).resolve().parents[2]
PAPERS = ("pyproject.toml", "setup.py", "constraints.txt", "README.md", "LICENSE")
ROOMS = ("companion", "hardware", "web")
OFFSHOOTS = ("__pycache__", "*.pyc", "*.mo")
ASKED = Path(__file__).with_name("read_config.py")


def contents(clone: Path) -> Iterator[Path]:
    """The files of the clone that are installed, in order."""
    for room in ROOMS:
        for path in sorted((clone / room).rglob("*")):
            if path.is_file() and not any(path.match(p) for p in OFFSHOOTS):
                yield path.relative_to(clone)
    yield from map(Path, PAPERS)


def digest(folder: Path) -> str:
    """One number for all that lies in a folder, but what Python keeps there of its own accord."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.name == WHOLE or path.suffix == ".pyc" or path.is_dir():
            continue
        found.update(f"\0{path.relative_to(folder)}\0".encode("utf-8", "surrogateescape"))
        found.update(str(path.readlink()).encode() if path.is_symlink() else path.read_bytes())
    return found.hexdigest() + "\n"


@dataclass(frozen=True)
class Version:
    """One version of the companion on this machine."""

    machine: Machine
    pi: Pi
    clone: Path = CLONE

    @cached_property
    def name(self) -> str:
        """Called after what is in it."""
        found = hashlib.sha256(f"{self.pi.system} {self.pi.gpio}".encode())
        for path in contents(self.clone):
            found.update(f"\0{path.as_posix()}\0".encode() + (self.clone / path).read_bytes())
        return found.hexdigest()[:12]

    @cached_property
    def place(self) -> str:
        """Its folder's name: where it stands whole already, else where it is not in the way of the
        one that runs, which may be the same, damaged."""
        names = (self.name, f"{self.name}-again")
        current = self.machine.path(CURRENT)
        runs = current.readlink().name if current.is_symlink() else ""
        whole = sorted((n for n in names if self._is_whole(n)), key=lambda n: n != runs)
        return (whole or [n for n in names if n != runs])[0]

    @property
    def folder(self) -> str:
        """Where it lies."""
        return f"{VERSIONS}/{self.place}"

    @property
    def python(self) -> str:
        """Its own Python."""
        return f"{self.folder}/bin/python"

    def stands(self) -> bool:
        """Whether it is built to the end, and nothing in it was damaged since."""
        return self._is_whole(self.place)

    @cached_property
    def _whole(self) -> dict[str, bool]:
        """Which folders are known to be whole or not: reading all of one takes a Pi seconds."""
        return {}

    def _is_whole(self, place: str) -> bool:
        if place not in self._whole:
            try:
                mark = self.machine.text(f"{VERSIONS}/{place}/{WHOLE}")
                read = mark and digest(self.machine.path(f"{VERSIONS}/{place}"))
            except OSError:  # A worn-out card that cannot be read any more.
                mark = read = ""
            self._whole[place] = bool(mark) and mark == read
        return self._whole[place]

    def build(self) -> None:
        """Build it; what cannot be finished is taken away again, so that there is room."""
        self.machine.remove(self.folder)
        self._whole[self.place] = False
        try:
            self._build()
            self._whole[self.place] = True
        except (Failed, OSError):
            self.machine.remove(self.folder)
            raise

    def _build(self) -> None:
        machine, source = self.machine, f"{self.folder}/source"
        packages = ("--system-site-packages",) if self.pi.system != "bookworm" else ()
        machine.must("python3", "-m", "venv", *packages, self.folder)
        self._copy(machine.path(source))
        constraints = f"{source}/constraints.txt"
        quietly = (self.python, "-m", "pip", "install", "--quiet")
        machine.must(*quietly, "-c", constraints, *self._libraries())
        gpio.install(machine, self.pi, self.python, constraints)
        machine.must(*quietly, "--no-deps", "--no-build-isolation", source)
        gpio.check(machine, self.pi, self.python)
        machine.remove(source)
        machine.settle()
        machine.write(f"{self.folder}/{WHOLE}", digest(machine.path(self.folder)))

    def _copy(self, into: Path) -> None:
        for path in contents(self.clone):
            self.machine.folder((into / path).parent)
            shutil.copyfile(self.clone / path, into / path)

    def _libraries(self) -> list[str]:
        """What the program's own papers say that it needs."""
        return [*environment.required_libraries(self.clone / "pyproject.toml", "")]

    def asked(self, config: str, data: str, profile: str) -> dict[str, Any]:
        """What this version says of the config, with this profile in it if one is named."""
        said = (config, data, profile)
        done = self.machine.run(self.python, "-IB", "-c", ASKED.read_text("utf-8"), *said)
        if done.returncode:
            raise Failed(done.stderr.strip().rpartition("\n")[2] or "The new version says nothing.")
        answer: dict[str, Any] = json.loads(done.stdout)
        return answer


def step(version: Version) -> Step:
    """The new version stands, beside the one that runs."""
    home = version.machine.path(HOME)
    return Step(
        f"version {version.name} with {version.pi.gpio} in {version.folder} (some minutes)",
        version.stands,
        version.build,
        home.exists,
        lambda: version.machine.remove(HOME),
    )


def swap(version: Version) -> Step:
    """The new version is the one that runs from its next start on."""
    return link(version.machine, f"version {version.name} is the one that runs", CURRENT,
                f"versions/{version.place}")  # fmt: skip


def tidy(version: Version) -> Step:
    """No version but this one, and no word of a failure that is mended."""
    machine, folder = version.machine, version.machine.path(VERSIONS)

    def old() -> list[str]:
        found = [path.name for path in folder.iterdir()] if folder.is_dir() else []
        names = [f"{VERSIONS}/{name}" for name in found if name != version.place]
        log = f"{HOME}/install.log"
        return [*names, log] if machine.path(log).exists() else names

    def do() -> None:
        for name in old():
            machine.remove(name)

    return Step("no older version", lambda: not old(), do, lambda: False, lambda: None)
