"""What every rule book says of itself, beside its rows."""

from types import SimpleNamespace
from typing import Any

import msgspec
import pytest
from goofspiel.game import Goofspiel

from companion.games import make_rulebook
from companion.games.commit_reveal import reseal_row
from companion.games.robby_solo import RobbySolo
from companion.games.rulebook import Rulebook

CLOSED = {
    "bankueberfall": {"open"},
    "banque_fatale": {"open"},
    "robby_solo": {"declare", "change", "open"},
}


class Wager(RobbySolo):
    """A game in which hands stay closed in a phase of its own."""

    rows = (*RobbySolo.rows, reseal_row("wager"))


@pytest.mark.parametrize("game", CLOSED)
def test_the_rows_say_in_which_phases_hands_stay_closed(game: str) -> None:
    rules = make_rulebook(game)
    phases = {row.phase for row in rules.rows}
    assert {phase for phase in phases if rules.keeps_hands_closed(phase)} == CLOSED[game]


def test_a_phase_of_any_name_may_keep_hands_closed() -> None:
    box: Any = make_rulebook("robby_solo").box
    assert Wager(box).keeps_hands_closed("wager")


class Drawn(Goofspiel):
    """A game whose tracking follows from rows of its own."""

    rows = (msgspec.structs.replace(Goofspiel.rows[0], phase="draw"),)


class Tracked(Drawn):
    """The same game, which says itself what its cards mean."""

    tracking = RobbySolo.tracking


@pytest.mark.parametrize(("rules", "phase"), [(Goofspiel, "prize"), (Drawn, "draw")])
def test_the_tracking_follows_from_the_rows_of_the_game_itself(
    rules: type[Rulebook[Any]], phase: str
) -> None:
    def awaited(at: str) -> frozenset[int]:
        state: Any = SimpleNamespace(phase=at)
        return rules.tracking.receiving_places(state)

    assert [at for at in ("prize", "draw") if awaited(at)] == [phase]
    assert Tracked.tracking is RobbySolo.tracking
