"""Erase names that an earlier version wrote into the journal, wherever the journal went on this Pi.

Laws: journal, index, copies kept aside and backups all lose them, each whole or as it was before;
what the chain was is noted first. A file that is damaged or of a newer version cannot be rewritten,
and is removed. All of it can be
done twice, so an interruption is made good by doing it again.
"""

from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

import msgspec

from companion.backup.rewrite import rewrite_backups
from companion.core.durable_files import remove_file
from companion.core.errors import Malformed
from companion.core.table_events import EndSigned
from companion.journal.game_index import index_path
from companion.journal.rewriting import (
    Rewritten,
    RewrittenGame,
    hide_written_names,
    note_rewritten,
    read_rewritten,
)
from companion.records.format import Record, end_line
from companion.table.table import Table

KEPT_ASIDE = ("damaged", "newer")
"""How the ends of their names begin: salvaged from; left by a version that was gone back from."""
SIGNED = f'"event":"{EndSigned.__struct_config__.tag}"'.encode()


def erase_written_names(table: Table, path: Path, seats: Mapping[str, tuple[int, ...]]) -> None:
    """Erase the names of these seats, by their game, or all of a game, from the journal at this
    path, which this table writes.

    Raise OSError, NotWritten, Malformed or JournalFailed where something is left.
    """
    known = read_rewritten(path)
    note_rewritten(path, {id: _describe(table, id, seats[id], known) for id in seats})

    def change(id: str, event: str) -> str:
        return hide_written_names(event, seats[id]) if id in seats else event

    table.rewrite_journal(change)
    kept = [left for end in KEPT_ASIDE for left in path.parent.glob(f"{path.name}.{end}-*")]
    for left in (*kept, index_path(path)):
        with suppress(FileNotFoundError):
            remove_file(left)
    noted = {id: game for id, game in read_rewritten(path).items() if id in seats}
    rewrite_backups(path.parent, change, noted)


def _describe(table: Table, id: str, seats: tuple[int, ...], known: Rewritten) -> RewrittenGame:
    """Return what is to be noted of a game: its chain as it is now, unless it was noted before."""
    if id in known:
        return RewrittenGame(seats)
    with suppress(Malformed):  # Of a game that has no record there is nothing to verify.
        return RewrittenGame(seats, _signed_chains(table.played.record_of(id)))
    return RewrittenGame(seats)


def _signed_chains(record: Record) -> dict[int, str]:
    """Return the chain up to each line that a phone can have signed."""
    lines = {end_line(record)}
    for moment in record.moments:
        if SIGNED in bytes(moment.event):
            lines.add(msgspec.json.decode(moment.event, type=EndSigned).line)
    return {n: record.moments[n - 1].chain for n in sorted(lines) if 0 < n <= len(record.moments)}
