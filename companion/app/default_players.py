"""The names of players who were not named: bots, and the people who already have a seat.

Law: a person who has a seat keeps it in the next game, under the same name; the other seats are the
bots', each with a name that no person has.
"""

from collections.abc import Iterator, Mapping, Sequence

from companion.core.cards import Box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.games.start import fold_name
from companion.seating.seats import Seats

PERSONS_SEAT = 1
"""The seat that waits for a person; bots play the others until they are taken."""
NAMES = ("Ana", "Ben", "Cleo", "Dario", "Emma", "Finn")


def choose_players(box: Box, seats: int | None) -> Sequence[str]:
    """Return so many names, by default one more than the least; Malformed if the box lacks them."""
    least, most = box.players.least, box.players.most
    n = least + 1 if seats is None else seats
    if not least <= n <= most:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        raise Malformed("--seats", text, title=box.title, least=least, most=most, n=n)
    return NAMES[:n]


def game_for_seated(game: str, seats: Seats, fewest: int) -> NewGame:
    """Return a game of this box for all people who have a seat, with bots round them."""
    players = make_rulebook(game).box.players
    most = max(players.least, fewest, *seats.taken_seats(), 0)
    return NewGame(game, tuple(_fill_names(min(most, players.most), seats.holder_names())))


def _fill_names(n: int, seated: Mapping[int, str]) -> Iterator[str]:
    given = {fold_name(name) for seat, name in seated.items() if seat <= n}
    others = (name for name in NAMES if fold_name(name) not in given)
    for seat in range(1, n + 1):
        yield seated.get(seat) or next(others)


def names_after(before: Sequence[str], n: int) -> tuple[str, ...]:
    """Return n names: those of the last game in their seats, then others."""
    given = {fold_name(name) for name in before}
    # More than any box is for are refused where the game is prepared.
    others = [name for name in (*NAMES, *map(str, range(n))) if fold_name(name) not in given]
    return tuple([*before, *others][:n])
