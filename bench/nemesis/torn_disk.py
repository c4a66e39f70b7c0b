"""A disk under a companion: what is certain to be on it, and what a power cut leaves of the rest.

Its changes are read from the log that `shim.c` writes.

Laws: after a power cut a file holds all that was written before its last sync, and any of what was
written after it, sector by sector; of the names that were made, changed and removed after the last
sync of their folder the first few hold. Nothing else is allowed. A record that was cut off when
the process died is no record; it is the last one of its log.
"""

import struct
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import pairwise
from pathlib import Path, PurePosixPath
from random import Random
from typing import NamedTuple

HEADER = struct.Struct("=IIQqQ")
"""Kind, length of the path, inode, offset, length of the data. The same layout as in `shim.c`."""

CREATED, WRITTEN, TRUNCATED, SYNCED, RENAMED, UNLINKED, FOLDER_SYNCED = range(1, 8)


SECTOR = 512
"""Bytes that reach the disk together."""


class Change(NamedTuple):
    """One change that a companion made to its disk; `file` is an inode."""

    kind: int
    path: str = ""
    file: int = 0
    offset: int = 0
    data: bytes = b""


def read_changes(log: bytes) -> Iterator[Change]:
    """Yield the changes of a log; the next log goes on where the last whole record ends."""
    at = 0
    while at + HEADER.size <= len(log):
        kind, path_length, file, offset, length = HEADER.unpack_from(log, at)
        length = length if kind == WRITTEN else 0
        middle = at + HEADER.size + path_length
        if middle + length > len(log):
            return
        path = log[at + HEADER.size : middle].decode()
        yield Change(kind, path, file, offset, log[middle : middle + length])
        at = middle + length


@dataclass
class TornFile:
    """A file as it was when it was last synced, and every change since."""

    synced: bytes = b""
    pending: list[Change] = field(default_factory=list)

    def sync(self) -> None:
        """Make every change certain."""
        self.synced, self.pending = self.apply(self.pending), []

    def apply(self, changes: Iterable[Change]) -> bytes:
        """Return what the file holds once these changes have reached the disk."""
        data = bytearray(self.synced)
        for change in changes:
            if change.kind == TRUNCATED:
                _resize(data, change.offset)
            else:
                end = change.offset + len(change.data)
                _resize(data, max(len(data), end))
                data[change.offset : end] = change.data
        return bytes(data)

    def tear(self, random: Random) -> bytes:
        """Return what a power cut leaves: all, none, the first few changes, or some sectors."""
        way = random.randrange(4)
        if way < 2:
            return self.apply(self.pending[: way * len(self.pending)])
        count = random.randint(0, len(self.pending))
        if way == 2:
            return self.apply(self.pending[:count])
        chosen = [sector for change in self.pending for sector in split_sectors(change)]
        share = random.random()
        return self.apply(sector for sector in chosen if random.random() < share)


def _resize(data: bytearray, length: int) -> None:
    """Cut the data off, or fill it up with zeros."""
    del data[length:]
    data.extend(bytes(length - len(data)))


def split_sectors(change: Change) -> list[Change]:
    """Split a write where sectors of the disk end; each part reaches the disk by itself."""
    if change.kind != WRITTEN:
        return [change]
    start, end = change.offset, change.offset + len(change.data)
    edges = [start, *range(start - start % SECTOR + SECTOR, end, SECTOR), end]
    return [
        change._replace(offset=a, data=change.data[a - start : b - start])
        for a, b in pairwise(edges)
    ]


class TornDisk:
    """The files of one folder, by inode, and the names that lead to them."""

    def __init__(self) -> None:
        self.files: dict[int, TornFile] = {}
        self.names: dict[str, int] = {}
        self.pending_names: list[Change] = []
        self.changes = 0

    def take_in(self, changes: Iterable[Change]) -> None:
        """Take in what the companion did to its disk."""
        for change in changes:
            self.changes += 1
            self._take_in(change)

    def _take_in(self, change: Change) -> None:
        match change.kind:
            case kind if kind in (WRITTEN, TRUNCATED):
                self.files.setdefault(change.file, TornFile()).pending.append(change)
            case kind if kind == SYNCED:
                self.files.setdefault(change.file, TornFile()).sync()
            case kind if kind == FOLDER_SYNCED:
                self.names, self.pending_names = self.names_after(self.pending_names), []
            case kind:
                if kind == CREATED:
                    self.files[change.file] = TornFile()
                self.pending_names.append(change)

    def names_after(self, changes: Iterable[Change]) -> dict[str, int]:
        """Return the names once these changes have reached the disk."""
        names = dict(self.names)
        for change in changes:
            if change.kind == CREATED:
                names[change.path] = change.file
            elif change.kind == UNLINKED:
                names.pop(change.path, None)
            elif change.kind == RENAMED:
                old, new = change.path.split("\n")
                if old in names:
                    names[new] = names.pop(old)
        return names

    def cut_power(self, random: Random) -> dict[str, bytes]:
        """Return one state in which a power cut may leave the folder: each file by its name."""
        count = random.randint(0, len(self.pending_names))
        names = self.names_after(self.pending_names[:count])
        torn = {file: self.files[file].tear(random) for file in sorted({*names.values()})}
        return {name: torn[file] for name, file in names.items()}

    def lay_out(self, folder: Path, state: Mapping[str, bytes]) -> None:
        """Make the folder hold this state and nothing else; all of it is certain from now on."""
        for path in sorted(folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        self.files, self.names, self.pending_names = {}, {}, []
        for name, data in state.items():
            path = folder / PurePosixPath(name)
            path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            path.touch(0o600)
            path.write_bytes(data)
            inode = path.stat().st_ino
            self.names[name], self.files[inode] = inode, TornFile(data)
