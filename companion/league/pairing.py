"""Who meets whom in the next round: Swiss by the standing, or round robin.

Laws: every member sits at one table or sits out. Who sat out least often sits out, in a Swiss round
the last in the standing among these. Of all seatings the one is looked for in which the fewest
meet again; among equal ones that in which the same do not always sit at smaller tables; among
these, in a Swiss round, that in which members of like points meet. Round robin follows a plan in
which all meet exactly once where the numbers allow one (`designs`), and is over when all have met.

Libraries for tournaments pair two; here up to six sit at a table, which is the “social golfer”
problem. It is solved by exchanging members between tables as long as that helps, from several
seatings; the tests compare it with every seating there is.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from random import Random
from typing import Literal

from companion.league.designs import find_plan
from companion.league.meetings import LeagueRound, Meetings
from companion.league.table_sizes import SeatRange, split_into_tables

Pairing = Literal["swiss", "round_robin"]
AGAIN, SMALLER = 1 << 40, 1 << 24
"""What a meeting again and a smaller table again weigh beside a difference in the standing."""
KICKS = 24
"""So many times in a row a better seating is looked for from elsewhere."""
EFFORT = 60_000
"""Exchanges that are tried at most: half a second on a laptop."""
Seating = list[list[str]]


def pair_round(
    members: Sequence[str],
    past: Meetings,
    seats: SeatRange,
    draw: str,
    places: Mapping[str, int] | None = None,
) -> LeagueRound:
    """Pair the next round; `places` are those of the standing, in a Swiss round.

    Without tables there are too few members.
    """
    random, sizes = Random(draw), split_into_tables(len(members), seats)
    ranks = dict.fromkeys(members, 0) if places is None else _rank_members(members, places)
    mixed = sorted(members)
    random.shuffle(mixed)
    byes = _choose_byes(mixed, len(members) - sum(sizes), past, ranks)
    playing = sorted((one for one in mixed if one not in byes), key=ranks.__getitem__)
    found = None if places is not None else _follow_plan(sorted(playing), sizes, past)
    if found is None:
        found = SeatSearch(past, ranks, sizes, random).search_seating(playing)
    tables = (order_seats(table, past, random) for table in found)
    return LeagueRound(tuple(tables), tuple(sorted(byes)))


def _rank_members(members: Sequence[str], places: Mapping[str, int]) -> dict[str, int]:
    """Return the place of each among these members, equal ones sharing one."""
    found = sorted({places[one] for one in members})
    return {one: found.index(places[one]) for one in members}


def _choose_byes(
    mixed: Sequence[str], count: int, past: Meetings, ranks: Mapping[str, int]
) -> set[str]:
    order = sorted(mixed, key=lambda one: (past.byes.get(one, 0), -ranks[one]))
    return set(order[:count])


def _follow_plan(members: Sequence[str], sizes: Sequence[int], past: Meetings) -> Seating | None:
    """Return the first round of a plan in which all meet for the first time, if there is one."""
    plan = find_plan(len(members), sizes[0]) if len(set(sizes)) == 1 else None
    for tables in plan or ():
        named = [[members[n] for n in table] for table in tables]
        pairs = (pair for table in named for pair in combinations(table, 2))
        if not any(past.count_games(*pair) for pair in pairs):
            return named
    return None


def order_seats(table: Sequence[str], past: Meetings, random: Random) -> tuple[str, ...]:
    """Return the members of a table by seat: who had the first seat least often has it."""
    mixed = random.sample(sorted(table), len(table))
    first = min(mixed, key=lambda one: past.first.get(one, 0))
    return (first, *(one for one in mixed if one != first))


class SeatSearch:
    """The search for the best seating of one round."""

    def __init__(
        self, past: Meetings, ranks: Mapping[str, int], sizes: Sequence[int], random: Random
    ) -> None:
        self._past, self._ranks, self._sizes, self._random = past, ranks, sizes, random
        self._left = EFFORT

    def search_seating(self, order: Sequence[str]) -> Seating:
        """Return the best seating that is found, beginning with this order."""
        if not self._sizes:
            return []
        tables, at = list[list[str]](), 0
        for size in self._sizes:
            tables.append(list(order[at : at + size]))
            at += size
        best, least = self._improve_all(tables)
        vain = 0
        while vain < KICKS and self._left > 0 and least and len(best) > 1:
            found, cost = self._improve_all(self._mix_seating(best))
            vain = 0 if cost < least else vain + 1
            if cost < least:
                best, least = found, cost
        return best

    def cost_of(self, table: Sequence[str]) -> int:
        """Return what is wrong with a table."""
        past, ranks = self._past, self._ranks
        cost = 0
        for one, other in combinations(table, 2):
            cost += AGAIN * past.count_games(one, other) + (ranks[one] - ranks[other]) ** 2
        if len(table) < self._sizes[0]:
            cost += SMALLER * sum(past.small.get(one, 0) for one in table)
        return cost

    def _improve_all(self, tables: Seating) -> tuple[Seating, int]:
        """Exchange members between tables as long as that helps; return the seating, its cost."""
        costs = [self.cost_of(table) for table in tables]
        helped = True
        while helped and self._left > 0:
            helped = False
            for one, other in combinations(range(len(tables)), 2):
                if costs[one] or costs[other]:
                    helped |= self._improve_pair(tables, costs, one, other)
        return tables, sum(costs)

    def _improve_pair(self, tables: Seating, costs: list[int], one: int, other: int) -> bool:
        """Make every exchange between two tables that helps; return whether there was one."""
        helped, here, there = False, tables[one], tables[other]
        for a in range(len(here)):
            for b in range(len(there)):
                self._left -= 1
                here[a], there[b] = there[b], here[a]
                new = self.cost_of(here), self.cost_of(there)
                if sum(new) < costs[one] + costs[other]:
                    costs[one], costs[other] = new
                    helped = True
                else:
                    here[a], there[b] = there[b], here[a]
        return helped

    def _mix_seating(self, tables: Seating) -> Seating:
        """Return a copy in which some members changed places at random."""
        copy, random = [list(table) for table in tables], self._random
        for _ in range(2 + len(copy) // 3):
            one, other = random.sample(range(len(copy)), 2)
            a, b = random.randrange(len(copy[one])), random.randrange(len(copy[other]))
            copy[one][a], copy[other][b] = copy[other][b], copy[one][a]
        return copy
