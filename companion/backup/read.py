"""Read a backup: open the archive, parse its manifest and verify its members.

Law: no member is used before its hash is verified. A damaged or forged file is refused in one
sentence, and no more is unpacked than its manifest declares.
"""

import hashlib
import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, Self

from companion.backup.format import JOURNAL, MANIFEST, Manifest, parse_manifest
from companion.core.errors import Malformed, not_read
from companion.core.i18n import N_

CHUNK_SIZE = 1 << 16
MAX_MANIFEST_SIZE = 1 << 16
MAX_SIZE = (1 << 32) - 1
"""Bytes that a backup may unpack to: the largest file that a memory stick with FAT holds."""
MAX_RATIO = 200
"""Bytes that one packed byte may become; a journal, which is mostly hashes, has less than ten."""
ANY_RATIO_SIZE = 1 << 20
"""Bytes of a member up to which the ratio does not count."""
MAX_SIZE_BESIDE_JOURNAL = 1 << 22
"""Bytes of everything beside the journal, which is read into memory at every start."""
DAMAGE_ERRORS = (
    zipfile.BadZipFile, zlib.error, struct.error, EOFError, KeyError, NotImplementedError, OSError,
    OverflowError, RuntimeError, ValueError,
)  # fmt: skip
"""The exceptions that reading a damaged archive raises."""


class Backup:
    """An open backup; Malformed if it is no backup, damaged, or from a later companion."""

    def __init__(self, file: BinaryIO, name: str) -> None:
        self._name = name
        begins = file.read(64)
        file.seek(0)
        self._is_ours = begins[:4] == b"PK\3\4" and begins[30:].startswith(MANIFEST.encode())
        try:
            self._archive = zipfile.ZipFile(file)
            self.manifest = self._read_manifest()
        except Malformed:
            raise
        except DAMAGE_ERRORS:
            raise self.damaged_error() from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._archive.close()

    def damaged_error(self) -> Malformed:
        """Return the Malformed for a damaged backup, or for a file that is none."""
        if self._is_ours:
            return Malformed(self._name, N_("{field} is damaged; take an older backup."))
        return Malformed(self._name, N_("{field} is not a backup of the companion."))

    def verify(self) -> None:
        """Verify every member against the manifest."""
        for name in self.manifest.members:
            for _ in self._read_chunks(name):
                pass

    def unpack_member(self, name: str, to: Path) -> None:
        """Write one verified member to a new private file; OSError if that cannot be written."""
        private = os.open(to, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(private, "wb") as file:
            for piece in self._read_chunks(name):
                file.write(piece)

    def read_member(self, name: str) -> bytes:
        """Return the bytes of a small member."""
        return b"".join(self._read_chunks(name))

    def _read_manifest(self) -> Manifest:
        info = self._archive.getinfo(MANIFEST)
        self._is_ours = True
        if info.file_size > MAX_MANIFEST_SIZE:
            raise ValueError("no manifest is that long")
        found = parse_manifest(self._archive.read(info), self._name)
        if sorted(self._archive.namelist()) != sorted([MANIFEST, *found.members]):
            raise ValueError("not every member is there once")
        size = sum(member.size for member in found.members.values())
        if size > MAX_SIZE or size - found.members[JOURNAL].size > MAX_SIZE_BESIDE_JOURNAL:
            raise ValueError("no table is that large")
        return found

    def _check_ratio(self, name: str, size: int) -> None:
        """Raise ValueError if this member is packed as no journal can be."""
        if size > max(ANY_RATIO_SIZE, MAX_RATIO * self._archive.getinfo(name).compress_size):
            raise ValueError("it is packed more densely than any journal")

    def _read_chunks(self, name: str) -> Iterator[bytes]:
        """Yield the bytes of a member; the last chunk only after the whole hash is verified."""
        told, sha, size = self.manifest.members[name], hashlib.sha256(), 0
        try:
            self._check_ratio(name, told.size)
            with self._archive.open(name) as member:
                while piece := member.read(CHUNK_SIZE):
                    sha.update(piece)
                    size += len(piece)
                    if size > told.size:
                        raise ValueError("it is longer than was said")
                    if size == told.size and sha.hexdigest() != told.sha256:
                        raise ValueError("it is not what was written")
                    yield piece
            if size != told.size:
                raise ValueError("it is shorter than was said")
        except DAMAGE_ERRORS:
            raise self.damaged_error() from None


@contextmanager
def open_backup(path: Path) -> Iterator[Backup]:
    """Open the backup in a file; Malformed if it cannot be read or is none."""
    try:
        file = path.open("rb")
    except OSError as error:
        raise not_read(path, error) from None
    with file, Backup(file, path.name) as backup:
        yield backup
