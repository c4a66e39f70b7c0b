"""The lists of a league for people and for spreadsheets: the standing, the sheets of a round.

Law: a name stands in them only if its member agreed; points are rounded here and nowhere before.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from companion.core.i18n import Language, message
from companion.league.standing import StandingRow
from companion.league.state import League, LeagueSheet

FORMULAS = ("=", "+", "-", "@", "\t", "\r")
"""How a cell begins that a spreadsheet would compute."""


def name_member(league: League, names: Mapping[str, str], member: str, words: Language) -> str:
    """Return how a member is called: by name, by number, or as a former member."""
    if league.members[member].has_left:
        return words(message("a former member"))
    if member in names:
        return names[member]
    return words(message("member {n}", n=league.members[member].number))


def format_points(points: Fraction) -> str:
    """Return points with at most two digits after the point, as a spreadsheet reads them."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def spell_points(points: Fraction, words: Language) -> str:
    """Return the same as people of this language write it."""
    return format_points(points).replace(".", "." if words.code == "en" else ",")


def write_csv(
    league: League, names: Mapping[str, str], standing: Sequence[StandingRow], words: Language
) -> str:
    """Return the standing as CSV, with a line of headings."""
    file = io.StringIO()
    rows = csv.writer(file, lineterminator="\r\n")
    rows.writerow(["place", "member", "name", "points", "games", "wins", "opponents"])
    for row in standing:
        told = name_member(league, names, row.member, words)
        name = f"'{told}" if told.startswith(FORMULAS) else told
        figures = (format_points(n) for n in (row.points, Fraction(row.games), row.wins,
                                              row.opponents))  # fmt: skip
        rows.writerow([row.place, league.members[row.member].number, name, *figures])
    return file.getvalue()


def list_last_sheets(league: League) -> Iterator[LeagueSheet]:
    """Yield the sheets of the newest round, by table."""
    last = len(league.rounds)
    yield from (sheet for sheet in league.sheets.values() if sheet.round == last)
