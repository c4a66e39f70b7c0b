"""The libraries of others, each named with its version and the hashes of its files.

Laws: pip installs nothing whose hash is not in one of these lists, and nothing that is not in
them. A list is whole, so pip never looks for what a library wants. The index is asked only for what
is not here already: with the release, or from the version before.
"""

from __future__ import annotations

import hashlib
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from .machine import TargetMachine
from .told import tell_built

LOCKS = "systemd/packaging/locks"
"""Where the lists are in a clone; `make locks` writes them."""
LISTS = ("play", "pi", "mdns")
"""Those that a Pi needs; the last one has what a floor finds its tables with."""
HASHED = ("--require-hashes", "--no-deps")
"""How pip is told so."""
UNISOLATED = ("--no-build-isolation", "--use-pep517")
"""Lest pip fetch what a library is built with, by its name alone."""
AT_ONCE = 5
"""So many libraries are fetched between two words about it."""
KEPT = "/opt/companion/libraries"
"""The files of the libraries of the newest version: the next one may be built without a network."""


@dataclass(frozen=True)
class Libraries:
    """Installs the libraries of a version that is built in a folder, with its own Python.

    `python` is the command line of that Python, run as the user who builds.
    """

    machine: TargetMachine
    python: Sequence[str]
    folder: str

    @property
    def files(self) -> str:
        """Return the folder of the libraries' files while the version is built."""
        return f"{self.folder}/libraries"

    def lay_out(self, brought: Path | None) -> None:
        """Copy there what the lists name of the files that are here already."""
        into = self.machine.path_of(self.files)
        self.machine.make_folder(into)
        known = "".join(self._read_list(name) for name in LISTS)
        for folder in (self.machine.path_of(KEPT), *([brought] if brought else [])):
            for path in sorted(folder.iterdir()) if folder.is_dir() else ():
                if path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() in known:
                    shutil.copyfile(path, into / path.name)

    def install(self, name: str, *how: str, only: str = "", anew: bool = False) -> None:
        """Install a list, or only one library of it, `how` pip is to choose among the files."""
        text = self._read_list(name)
        listed = f"{self.folder}/source/{only or name}.txt"
        names = [only] if only else locked_names(text)
        chosen = (*HASHED, *how, "--find-links", self.files, "--requirement", listed)
        for start in range(0, max(len(names), 1), AT_ONCE):
            self.machine.write_file(listed, pick_locked(text, names[start : start + AT_ONCE]))
            self._fetch(chosen)
            if not only:
                self._tell_fetched(name, start + AT_ONCE, len(names))
        self.machine.write_file(listed, pick_locked(text, names))
        again = ("--force-reinstall",) if anew else ()
        pip = (*self.python, "-m", "pip", "install", "--quiet", "--no-index")
        self.machine.run_checked(*pip, *again, *chosen)

    def _fetch(self, chosen: Sequence[str]) -> None:
        """Have the files of the libraries here, from the index only if they are not."""
        fetch = (*self.python, "-m", "pip", "download", "--quiet", "--dest", self.files, *chosen)
        if self.machine.run(*fetch, "--no-index").returncode:
            self.machine.run_checked(*fetch)

    def _tell_fetched(self, name: str, come: int, of: int) -> None:
        """Say how many libraries of a list are here."""
        tell_built(min(come, of), of, name)
        print(f"  built   {min(come, of)} of {of} libraries ({name})", flush=True)

    def install_folder(self, path: str) -> None:
        """Install the package in a folder or in one file, and nothing that it wants."""
        how = ("--quiet", "--no-index", "--no-deps", "--no-build-isolation")
        self.machine.run_checked(*self.python, "-m", "pip", "install", *how, path)

    def keep(self) -> None:
        """Keep their files for the next version, in place of those of the one before."""
        kept, new = self.machine.path_of(KEPT), self.machine.path_of(self.files)
        self.machine.make_folder(kept)
        names = {path.name for path in new.iterdir()}
        for name in sorted(names):
            (new / name).replace(kept / name)
        for path in [each for each in kept.iterdir() if each.name not in names]:
            path.unlink()
        self.machine.remove(self.files)

    def _read_list(self, name: str) -> str:
        return self.machine.read_text(str(lock_path(Path(f"{self.folder}/source"), name)))


def lock_path(clone: Path, name: str) -> Path:
    """Return the file of a list."""
    return clone / LOCKS / f"{name}.txt"


def locked_names(text: str) -> list[str]:
    """Return the names of the libraries in a list, normalized."""
    return [name for name, _lines in _entries(text)]


def pick_locked(text: str, names: Iterable[str]) -> str:
    """Return the part of a list with these libraries; KeyError if one is not in it."""
    entries = dict(_entries(text))
    return "".join(entries[normalize(name)] for name in names)


def normalize(name: str) -> str:
    """Return a library's name in the one way of writing it that all others are equal to."""
    return re.sub(r"[-_.]+", "-", name).lower()


def _entries(text: str) -> Iterator[tuple[str, str]]:
    """Yield name and lines of each library."""
    for found in re.finditer(r"^([A-Za-z0-9][\w.-]*)==.*(?:\n[ \t].*)*\n", text, re.MULTILINE):
        yield normalize(found[1]), found[0]
