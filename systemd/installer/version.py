"""A version: a virtual environment of its own, built beside the one that runs, swapped by a link.

Laws: what comes from an index is installed by its hash and run by a user that owns nothing else,
never by root. A version lies where it will run and never moves, because an environment knows its
own path. It is named by a hash of its files, so the same clone on the same Pi is the same version.
One whose mark does not fit its files is not whole, and another is built beside it.
"""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TypedDict

from . import gpio
from .libraries import LISTS, LOCKS, Libraries
from .machine import InstallFailed, TargetMachine
from .pi import Pi
from .step import InstallStep
from .system import BUILDER, command_as_user
from .trial import AGAIN, CURRENT, HOME, PREVIOUS, VERSIONS, linked

WHOLE = "whole"
CLONE = Path(__file__).resolve().parents[2]
LOCK_FILES = tuple(f"{LOCKS}/{name}.txt" for name in LISTS)
PAPERS = ("pyproject.toml", "setup.py", "README.md", "LICENSE", *LOCK_FILES)
ROOMS = ("companion", "hardware", "web", "systemd")
OFFSHOOTS = ("__pycache__", "*.pyc", "*.mo", "web/compiled_templates/*")
APART = ("systemd/packaging/*", "systemd/packaging/*/*", "systemd/*.md")
"""What a Pi does not need of a release."""
RELEASE = "release"
"""The folder in a version with the installer, by which it is updated and left."""
ITS_NEEDS = ("hardware/__init__.py", "hardware/gpio_package.py")
ASKED = Path(__file__).with_name("read_config.py")


def installed_files(clone: Path) -> Iterator[Path]:
    """Yield the files of the clone that are installed, in order."""
    for room in ROOMS:
        for path in sorted((clone / room).rglob("*")):
            if path.is_file() and not any(path.match(p) for p in (*OFFSHOOTS, *APART)):
                yield path.relative_to(clone)
    yield from map(Path, PAPERS)


def folder_digest(folder: Path) -> str:
    """Return a hash over all files of a folder but those that Python writes by itself."""
    found = hashlib.sha256()
    for path in sorted(folder.rglob("*")):
        if path.name == WHOLE or path.suffix == ".pyc" or path.is_dir():
            continue
        found.update(f"\0{path.relative_to(folder)}\0".encode("utf-8", "surrogateescape"))
        found.update(str(path.readlink()).encode() if path.is_symlink() else path.read_bytes())
    return found.hexdigest() + "\n"


class Settings(TypedDict):
    """The settings that `read_config.py` prints as JSON."""

    profile: str
    doctor: list[str]
    lines: list[str]
    pins: list[int]
    devices: list[str]
    lang: str
    address: str
    port: int
    addresses: list[str]
    set_up: bool


