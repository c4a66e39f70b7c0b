"""The standing of a league: points of finished games, and who is ahead where points are equal.

Laws: it follows from the results alone. Equal points are told apart by the games won (a shared win
counts as a share), then by what the opponents have on average; who is still equal shares a place.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

import msgspec

from companion.league.points import bye_points, share_points
from companion.league.state import League


class StandingRow(msgspec.Struct, frozen=True):
    """A member in the standing."""

    place: int
    member: str
    points: Fraction
    games: int
    wins: Fraction
    opponents: Fraction


def make_standing(league: League) -> list[StandingRow]:
    """Return the standing, the first place before."""
    played = list(_list_results(league))
    points: dict[str, Fraction] = defaultdict(Fraction)
    wins: dict[str, Fraction] = defaultdict(Fraction)
    for members, shares, places in played:
        for member, share, place in zip(members, shares, places, strict=True):
            points[member] += share
            wins[member] += Fraction(place == 1, places.count(1))
    bye = bye_points(league.founded.points, league.founded.seats)
    for each in league.rounds:
        for member in each.byes:
            points[member] += bye
    rows = [_make_row(member, points, wins, played) for member in league.members]
    keys = sorted(((row.points, row.wins, row.opponents) for row in rows), reverse=True)
    placed = [
        msgspec.structs.replace(row, place=1 + keys.index((row.points, row.wins, row.opponents)))
        for row in rows
    ]
    return sorted(placed, key=lambda row: (row.place, league.members[row.member].number))


Played = tuple[tuple[str, ...], tuple[Fraction, ...], tuple[int, ...]]
"""A game: its members, their points and their places, by seat."""


def _list_results(league: League) -> Iterator[Played]:
    founded = league.founded
    for code, result in league.results.items():
        shares = share_points(result.places, founded.points, founded.seats)
        yield league.sheets[code].members, shares, result.places


def _make_row(
    member: str,
    points: Mapping[str, Fraction],
    wins: Mapping[str, Fraction],
    played: Sequence[Played],
) -> StandingRow:
    own = [members for members, _, _ in played if member in members]
    others = [other for members in own for other in members if other != member]
    met = [points.get(other, Fraction(0)) for other in others]
    average = sum(met, Fraction(0)) / len(met) if met else Fraction(0)
    mine = points.get(member, Fraction(0)), wins.get(member, Fraction(0))
    return StandingRow(0, member, mine[0], len(own), mine[1], average)
