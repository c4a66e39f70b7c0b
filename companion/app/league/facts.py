"""What the parts of `companion league` tell programs.

Law: a name is told only of a member who agreed to be named; of all others there is their number.
"""

from collections.abc import Iterable, Mapping
from pathlib import Path

from companion.core.i18n import Language
from companion.league.arrival import Refused
from companion.league.lists import format_points, list_last_sheets
from companion.league.proof import FolderFault
from companion.league.sheet_words import sheet_words
from companion.league.standing import StandingRow
from companion.league.state import League, LeagueSheet
from companion.records.fingerprint import fingerprint_words, group_digits

Facts = dict[str, object]


def list_head(league: League) -> Facts:
    """Return the fingerprint of the book, as digits and as words."""
    chain = league.head.chain
    return {"fingerprint": group_digits(chain), "words": fingerprint_words(chain)}


def list_member(league: League, names: Mapping[str, str], member: str) -> Facts:
    """Return who a member is: the number, the name if there is one, whether they have left."""
    known = league.members[member]
    name = "" if known.has_left else names.get(member, "")
    return {"member": known.number, "name": name, "left": known.has_left}


def list_round(league: League, names: Mapping[str, str]) -> Facts:
    """Return the sheets of the newest round, and who sits out."""
    sheets = [
        {
            **name_place(sheet), "code": sheet_words(sheet.code),
            "seats": [list_member(league, names, member) for member in sheet.members],
        }
        for sheet in list_last_sheets(league)
    ]  # fmt: skip
    out = league.rounds[-1].byes if league.rounds else ()
    return {"sheets": sheets, "sits_out": [list_member(league, names, one) for one in out]}


def name_place(sheet: LeagueSheet) -> Facts:
    """Return the round and the table of a sheet."""
    return {"round": sheet.round, "table": sheet.table}


def list_standing(
    league: League, names: Mapping[str, str], standing: Iterable[StandingRow]
) -> Facts:
    """Return a standing, the first place before."""
    rows = [
        {
            "place": row.place, **list_member(league, names, row.member),
            "points": float(format_points(row.points)), "games": row.games,
            "wins": float(format_points(row.wins)),
            "opponents": float(format_points(row.opponents)),
        }
        for row in standing
    ]  # fmt: skip
    return {"standing": rows}


def list_arrivals(found: Iterable[tuple[Path, LeagueSheet | Refused]], words: Language) -> Facts:
    """Return of each record whether it counts: for which table, or why it does not."""
    return {"records": [
        {"file": str(path), "counted": False, "code": one.code, "says": words(one.say)}
        if isinstance(one, Refused)
        else {"file": str(path), "counted": True, **name_place(one)}
        for path, one in found
    ]}  # fmt: skip


def list_faults(faults: Iterable[FolderFault], words: Language) -> Facts:
    """Return every file that does not count, or is missing, and why."""
    return {"faults": [
        {"file": fault.file, "code": fault.code, "says": words(fault.say)} for fault in faults
    ]}  # fmt: skip
