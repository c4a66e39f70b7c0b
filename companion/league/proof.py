"""Prove a standing from the folder of a league alone: its book and the records beside it.

Laws: nothing is believed that can be worked out. Every file among the records is verified and named
if it does not count, with the reason; every result of the book needs its record, byte by byte, and
is worked out again from it. Who has the whole folder could make all of it anew, with keys of their
own: only the fingerprint of the book tells, which the league shows after every round.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from companion.core.i18n import Message, message
from companion.league.arrival import (
    CHANGED,
    Code,
    Refused,
    check_arrival,
    name_sheet,
    refuse_again,
)
from companion.league.book import BadBook, GameArrived, parse_lines
from companion.league.standing import StandingRow, make_standing
from companion.league.state import League, LeagueSheet, apply_line
from companion.records.fingerprint import group_digits
from companion.records.parse import read_bytes

BOOK, RECORDS = "book.jsonl", "records"


class FolderFault(msgspec.Struct, frozen=True):
    """A file that does not count, or is missing, and why."""

    file: str
    code: Code | Literal["book", "missing"]
    say: Message


class LeagueProof(msgspec.Struct, frozen=True):
    """What a folder proves; `league` has only the results that have their record."""

    league: League | None
    faults: tuple[FolderFault, ...] = ()
    standing: tuple[StandingRow, ...] = ()

    @property
    def is_proven(self) -> bool:
        """Return whether every file is in order."""
        return self.league is not None and not self.faults


class _Sound(msgspec.Struct, frozen=True):
    """A file with a whole game of this league."""

    name: str
    sheet: LeagueSheet
    arrived: GameArrived


def prove_folder(folder: Path, kept: Sequence[str] = ()) -> LeagueProof:
    """Verify the book and every record of a folder; `kept` are fingerprints of the book as digits.

    A fingerprint may be of any line, as the book has grown since. Raise BadRecord if a file cannot
    be read.
    """
    league, faults = _read_book(read_bytes(folder / BOOK), kept)
    if league is None:
        return LeagueProof(None, tuple(faults))
    checked = [
        (path.name, check_arrival(league, read_bytes(path) if path.is_file() else b""))
        for path in _list_files(folder / RECORDS)
    ]
    faults += (FolderFault(name, found.code, found.say) for name, found in checked
               if isinstance(found, Refused))  # fmt: skip
    sound = [_Sound(name, *found) for name, found in checked if not isinstance(found, Refused)]
    counted = set[str]()
    for one in sorted(sound, key=lambda one: one.name != one.sheet.file):
        refused = _refuse_sound(league, one, counted)
        if refused is None:
            counted.add(one.sheet.code)
        else:
            faults.append(FolderFault(one.name, refused.code, refused.say))
    faults += _list_missing(league, counted, {fault.file for fault in faults})
    results = {code: result for code, result in league.results.items() if code in counted}
    proven = msgspec.structs.replace(league, results=results)
    return LeagueProof(proven, tuple(faults), tuple(make_standing(proven)))


def _list_files(folder: Path) -> list[Path]:
    """Return what lies among the records, but for files that are just being written."""
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in found if not path.name.startswith("."))


def _read_book(data: bytes, kept: Sequence[str]) -> tuple[League | None, list[FolderFault]]:
    """Return the league as far as its book is sound, and what is wrong with the book."""
    league: League | None = None
    faults, chains = list[FolderFault](), set[str]()
    try:
        for line in parse_lines(data):
            league = apply_line(league, line)
            chains.add(group_digits(line.chain).replace(" ", ""))
    except BadBook as bad:
        faults.append(FolderFault(BOOK, "book", bad.say))
    if kept and not chains.intersection(kept):
        text = message("None of the fingerprints that were given is of this book.")
        faults.append(FolderFault(BOOK, "book", text))
    return league, faults


def _refuse_sound(league: League, one: _Sound, counted: set[str]) -> Refused | None:
    """Return why a whole game of this league does not count."""
    result, use = league.results.get(one.sheet.code), name_sheet(one.sheet)
    if result is None:
        return Refused("not_taken", message("The league has not taken this game of {use} yet.",
                                            use=use))  # fmt: skip
    again = refuse_again(league, one.sheet, one.arrived)
    if again is not None and (again.code != "doubled" or one.sheet.code in counted):
        return again
    if one.arrived.file != result.file:
        return Refused("changed", Message(CHANGED, {"use": use}))
    if one.arrived != result:
        text = message("The book has another result of {use} than its record brings.", use=use)
        return Refused("other_result", text)
    if one.name != one.sheet.file:
        text = message("This is the game of {use}, which the name of the file does not say.",
                       use=use)  # fmt: skip
        return Refused("other_sheet", text)
    return None


def _list_missing(league: League, counted: set[str], named: set[str]) -> Iterator[FolderFault]:
    for code in league.results:
        sheet = league.sheets[code]
        if code not in counted and sheet.file not in named:
            text = message("The record of {use} is missing, and its result is not proven.",
                           use=name_sheet(sheet))  # fmt: skip
            yield FolderFault(sheet.file, "missing", text)
