"""The libraries of others, each named with its version and the hashes of its files.

Laws: pip installs nothing whose hash is not in one of these lists, and nothing that is not in
them. A list is whole, so pip never looks for what a library wants.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

LOCKS = "systemd/packaging/locks"
"""Where the lists are in a clone; `make locks` writes them."""
HASHED = ("--require-hashes", "--no-deps")
"""How pip is told so."""
UNISOLATED = ("--no-build-isolation", "--use-pep517")
"""Lest pip fetch what a library is built with, by its name alone."""


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