@dataclass(frozen=True)
class Version:
    """One version of the companion on this machine."""

    machine: TargetMachine
    pi: Pi
    clone: Path = CLONE
    brought: Path | None = None
    """A folder with files of libraries that the release brings along."""

    @cached_property
    def name(self) -> str:
        """A hash over its files, so the same clone on the same Pi has the same name."""
        found = hashlib.sha256(f"{self.pi.system} {self.pi.gpio_package}".encode())
        for path in installed_files(self.clone):
            found.update(f"\0{path.as_posix()}\0".encode() + (self.clone / path).read_bytes())
        return found.hexdigest()[:12]

    @cached_property
    def folder_name(self) -> str:
        """Its folder's name: an existing whole one, else one that is not the running version's
        folder, which may hold the same version, damaged."""
        names = (self.name, f"{self.name}{AGAIN}")
        current = self.machine.path_of(CURRENT)
        runs = current.readlink().name if current.is_symlink() else ""
        whole = sorted((n for n in names if self._is_whole(n)), key=lambda n: n != runs)
        return (whole or [n for n in names if n != runs])[0]

    @property
    def folder(self) -> str:
        return f"{VERSIONS}/{self.folder_name}"

    @property
    def python(self) -> str:
        return f"{self.folder}/bin/python"

    def is_built(self) -> bool:
        """Return whether it is built completely and undamaged."""
        return self._is_whole(self.folder_name)

    @cached_property
    def _whole(self) -> dict[str, bool]:
        """The folders checked so far; reading all of one takes a Pi seconds."""
        return {}

    def _is_whole(self, place: str) -> bool:
        if place not in self._whole:
            try:
                mark = self.machine.read_text(f"{VERSIONS}/{place}/{WHOLE}")
                read = mark and folder_digest(self.machine.path_of(f"{VERSIONS}/{place}"))
            except OSError:  # A worn-out card that cannot be read any more.
                mark = read = ""
            self._whole[place] = bool(mark) and mark == read
        return self._whole[place]

    def build(self) -> None:
        """Build it; on failure remove what there is, so that its space is free again."""
        self.machine.remove(self.folder)
        self._whole[self.folder_name] = False
        try:
            self._build_environment()
            self._whole[self.folder_name] = True
        except (InstallFailed, OSError):
            self.machine.remove(self.folder)
            raise

    def _build_environment(self) -> None:
        machine, source = self.machine, f"{self.folder}/source"
        packages = ("--system-site-packages",) if self.pi.system != "bookworm" else ()
        machine.run_checked("python3", "-m", "venv", *packages, self.folder)
        self._copy_sources(machine.path_of(source))
        libraries = Libraries(machine, command_as_user([self.python], BUILDER), self.folder)
        libraries.lay_out(self.brought)
        machine.run_checked("chown", "--recursive", f"{BUILDER}:{BUILDER}", self.folder)
        for name in ("play", "mdns"):
            libraries.install(name, "--only-binary", ":all:")
        gpio.install_packages(libraries, self.pi)
        libraries.install_folder(source)
        gpio.check_packages(machine, self.pi, libraries.python)
        machine.remove(source)
        machine.run_checked("chown", "--recursive", "root:root", self.folder)
        libraries.keep()
        self._keep_installer()
        machine.sync_disks()
        machine.write_file(f"{self.folder}/{WHOLE}", folder_digest(machine.path_of(self.folder)))

    def _copy_sources(self, into: Path) -> None:
        for path in installed_files(self.clone):
            self.machine.make_folder((into / path).parent)
            shutil.copyfile(self.clone / path, into / path)

    def _keep_installer(self) -> None:
        """Copy the installer from the clone: nothing that the builder could have changed."""
        for path in installed_files(self.clone):
            if path.parts[0] == "systemd" or path.as_posix() in ITS_NEEDS:
                kept = self.machine.path_of(f"{self.folder}/{RELEASE}") / path
                self.machine.make_folder(kept.parent)
                shutil.copy(self.clone / path, kept)

    def read_config(self, config: str, data: str, profile: str) -> Settings:
        """Return the config as this version reads it, with this profile in it if one is named."""
        ask = [self.python, "-IB", "-c", ASKED.read_text("utf-8"), config, data, profile]
        done = self.machine.run(*(command_as_user(ask) if os.geteuid() == 0 else ask))
        if done.returncode:
            raise InstallFailed(
                done.stderr.strip().rpartition("\n")[2] or "The new version says nothing."
            )
        answer: Settings = json.loads(done.stdout)
        return answer


def version_step(version: Version) -> InstallStep:
    """Return the step that builds the new version beside the one that runs."""
    home = version.machine.path_of(HOME)
    return InstallStep(
        f"version {version.name} with {version.pi.gpio_package} in {version.folder} (some minutes)",
        version.is_built,
        version.build,
        home.exists,
        lambda: version.machine.remove(HOME),
    )


def leftovers_step(version: Version) -> InstallStep:
    """Return the step that removes what a failed run left: half a version, and its log."""
    machine, folder = version.machine, version.machine.path_of(VERSIONS)

    def leftovers() -> list[str]:
        used = {Path(linked(machine, name)).name for name in (CURRENT, PREVIOUS)}
        found = list(folder.iterdir()) if folder.is_dir() else []
        half = [f"{VERSIONS}/{p.name}" for p in found if not (p / WHOLE).exists()]
        log = f"{HOME}/install.log"
        names = [name for name in half if Path(name).name not in used]
        return [*names, log] if machine.path_of(log).exists() else names

    def apply() -> None:
        for name in leftovers():
            machine.remove(name)

    return InstallStep(
        "nothing of a run that failed", lambda: not leftovers(), apply,
        lambda: False, lambda: None,
    )  # fmt: skip
