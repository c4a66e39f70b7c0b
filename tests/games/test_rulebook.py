"""What every rule book says of itself, beside its rows."""

from types import SimpleNamespace
from typing import Any

import pytest
from goofspiel.game import PrizeTurned
from lantern_night.game import LanternLit

from companion.games import make_rulebook
from companion.games.commit_reveal import reseal_row
from companion.games.robby_solo import RobbySolo
from companion.games.rulebook import Row, Rulebook

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


class Sketch(Rulebook[Any]):
    """A game of which only the rows matter here."""

    start_rule = end_rule = "X"
    rows = (Row("light", LanternLit, "active", "X", ("over",), "", lambda state, _event: state),)

    def initial_state(self, event: Any) -> Any:
        return event


class Variant(Sketch):
    """Another game after the same sketch, in which other cards are awaited."""

    rows = (Row("turn", PrizeTurned, "active", "X", ("over",), "", lambda state, _event: state),)


class Namesake(Variant):
    """The same game under another name."""


class Tracked(Variant):
    """The same game, which says itself what its cards mean."""

    tracking = RobbySolo.tracking


class TrackedVariant(Tracked):
    """Other rows beside a tracking that is written."""

    rows = Sketch.rows


AWAITED = [(Sketch, "light"), (Variant, "turn"), (Namesake, "turn")]


@pytest.mark.parametrize(("rules", "phase"), AWAITED)
def test_the_tracking_follows_from_the_rows_of_the_game_itself(
    rules: type[Rulebook[Any]], phase: str
) -> None:
    def awaited(at: str) -> frozenset[int]:
        state: Any = SimpleNamespace(phase=at)
        return rules.tracking.receiving_places(state)

    assert [at for at in ("light", "turn") if awaited(at)] == [phase]


def test_a_tracking_that_is_written_stays_with_other_rows() -> None:
    assert Tracked.tracking is RobbySolo.tracking
    assert TrackedVariant.tracking is RobbySolo.tracking
