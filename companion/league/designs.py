"""Plans in which everyone meets everyone else exactly once, for the numbers that allow one.

Two at a table: the circle, for any number of members; with an odd one, each sits out once. Three,
four or five at a table, and a power of it in all (9, 27, 16, 64, 25): the lines of an affine space,
of which each direction is a round. Three at a table and fifteen in all: Kirkman's schoolgirls. For
all other numbers there is no plan here; the pairing then looks for the fewest meetings again.
"""

from collections.abc import Iterator
from itertools import product

Plan = tuple[tuple[tuple[int, ...], ...], ...]
"""Rounds of tables of members, by their numbers from 0."""

FIELDS = (3, 4, 5)
MOST_MEMBERS = 125
KIRKMAN = ((0, 1, 3), (2, 7, 9), (4, 12, 13), (5, 8, 11), (6, 10, 14))
"""One round; the others turn 0–6 and 7–13 by one place each."""


def find_plan(members: int, seats: int) -> Plan | None:
    """Return a plan of all rounds, or None."""
    if seats == 2:
        return make_circle(members)
    if (members, seats) == (15, 3):
        return tuple(tuple(_turn_table(table, by) for table in KIRKMAN) for by in range(7))
    size = next((n for n in range(2, 5) if seats**n == members), 0)
    if seats in FIELDS and size and members <= MOST_MEMBERS:
        return tuple(make_affine_rounds(seats, size))
    return None


def make_circle(members: int) -> Plan:
    """Return the rounds of tables of two: one stays, the others move on by a chair."""
    last = members - 1 + members % 2
    return tuple(tuple(_pair_up(n, last, members)) for n in range(last))


def _pair_up(n: int, last: int, members: int) -> Iterator[tuple[int, int]]:
    """Yield the tables of a round: the last one opposite n, and the others across that line."""
    if last < members:
        yield n, last
    for k in range(1, (last + 1) // 2):
        yield (n + k) % last, (n - k) % last


def _turn_table(table: tuple[int, ...], by: int) -> tuple[int, ...]:
    return tuple(n if n == 14 else n // 7 * 7 + (n + by) % 7 for n in table)


def make_affine_rounds(q: int, size: int) -> Iterator[tuple[tuple[int, ...], ...]]:
    """Yield a round for each direction of the space of this size over the field of q elements."""
    points = list(product(range(q), repeat=size))
    number = {point: n for n, point in enumerate(points)}
    for direction in points:
        if next((x for x in direction if x), 0) != 1:  # Each direction once.
            continue
        lines = {
            tuple(sorted(number[_step_along(q, point, k, direction)] for k in range(q)))
            for point in points
        }
        yield tuple(sorted(lines))


def _step_along(
    q: int, point: tuple[int, ...], k: int, direction: tuple[int, ...]
) -> tuple[int, ...]:
    return tuple(
        _add_in_field(q, x, _multiply_in_field(q, k, d))
        for x, d in zip(point, direction, strict=True)
    )


def _add_in_field(q: int, x: int, y: int) -> int:
    return x ^ y if q == 4 else (x + y) % q


def _multiply_in_field(q: int, x: int, y: int) -> int:
    if q != 4:
        return x * y % q
    return 0 if not (x and y) else (x - 1 + y - 1) % 3 + 1  # 1, a and a² are 1, 2 and 3.
