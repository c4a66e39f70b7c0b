"""What every rule book says of itself, beside its rows."""

from typing import Any

import pytest

from companion.games import make_rulebook
from companion.games.commit_reveal import reseal_row
from companion.games.robby_solo import RobbySolo

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
