"""How many sit at each table of a round.

Laws: as few sit out as the game allows, and none if it can be helped; tables differ by one seat at
most; no table is larger than wished if all can then still play.
"""

import msgspec


class SeatRange(msgspec.Struct, frozen=True):
    """With how many a game can be played, and how many are wished at a table."""

    least: int
    most: int
    wished: int


def split_into_tables(members: int, seats: SeatRange) -> tuple[int, ...]:
    """Return the sizes of the tables, the larger ones first; () if too few are there for one."""
    for playing in range(members, seats.least - 1, -1):
        found = [
            sizes
            for count in range(1, playing + 1)
            if (sizes := _split_evenly(playing, count, seats))
        ]
        if found:
            return min(found, key=lambda sizes: _measure_distance(sizes, seats))
    return ()


def _split_evenly(playing: int, count: int, seats: SeatRange) -> tuple[int, ...]:
    size, larger = divmod(playing, count)
    sizes = (size + 1,) * larger + (size,) * (count - larger)
    return sizes if seats.least <= sizes[-1] and sizes[0] <= seats.most else ()


def _measure_distance(sizes: tuple[int, ...], seats: SeatRange) -> tuple[int, int, int]:
    """Return by how much the sizes miss the wish: too large first, then too small."""
    return max(0, sizes[0] - seats.wished), max(0, seats.wished - sizes[-1]), len(sizes)
