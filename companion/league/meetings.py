"""What members have had in a league so far: whom they met, their byes, smaller tables and points.

Law: it is all that a pairing depends on, besides the draw; so the same history and the same draw
always give the same tables.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import combinations

import msgspec

Tables = tuple[tuple[str, ...], ...]
"""The members at each table of a round, in the order of their seats."""


class LeagueRound(msgspec.Struct, frozen=True):
    """Who plays at which table, and who sits out."""

    tables: Tables
    byes: tuple[str, ...] = ()


class Meetings(msgspec.Struct, frozen=True):
    """The meetings of pairs, and how often each member sat out, at a smaller table, and first."""

    met: Mapping[tuple[str, str], int]
    byes: Mapping[str, int]
    small: Mapping[str, int]
    first: Mapping[str, int]

    def count_games(self, one: str, other: str) -> int:
        """Return how often two members sat at one table."""
        return self.met.get((one, other) if one < other else (other, one), 0)

    def have_all_met(self, members: Iterable[str]) -> bool:
        """Return whether each of these members has met every other."""
        return all(self.count_games(one, other) for one, other in combinations(members, 2))


def count_meetings(rounds: Iterable[LeagueRound]) -> Meetings:
    """Count what these rounds brought."""
    met, byes = Counter[tuple[str, str]](), Counter[str]()
    small, first = Counter[str](), Counter[str]()
    for each in rounds:
        byes.update(each.byes)
        largest = max(map(len, each.tables), default=0)
        for table in each.tables:
            met.update(combinations(sorted(table), 2))
            first.update(table[:1])
            small.update(table if len(table) < largest else ())
    return Meetings(met, byes, small, first)
