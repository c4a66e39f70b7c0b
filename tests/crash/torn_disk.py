"""A disk under a companion: what is certain to be on it, and what a power cut leaves of the rest.

Laws: after a power cut a file holds all that was written before its last sync, and any of what was
written after it, sector by sector; of the names that were made, changed and removed after the last
sync of their folder the first few hold. Nothing else is allowed.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import NamedTuple

SECTOR = 512
"""Bytes that reach the disk together."""


class Written(NamedTuple):
    """Bytes at an offset; without bytes the file ends there."""

    offset: int
    data: bytes


Names = dict[str, int | None]
"""Names and the files that they lead to from now on; without a file a name is gone."""


@dataclass
class TornFile:
    """A file as it was when it was last synced, and every change since."""

    synced: bytes = b""
    pending: list[Written] = field(default_factory=list)

    def sync(self) -> None:
        """Make every change certain."""
        self.synced, self.pending = self.apply(self.pending), []

    def apply(self, changes: Iterable[Written]) -> bytes:
        """Return the file's content once these changes have reached the disk."""
        data = bytearray(self.synced)
        for offset, written in changes:
            if not written:
                del data[offset:]
            data.extend(bytes(max(0, offset + len(written) - len(data))))
            data[offset : offset + len(written)] = written
        return bytes(data)

    def tear(self, random: Random) -> bytes:
        """Return the content after a power cut: all, none, the first few changes, or some
        sectors."""
        count = random.choice([0, len(self.pending), random.randint(0, len(self.pending))])
        if random.random() < 0.5:
            return self.apply(self.pending[:count])
        share = random.random()
        sectors = [sector for change in self.pending for sector in split_sectors(change)]
        return self.apply(sector for sector in sectors if random.random() < share)


def split_sectors(change: Written) -> list[Written]:
    """Split a write where sectors of the disk end; each part reaches the disk by itself."""
    if not change.data:
        return [change]
    start, end = change.offset, change.offset + len(change.data)
    edges = [start, *range(start - start % SECTOR + SECTOR, end, SECTOR), end]
    return [Written(a, change.data[a - start : b - start]) for a, b in pairwise(edges)]


class TornDisk:
    """The files of one folder and the names that lead to them, certain and not yet certain."""

    def __init__(self, folder: Path) -> None:
        """Take everything that is in the folder now for certain."""
        paths = [path for path in sorted(folder.rglob("*")) if path.is_file()]
        self._files = [TornFile(path.read_bytes()) for path in paths]
        self._certain: Names = {str(path.relative_to(folder)): n for n, path in enumerate(paths)}
        self._pending: list[Names] = []

    def _find(self, name: str) -> int | None:
        """Return the file of a name as programs see it."""
        return _names_after(self._certain, self._pending).get(name)

    def create(self, name: str, empties: bool) -> None:
        """Make a file of this name, if there is none; else it may be emptied."""
        if self._find(name) is None:
            self._files.append(TornFile())
            self._pending.append({name: len(self._files) - 1})
        elif empties:
            self.write(name, 0, b"")

    def write(self, name: str, offset: int, data: bytes) -> None:
        """Write at this offset; without data the file ends there."""
        if (file := self._find(name)) is not None:
            self._files[file].pending.append(Written(offset, data))

    def rename(self, name: str, new: str) -> None:
        """Give a file another name."""
        self._pending.append({new: self._find(name), name: None})

    def remove(self, name: str) -> None:
        """Remove a name."""
        self._pending.append({name: None})

    def sync(self, name: str) -> None:
        """Make certain what was written to a file; if this is a folder, the names in it."""
        if (file := self._find(name)) is not None:
            self._files[file].sync()
            return
        inside = [names for names in self._pending if str(Path(min(names)).parent) == name]
        self._certain = _names_after(self._certain, inside)
        self._pending = [names for names in self._pending if names not in inside]

    def cut_power(self, random: Random) -> dict[str, bytes]:
        """Return one state in which a power cut may leave the folder: each file by its name."""
        left = self._pending[: random.randint(0, len(self._pending))]
        found = _names_after(self._certain, left)
        return {name: self._files[n].tear(random) for name, n in found.items() if n is not None}


def _names_after(names: Names, changes: Iterable[Names]) -> Names:
    after = dict(names)
    for change in changes:
        after |= change
    return after


def lay_out(folder: Path, state: Mapping[str, bytes]) -> None:
    """Make the folder hold this state and nothing else."""
    for path in sorted(folder.rglob("*"), reverse=True):
        path.rmdir() if path.is_dir() else path.unlink()
    for name, data in state.items():
        path = folder / name
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        path.touch(0o600)
        path.write_bytes(data)
