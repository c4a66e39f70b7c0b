"""Keys of programs: made by `companion key`, shown once, stored as a hash, checked by the table.

Laws: a key is 32 random bytes, so its hash needs no salt and no patience, and no one can guess it;
only the hash is stored. A key counts until it is revoked, whatever the clock says. The file is the
truth: a running companion reads it again as soon as it is another one; what cannot be read holds no
key.
"""

import hashlib
import re
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.durable_files import write_file
from companion.core.errors import Malformed
from companion.core.i18n import N_

KeyRight = Literal["read", "host"]
"""What a key allows: to read what the host reads, or to do what the host does."""
FILE = "api_keys.json"
BEGINS = "tck_"
"""How every key begins, so that it is found where it should not be."""
NAMED = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,31}")
MOST = 100
UNREADABLE = (OSError, ValueError, RecursionError)


class ApiKey(msgspec.Struct, frozen=True):
    """A key as it is stored."""

    name: str
    may: KeyRight
    hash: str


class ApiKeys:
    """The keys of one data folder. Thread-safe: what was read is exchanged whole."""

    def __init__(self, folder: Path | None = None) -> None:
        self._path = None if folder is None else folder / FILE
        self._seen: tuple[int, int, int] | None = None
        self._by_hash: Mapping[str, ApiKey] = {}

    def find_key(self, written: str) -> ApiKey | None:
        """Return the key that is written out; None if there is none such."""
        self._reread_if_changed()
        return self._by_hash.get(_hash(written)) if written.startswith(BEGINS) else None

    def list_keys(self) -> list[ApiKey]:
        """Return all keys, in the order of their names."""
        self._reread_if_changed()
        return sorted(self._by_hash.values(), key=lambda key: key.name)

    def make_key(self, name: str, may: KeyRight) -> str:
        """Make and store a key of this name; return it written out, this once."""
        keys = self.list_keys()
        if not NAMED.fullmatch(name):
            text = "A key is named with 1 to 32 letters, digits, dots or hyphens, not “{field}”."
            raise Malformed(name, text)
        if any(key.name == name for key in keys):
            raise Malformed(name, N_("There is a key {field} already: revoke it first."))
        if len(keys) >= MOST:
            raise Malformed(name, N_("There are {n} keys already: revoke some first."), n=MOST)
        written = BEGINS + secrets.token_urlsafe(32)
        self._save([*keys, ApiKey(name, may, _hash(written))])
        return written

    def revoke_key(self, name: str) -> None:
        """Delete the key of this name; Malformed if there is none."""
        keys = self.list_keys()
        left = [key for key in keys if key.name != name]
        if len(left) == len(keys):
            raise Malformed(name, N_("There is no key {field}."))
        self._save(left)

    def _save(self, keys: list[ApiKey]) -> None:
        if self._path is not None:
            write_file(self._path, msgspec.json.encode(keys))
        self._by_hash = {key.hash: key for key in keys}

    def _reread_if_changed(self) -> None:
        if self._path is None:
            return
        try:
            stat = self._path.stat()
            seen = (stat.st_ino, stat.st_mtime_ns, stat.st_size)
            if seen != self._seen:
                keys = msgspec.json.decode(self._path.read_bytes(), type=list[ApiKey])
                self._by_hash, self._seen = {key.hash: key for key in keys}, seen
        except UNREADABLE:
            self._by_hash, self._seen = {}, None


def _hash(written: str) -> str:
    return hashlib.sha256(written.encode()).hexdigest()
