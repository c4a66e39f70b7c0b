"""Gathered: who plays when somebody begins a game with bots by one tap.

Law: whoever sits somewhere plays from there, under the name that they came with; the other seats
are the bots', each with a name that nobody has.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.games.start import fold_name
from companion.seating.seats import Seats


def gathered(game: str, seats: Seats, fewest: int, names: Sequence[str]) -> NewGame:
    """A game of this box for everyone who sits; so many play at the fewest, under these names."""
    players = make_rulebook(game).box.players
    many = max(players.least, fewest, *seats.taken_seats(), 0)
    return NewGame(game, tuple(_names(min(many, players.most), seats.holder_names(), names)))


def _names(many: int, sitting: Mapping[int, str], names: Sequence[str]) -> Iterator[str]:
    given = {fold_name(name) for seat, name in sitting.items() if seat <= many}
    others = (name for name in names if fold_name(name) not in given)
    for seat in range(1, many + 1):
        yield sitting.get(seat) or next(others)
