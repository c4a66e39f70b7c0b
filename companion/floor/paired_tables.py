"""The tables that a floor is paired with: the key of each, and the counter of its last act.

Law: a counter is on disk before an act is signed with it, so that a floor that is started anew
signs no second one with the same. The keys can be read by the owner of the folder alone.
"""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import msgspec

from companion.core.durable_files import make_folder, not_written, remove_file, write_file
from companion.core.i18n import Message

FOLDER = "tables"


class PairedTable(msgspec.Struct, frozen=True):
    """A table at which this floor may act: id, address, name, key, the counter of the last act."""

    table: str
    address: str
    name: str
    key: str
    counter: int = 0
    broker: str = ""
    """The fingerprint of what it was told of the broker; empty if it was told nothing."""


class Acted(NamedTuple):
    """How an act went: what the table gave, and why it was not done, with the code of that."""

    body: bytes = b""
    failed: Message | None = None
    code: str = ""


class PairingTry(NamedTuple):
    """A pairing that is offered: where, the code to show, and what tells how it ended."""

    address: str
    code: str
    ended: Callable[[], bool | None]
    """Returns None while the table is waited for."""


class PairedTables:
    """The tables in the folder of a floor; used on one thread."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / FOLDER
        self.on_change: Callable[[], object] = lambda: None
        """Called when a table was paired."""
        make_folder(self._folder)
        found = (_load_table(path) for path in sorted(self._folder.glob("*.json")))
        self._tables = {one.table: one for one in found if one is not None}

    def list_tables(self) -> list[PairedTable]:
        """Return all tables that are paired, by name."""
        return sorted(self._tables.values(), key=lambda one: one.name)

    def find_table(self, id: str, address: str = "") -> PairedTable | None:
        """Return the table of this id, else the one that was paired at this address."""
        at = address.rstrip("/")
        same = (one for one in self._tables.values() if at and one.address == at)
        return self._tables.get(id) or next(same, None)

    def keep_table(self, table: PairedTable) -> None:
        """Keep a table that was paired; NotWritten if the disk does not take it."""
        self._write_table(table)
        self.on_change()

    def note_address(self, id: str, address: str) -> None:
        """Keep the address at which a table has proven to be; NotWritten if the disk does not
        take it."""
        kept = self._tables.get(id)
        if kept is not None and kept.address != address:
            self._write_table(msgspec.structs.replace(kept, address=address))

    def note_broker(self, id: str, fingerprint: str) -> None:
        """Keep what a table was told of the broker."""
        kept = self._tables.get(id)
        if kept is not None:
            self._write_table(msgspec.structs.replace(kept, broker=fingerprint))

    def _write_table(self, table: PairedTable) -> None:
        write_file(self._folder / f"{table.table}.json", msgspec.json.encode(table), 0o600)
        self._tables[table.table] = table

    def take_counter(self, table: PairedTable, beyond: int = 0) -> PairedTable:
        """Return the table with its next counter, above `beyond` too; it is on disk by then."""
        kept = self._tables[table.table]
        counted = msgspec.structs.replace(kept, counter=max(kept.counter, beyond) + 1)
        self._write_table(counted)
        return counted

    def forget_table(self, id: str) -> None:
        """Forget a table and its key; NotWritten if the disk does not take that."""
        path = self._folder / f"{id}.json"
        if id in self._tables:
            try:
                remove_file(path)
            except OSError as error:
                raise not_written(path, error) from None
            del self._tables[id]


def _load_table(path: Path) -> PairedTable | None:
    try:
        found = msgspec.json.decode(path.read_bytes(), type=PairedTable)
        return found if len(bytes.fromhex(found.key)) == 32 else None
    except (OSError, ValueError):
        return None
