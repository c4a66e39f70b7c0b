"""What a forger makes of the folder of a league, and what has to be said of it.

Law: whoever forges has the whole folder and everything in it, but neither the private keys of the
phones nor the fingerprint of the book that the league has shown.
"""

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import msgspec

from companion.core.events import Opened, Started
from companion.core.table_events import EndSigned
from companion.league.acts import pair_next_round
from companion.league.book import AnyEntry, GameArrived, RoundPaired, parse_lines, write_line
from companion.league.book import to_bytes as book_bytes
from companion.league.proof import BOOK, RECORDS
from companion.league.state import League, read_league
from companion.records.format import Record, end_line, to_bytes
from companion.records.parse import parse_record
from tests.worlds.league_folder import begin_for, found, play_sheet, sign_all
from tests.worlds.signed_records import (
    FORGERS,
    Signed,
    another_value,
    events_of,
    played,
    reseal_under,
    written,
)

replace = msgspec.structs.replace


class Named(NamedTuple):
    """A file that has to be named, and what may be said of it."""

    file: str
    codes: frozenset[str]


class ForgedFolder:
    """The folder of a forger, a copy of a sound one."""

    def __init__(self, sound: Path, folder: Path, random: Random) -> None:
        shutil.copytree(sound, folder)
        (folder / "league.sqlite3").unlink()
        self.folder, self.random = folder, random
        self.lines = list(parse_lines((folder / BOOK).read_bytes()))
        self.league: League = read_league(self.lines)
        self.files = sorted(path.name for path in (folder / RECORDS).iterdir())

    def path(self, file: str) -> Path:
        return self.folder / RECORDS / file

    def pick(self) -> str:
        return self.random.choice(self.files)

    def record(self, file: str) -> Record:
        return parse_record(self.path(file).read_bytes())

    def put(self, file: str, record: Record) -> None:
        self.path(file).write_bytes(to_bytes(record))

    def code_of(self, file: str) -> str:
        return next(code for code, s in self.league.sheets.items() if s.file == file)

    def rewrite_book(self, change: Callable[[AnyEntry], AnyEntry]) -> None:
        """Change entries of the book, and compute its chain again."""
        before, lines = None, []
        for line in self.lines:
            before = write_line(change(line.said), before)
            lines.append(before)
        (self.folder / BOOK).write_bytes(book_bytes(lines))


def named(file: str, *codes: str) -> list[Named]:
    return [Named(file, frozenset(codes))]


def flip_bit(f: ForgedFolder) -> list[Named]:
    file = f.pick()
    data = bytearray(f.path(file).read_bytes())
    data[f.random.randrange(len(data))] ^= 1 << f.random.randrange(8)
    f.path(file).write_bytes(data)
    return named(file, "consistent", "changed")


def drop_line(f: ForgedFolder) -> list[Named]:
    file = f.pick()
    lines = f.path(file).read_bytes().split(b"\n")
    del lines[f.random.randrange(len(lines) - 1)]
    f.path(file).write_bytes(b"\n".join(lines))
    return named(file, "consistent")


def move_line(f: ForgedFolder) -> list[Named]:
    file = f.pick()
    lines = f.path(file).read_bytes().split(b"\n")
    line = lines.pop(f.random.randrange(1, len(lines) - 2))
    lines.insert(0, line)
    f.path(file).write_bytes(b"\n".join(lines))
    return named(file, "consistent")


def change_score(f: ForgedFolder) -> list[Named]:
    """Another choice, and the chain made anew."""
    file = f.pick()
    events = events_of(record := f.record(file))
    n = f.random.choice([n for n, event in enumerate(events) if isinstance(event, Opened)])
    events[n] = replace(events[n], value=another_value(events[n].value))
    f.put(file, written(record.header.game, record.header.id, events))
    return named(file, "sealed")


def tamper(f: ForgedFolder) -> list[Named]:
    """Whatever else a forger of one record does, the chain made anew."""
    file = f.pick()
    kind = f.random.choice(("change_order", "drop_moment", "change_signature"))
    sound = Signed(f.record(file), ("signed",) * 3, {})
    f.path(file).write_bytes(FORGERS[kind](sound, f.random).data)
    return named(file, "legal", "sealed", "signed", "unfinished", "changed")


def strip_signatures(f: ForgedFolder) -> list[Named]:
    """Another choice in a game without any signature, sealed and chained anew."""
    file = f.pick()
    other = begin_for(f.code_of(file), f.random.randrange(10**6))
    id = f.record(file).header.id
    f.put(file, written(other.header.game, id, reseal_under(other, id)))
    return named(file, "changed")


def double(f: ForgedFolder) -> list[Named]:
    """The same record again, under another name."""
    file, other = f.pick(), f.random.choice(("evening.jsonl", "round-2-table-9.jsonl", "a.jsonl"))
    shutil.copy(f.path(file), f.path(other))
    return named(other, "doubled")


def double_over_another(f: ForgedFolder) -> list[Named]:
    """The record of one table in place of that of another."""
    file, other = f.random.sample(f.files, 2)
    shutil.copy(f.path(file), f.path(other))
    return named(other, "doubled")


def swap_tables(f: ForgedFolder) -> list[Named]:
    """Two tables of a round, or of two rounds, exchange their records."""
    file, other = f.random.sample(f.files, 2)
    f.path(file).rename(f.path("aside"))
    f.path(other).rename(f.path(file))
    f.path("aside").rename(f.path(other))
    return named(file, "other_sheet") + named(other, "other_sheet")


