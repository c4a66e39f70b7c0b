"""What the command line wants of a game: to begin one, or to let the one under way go on.

Law: a game that is under way is never ended but where that was asked for in so many words.
"""

import argparse

from companion.app.physical_table import PhysicalTable
from companion.app.simulated.bot_driver import NAMES
from companion.app.simulated.simulated_table import Evening
from companion.core.errors import Malformed, Refusal
from companion.core.i18n import N_, get_language
from companion.games import RULEBOOKS
from companion.games.new_game import NewGame
from companion.journal import Journal

GOES_ON = N_("A game is under way and goes on; --new ends it first.")


def last_played(journal: Journal) -> str:
    """The game that the journal holds last, or the first of all."""
    newest = journal.newest_game()
    line = next(iter(journal.read_lines(newest)), None) if newest else None
    return line.game if line is not None and line.game in RULEBOOKS else next(iter(RULEBOOKS))


def begin(room: Evening | PhysicalTable, chosen: argparse.Namespace) -> Refusal | None:
    """Begin a game where one is wanted and none is under way; anybody may sit down at it.

    After the plug was pulled all is as it was.
    """
    if chosen.plugged:
        return None
    under_way = not room.table.history.is_over
    if chosen.new and under_way:
        refused = room.reset_table()
        if refused is not None:
            return refused
    elif under_way:
        _say_what_waits(chosen)
        return None
    if not _wants_a_game(chosen):
        return None
    if chosen.junior and room.table.rules.box.game != "robby_solo":
        raise Malformed("--junior", N_("{field} goes with robby_solo."))
    refused = room.begin_game(_wish(room, chosen))
    if refused is None:
        room.seats.clear()
    return refused


def _wants_a_game(chosen: argparse.Namespace) -> bool:
    """Whether a game is to begin; else whoever has the PIN begins one from the host's page."""
    asked = chosen.game or chosen.new or chosen.house_rule or chosen.junior
    return bool(chosen.players or (chosen.sim and asked))


def _wish(room: Evening | PhysicalTable, chosen: argparse.Namespace) -> NewGame:
    """The game that the command line asks for; at a simulated table there is always company."""
    box = room.table.rules.box
    players = chosen.players or NAMES[: box.players.least + 1]
    return NewGame(box.game, tuple(players), house_rules(chosen), chosen.junior)


def _say_what_waits(chosen: argparse.Namespace) -> None:
    """What was asked of a new game, while an old one goes on."""
    if chosen.players or chosen.house_rule or chosen.junior:
        print(get_language(chosen.lang).render(GOES_ON, {}), flush=True)


def house_rules(chosen: argparse.Namespace) -> dict[str, str]:
    """The answers given to the questions that the booklet leaves open."""
    return dict(pair.partition("=")[::2] for pair in chosen.house_rule)
