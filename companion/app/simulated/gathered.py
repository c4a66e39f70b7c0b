"""Gathered: who plays when somebody begins a game with bots by one tap.

Law: whoever sits somewhere plays from there, under the name that they came with; the other seats
are the bots', each with a name that nobody has.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.games import rulebook
from companion.games.new_game import Wish
from companion.games.start import heard
from companion.seating.seats import Seats


def gathered(game: str, seats: Seats, fewest: int, names: Sequence[str]) -> Wish:
    """A game of this box for everyone who sits; so many play at the fewest, under these names."""
    players = rulebook(game).box.players
    many = max(players.least, fewest, *seats.taken(), 0)
    return Wish(game, tuple(_names(min(many, players.most), seats.names(), names)))


def _names(many: int, sitting: Mapping[int, str], names: Sequence[str]) -> Iterator[str]:
    given = {heard(name) for seat, name in sitting.items() if seat <= many}
    others = (name for name in names if heard(name) not in given)
    for seat in range(1, many + 1):
        yield sitting.get(seat) or next(others)