def bring_from_another_league(f: ForgedFolder) -> list[Named]:
    """A whole signed game of another league, in place of one of this."""
    file = f.pick()
    store = found(f.folder.parent / f"other-{f.folder.name}")
    sheet = pair_next_round(store).open_sheets[0]
    store.close()
    f.put(file, play_sheet(sheet, f.random.randrange(10**6)).record)
    return named(file, "foreign")


def bring_old_game(f: ForgedFolder) -> list[Named]:
    """A whole signed game of an evening without a league."""
    file = f.random.choice((f.pick(), "best.jsonl"))
    f.put(file, sign_all(played("robby_solo", f.random.randrange(4)), 3).record)
    return named(file, "foreign")


def give_old_game_the_code(f: ForgedFolder) -> list[Named]:
    """An old signed game, whose id is changed to that of a sheet, and the chain made anew."""
    file = f.pick()
    id = begin_for(f.code_of(file), f.random.randrange(10**6), 3).header.id
    events = events_of(sign_all(played("robby_solo", f.random.randrange(4)), 3).record)
    events = [replace(e, id=id) if isinstance(e, Started) else e for e in events]
    f.put(file, written("robby_solo", id, events))
    return named(file, "sealed", "signed")


def break_off(f: ForgedFolder) -> list[Named]:
    """A game up to a moment before its end, the chain right."""
    file = f.pick()
    events = events_of(record := f.record(file))
    events = events[: f.random.randrange(1, end_line(record))]
    f.put(file, written(record.header.game, record.header.id, events))
    return named(file, "unfinished")


def play_again(f: ForgedFolder) -> list[Named]:
    """A second whole game of the same sheet, signed by all, in place of the first."""
    file = f.pick()
    sheet = f.league.sheets[f.code_of(file)]
    f.put(file, play_sheet(sheet, f.random.randrange(10**6, 10**7)).record)
    return named(file, "second")


def swap_seats(f: ForgedFolder) -> list[Named]:
    """Two members exchange their seats in the book, whose chain is made anew."""
    sheet = f.league.sheets[f.code_of(f.pick())]
    one, other = f.random.sample(sheet.members, 2)
    swapped = tuple({one: other, other: one}.get(m, m) for m in sheet.members)

    def change(said: AnyEntry) -> AnyEntry:
        if isinstance(said, RoundPaired) and said.round == sheet.round:
            at = sheet.table - 1
            return replace(said, tables=(*said.tables[:at], swapped, *said.tables[at + 1 :]))
        return said

    f.rewrite_book(change)
    return named(sheet.file, "foreign")


def change_result(f: ForgedFolder) -> list[Named]:
    """Another result in the book, whose chain is made anew."""
    file = f.pick()
    sheet = f.league.sheets[f.code_of(file)]

    def change(said: AnyEntry) -> AnyEntry:
        if isinstance(said, GameArrived) and (said.round, said.table) == (sheet.round, sheet.table):
            return replace(said, places=(1, *said.places[:-1]), totals=(10**6, *said.totals[1:]))
        return said

    f.rewrite_book(change)
    return named(file, "other_result")


def edit_book(f: ForgedFolder) -> list[Named]:
    """A bit of the book."""
    data = bytearray((f.folder / BOOK).read_bytes())
    data[f.random.randrange(len(data))] ^= 1 << f.random.randrange(8)
    (f.folder / BOOK).write_bytes(data)
    return named(BOOK, "book")


def cut_book(f: ForgedFolder) -> list[Named]:
    """The last result is taken out of the book, the record stays."""
    lines = f.lines[:-1]
    (f.folder / BOOK).write_bytes(book_bytes(lines))
    gone: Any = f.lines[-1].said
    return named(f"round-{gone.round}-table-{gone.table}.jsonl", "not_taken")


def take_away(f: ForgedFolder) -> list[Named]:
    file = f.pick()
    f.path(file).unlink()
    return named(file, "missing")


def relabel(f: ForgedFolder) -> list[Named]:
    """Another version of the companion in the first line, which no hash of the game covers."""
    file = f.pick()
    data = f.path(file).read_bytes()
    first, _, rest = data.partition(b"\n")
    header = msgspec.json.decode(first)
    header["companion"] = "0.0.1"
    f.path(file).write_bytes(msgspec.json.encode(header) + b"\n" + rest)
    return named(file, "changed")


def seat_others(f: ForgedFolder) -> list[Named]:
    """A game of another number of players, begun for a sheet."""
    file = f.pick()
    plain = begin_for(f.code_of(file), f.random.randrange(10**6), 4)
    f.put(file, sign_all(plain, 5).record)
    return named(file, "other_seats")


def play_another_box(f: ForgedFolder) -> list[Named]:
    """A game of another box, begun for a sheet."""
    file = f.pick()
    plain = begin_for(f.code_of(file), f.random.randrange(10**6), 3, "banque_fatale")
    f.put(file, sign_all(plain, 5).record)
    return named(file, "other_game")


def drop_end_signature(f: ForgedFolder) -> list[Named]:
    """One phone has not signed the end any more, and the chain is made anew."""
    file = f.pick()
    events = events_of(record := f.record(file))
    signed = [n for n, event in enumerate(events) if isinstance(event, EndSigned)]
    del events[f.random.choice(signed)]
    f.put(file, written(record.header.game, record.header.id, events))
    return named(file, "changed")


KINDS: tuple[Callable[[ForgedFolder], list[Named]], ...] = (
    flip_bit, change_score, double, swap_tables, bring_from_another_league, bring_old_game,
    break_off, swap_seats, drop_line, move_line, tamper, strip_signatures, double_over_another,
    give_old_game_the_code, play_again, change_result, edit_book, cut_book, take_away, relabel,
    seat_others, play_another_box, drop_end_signature,
)  # fmt: skip
