"""The wishes of the host for a new game: box, players, house rules.

Law: it is refused before anything on the table is touched. House rules that it leaves out have
their defaults, and are written out when the game begins.
"""

from collections.abc import Callable, Sequence

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.events import Started
from companion.core.i18n import N_
from companion.core.sweep import Sweeping
from companion.games import game_names, make_rulebook
from companion.games.rulebook import AnyRulebook
from companion.games.start import refuse_names


class NewGame(msgspec.Struct, frozen=True):
    """A box, its players clockwise, the beginner, and the house rules that differ from the default.

    A player whose name is not known is "". With `first` at 0 the table draws lots for the first
    player. `front` says by seat behind which bank each player sits, `banks` which banks are played
    with, in games that know of it.
    """

    game: str
    players: tuple[str, ...]
    house_rules: dict[str, str] = {}
    junior: bool = False
    first: int = 1
    sweep: Sweeping = "doubtful"
    """When piles are swept, at a table whose readers listen; at others never."""
    front: tuple[int, ...] = ()
    banks: tuple[str, ...] = ()


def same_game_again(game: str, started: Started | None, names: Sequence[str] = ()) -> NewGame:
    """Return a request for the game that started so, with the known names of its players."""
    if started is None:
        return NewGame(game, ())
    junior = bool(getattr(started, "junior", False))
    sweep: Sweeping = getattr(started, "sweep", "") or "doubtful"
    row, front = getattr(started, "banks", ()), getattr(started, "front", ())
    players = tuple([*names, *[""] * started.players][: started.players])
    return NewGame(
        game, players, started.house_rules, junior, 0 if started.drawn else started.first,
        sweep, front=front, banks=row,
    )  # fmt: skip


NO_BANKS = N_("Which banks there are is nothing to choose in {title}.")
OWN_FIELDS = {
    "front": ("front", NO_BANKS),
    "banks": ("banks", NO_BANKS),
    "junior": ("no_junior", N_("Robby Junior does not play along in {title}.")),
}
"""Questions of some games before they begin; what refuses the answer in any other, by its code."""


def prepare_game(
    new_game: NewGame, id: str, draw: Callable[[int], int] = lambda _players: 1
) -> tuple[AnyRulebook, Started] | Refusal:
    """Return the rule book and the first event of this game, or a refusal.

    `draw` draws a seat by lot.
    """
    if new_game.game not in game_names():
        return no_such_box(new_game.game)
    rules = make_rulebook(new_game.game)
    more: dict[str, object] = {"house_rules": dict(new_game.house_rules), "first": new_game.first}
    if new_game.first == 0 and new_game.players:
        more |= {"first": draw(len(new_game.players)), "drawn": True}
    for name, (code, text) in OWN_FIELDS.items():
        if getattr(new_game, name) and name not in rules.start_event.__struct_fields__:
            return refusal(code, rules.start_rule, text, title=rules.box.title)
        if getattr(new_game, name):
            more[name] = getattr(new_game, name)
    started = rules.make_start_event(id, len(new_game.players), **more)
    named = [name for name in new_game.players if name]
    refused = rules.refuse(None, started) or refuse_names(named, rules.start_rule)
    return refused if refused is not None else (rules, started)


def no_such_box(game: str) -> Refusal:
    """Return the refusal of a box that is not known here."""
    text = "There is no game “{name}” here; these are: {options}."
    return refusal("no_such_box", "T.host", text, name=game, options=", ".join(game_names()))
