"""What a place at a table is worth.

Laws: who ties shares: two who tie for the second place each get half of what the second and the
third get together. Where each place has its points, a place beyond the last has none. Where it is a
point for everyone who is beaten (and half a one for a tie), a table of another size than the league
wishes is scaled, so that its first place is worth the same. Who sits out gets what a table gives on
average. Points are exact fractions; only lists round them.
"""

from collections.abc import Sequence
from fractions import Fraction

from companion.core.verdict import Score


def find_places(score: Score, names: Sequence[str]) -> tuple[int, ...]:
    """Return the place of each player by seat; equal ones share the better one."""
    totals = [score.totals[name] for name in names]
    won = [name in score.winners for name in names]
    best = max((total for total, wins in zip(totals, won, strict=True) if wins), default=0)
    sign = 1 if best == max(totals, default=0) else -1  # In some games the least wins.
    keys = [(wins, sign * total) for wins, total in zip(won, totals, strict=True)]
    return tuple(1 + sum(other > key for other in keys) for key in keys)


def share_points(places: Sequence[int], points: Sequence[int], wished: int) -> tuple[Fraction, ...]:
    """Return the points of each seat."""
    values = _place_values(len(places), points, wished)
    shares = {place: _share_value(values, place, places.count(place)) for place in places}
    return tuple(shares[place] for place in places)


def bye_points(points: Sequence[int], wished: int) -> Fraction:
    """Return the points of a member who sits out."""
    return sum(_place_values(wished, points, wished), Fraction(0)) / wished


def _place_values(players: int, points: Sequence[int], wished: int) -> list[Fraction]:
    if points:
        return [Fraction(n) for n in (*points, *(0,) * players)][:players]
    scale = Fraction(wished - 1, max(players - 1, 1))
    return [scale * (players - place) for place in range(1, players + 1)]


def _share_value(values: Sequence[Fraction], place: int, ties: int) -> Fraction:
    return sum(values[place - 1 : place - 1 + ties], Fraction(0)) / ties
