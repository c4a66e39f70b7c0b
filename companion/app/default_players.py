"""The game that the options begin with the companion, and names for players without one.

Laws: a game that is under way is ended only on an explicit request. A person who has a seat keeps
it in the next game, under the same name; the other seats are the bots', each with a name that no
person has.
"""

from collections.abc import Callable, Mapping, Sequence

from companion.app.settings import Options
from companion.core.cards import Box
from companion.core.errors import ExplainedError, Malformed, Refusal
from companion.core.i18n import N_
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.games.start import fold_name
from companion.host.host import Host
from companion.seating.seats import Seats

PERSONS_SEAT = 1
"""The seat that waits for a person; bots play the others until they are taken."""
NAMES = ("Ana", "Ben", "Cleo", "Dario", "Emma", "Finn")


def choose_players(box: Box, seats: int | None) -> Sequence[str]:
    """Return this many names, by default one more than the least; Malformed if the box lacks
    them."""
    least, most = box.players.least, box.players.most
    n = least + 1 if seats is None else seats
    if not least <= n <= most:
        text = N_("{title} is for {least} to {most} players, not {n}.")
        raise Malformed("--seats", text, title=box.title, least=least, most=most, n=n)
    return NAMES[:n]


def game_for_seated(game: str, seats: Seats, fewest: int) -> NewGame:
    """Return a game of this box for everyone seated, with bots in the other seats."""
    players = make_rulebook(game).box.players
    most = max(players.least, fewest, *seats.taken_seats(), 0)
    return NewGame(game, fill_names(min(most, players.most), seats.holder_names()))


def fill_names(n: int, seated: Mapping[int, str]) -> tuple[str, ...]:
    """Return n names by seat: seated people keep theirs, default names fill the rest."""
    given = {fold_name(name) for seat, name in seated.items() if seat <= n}
    # More than any box is for are refused where the game is prepared.
    names = (*NAMES, *map(str, range(n)))
    others = (name for name in names if fold_name(name) not in given)
    return tuple(seated.get(seat) or next(others) for seat in range(1, n + 1))


# The game that was asked for.


def begin_asked_game(host: Host, options: Options, tell_old_game: Callable[[], object]) -> None:
    """Begin a game if one is asked for and none is under way; ExplainedError if it is refused.

    Then all seats are free. After a restart from a page nothing is begun.
    """
    if options.begins_game == "never" or options.restarted:
        return
    is_under_way = not host.table.history.is_over
    if is_under_way and not options.ends_old_game:
        if options.begins_game == "always" or options.players:
            tell_old_game()
        return
    if is_under_way:
        _raise_if_refused(host.reset_table())
    players = _players_of_new_game(host, options)
    if players:
        _raise_if_refused(host.begin_game(NewGame(host.table.rules.box.game, tuple(players))))
        host.seats.clear()


def _players_of_new_game(host: Host, options: Options) -> Sequence[str]:
    """Return the players of the new game; without any the host begins it from the page."""
    box, is_simulated = host.table.rules.box, options.kind == "simulated"
    if options.begins_game == "always":
        return choose_players(box, options.seats)
    is_asked = options.game or options.ends_old_game
    return options.players or (choose_players(box, None) if is_simulated and is_asked else ())


def _raise_if_refused(refused: Refusal | None) -> None:
    if refused is not None:
        raise ExplainedError(refused.say)
