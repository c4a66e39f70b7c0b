"""Rewrite lines of a journal that hold names, and tie the chain anew.

Laws: nothing but names and typed reasons changes: no line is lost, moved or added, and gaps stay
gaps. The chain as it was before is noted for every line that a phone may have signed, so that such
a signature can still be verified, and everyone is told that the game was rewritten.
"""

import hashlib
import sqlite3
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from pathlib import Path

import msgspec

from companion.core.durable_files import write_file
from companion.core.json_values import JsonObject
from companion.core.pseudonyms import hide_players, is_pseudonym
from companion.journal.line import CHAIN_START, mark_hash, own_hash
from companion.journal.recover_rows import CarvedLine
from companion.journal.salvage import SalvagedJournal

FILE = "erased-names.json"
"""Lies beside the journal, and goes with it into backups."""

ChangeLine = Callable[[str, str], str]
"""Returns what the event of a line, whose game has this id, is to be; the same, if nothing."""


class RewrittenGame(msgspec.Struct, frozen=True):
    """A game whose names were in the journal: the seats that lost theirs, all if none is named, and
    the chain of its record before that, by the number of the line."""

    seats: tuple[int, ...] = ()
    former: dict[int, str] = {}


Rewritten = Mapping[str, RewrittenGame]
"""The games that were rewritten, by their ids."""


def read_rewritten(journal: Path) -> Rewritten:
    """Return what was rewritten in this journal, or in one that it was restored from."""
    try:
        data = journal.with_name(FILE).read_bytes()
        return msgspec.json.decode(data, type=dict[str, RewrittenGame])
    except (OSError, ValueError, RecursionError):
        return {}


def note_rewritten(journal: Path, games: Rewritten) -> None:
    """Add games to the note; what is noted of their chains stays as it was first."""
    known = dict(read_rewritten(journal))
    for id, game in games.items():
        before = known.get(id, game)
        both = tuple(sorted({*before.seats, *game.seats}))
        seats = both if before.seats and game.seats else ()
        known[id] = RewrittenGame(seats, game.former | before.former)
    if known:
        write_file(journal.with_name(FILE), msgspec.json.encode(known))


def hide_written_names(event: str, seats: Collection[int] = ()) -> str:
    """Return the event of a line as it is written without the names of these seats, or of all."""
    fields: JsonObject = msgspec.json.decode(event)
    if fields.get("event") == "started":
        fields["players"] = hide_players(tuple(fields["players"]), seats)
    fields.pop("reason", None)
    for instead in (fields.get("instead"), *(one["instead"] for one in fields.get("also", ()))):
        if isinstance(instead, dict) and instead.get("reason"):
            instead["reason"] = ""
    return msgspec.json.encode(fields).decode()


def players_in(event: bytes) -> tuple[str, ...]:
    """Return the players as the first line of a game names them."""
    fields = msgspec.json.decode(event)
    players = fields.get("players", ()) if isinstance(fields, dict) else ()
    return tuple(name for name in players if isinstance(name, str))


def has_name(players: tuple[str, ...], seats: Collection[int] = ()) -> bool:
    """Return whether one of these seats, or any, has a name."""
    named = (n for n, name in enumerate(players, 1) if not is_pseudonym(name))
    return any(not seats or n in seats for n in named)


def has_written_names(first_events: Iterable[tuple[str, bytes]]) -> bool:
    """Return whether a game, told by its id and its first event, was begun with names in it."""
    return any(has_name(players_in(event)) for _, event in first_events)


def rewrite_lines(disk: sqlite3.Connection, change: ChangeLine) -> SalvagedJournal:
    """Return the whole journal with its lines changed and tied together anew."""
    gaps = [n for (n,) in disk.execute("SELECT n FROM gap ORDER BY n")]
    lines = tuple(_rewritten_rows(disk, change))
    last, chain = (lines[-1].n, lines[-1].chain) if lines else (0, CHAIN_START)
    if gaps and gaps[-1] > last:  # The end is lost: what is known of it is its chain alone.
        last = gaps[-1] - 1
        (told,) = disk.execute("SELECT chain FROM anchor WHERE n = ?", (last,)).fetchone()
        chain = told.hex()
    readings = disk.execute("SELECT at, text FROM chatter ORDER BY n").fetchall()
    return SalvagedJournal(lines, tuple(gaps), (), (), last, chain, tuple(readings))


def _rewritten_rows(disk: sqlite3.Connection, change: ChangeLine) -> Iterator[CarvedLine]:
    chain = bytes.fromhex(CHAIN_START)
    for row in disk.execute("SELECT * FROM line ORDER BY n"):
        n, game, id, at, via, event, own, _, key, tag, _ = row
        changed = change(id, event)
        mine = own.hex() if changed == event else own_hash(game, id, at, via, changed)
        chain = hashlib.sha256(chain + bytes.fromhex(mine)).digest()
        mark = mark_hash(n, mine, chain.hex(), key, tag)
        yield CarvedLine(n, game, id, at, via, changed, mine, chain.hex(), key, tag, mark, 0)
