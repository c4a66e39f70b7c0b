"""One simulated reader that serves all places by turns: bots and people at it, and a power cut."""

from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.simulation import Simulation
from companion.core.table_events import PlaceChosen
from companion.games.bankueberfall.state import CardPlaced
from companion.journal import Journal
from companion.table.permissions import Author
from tests.worlds.campaign import pick
from tests.worlds.event_story import to_text
from tests.worlds.simulated_hands import deal, does, looks, simulated, spots
from tests.worlds.watched_table import EN

GAMES = ("bankueberfall", "robby_solo", "banque_fatale")
LAID = {"card_named", "card_placed", "bank_refilled", "card_shown", "loot_laid", "card_turned"}
"""The events by which a card comes to lie somewhere, or is shown."""


def evening(
    folder: Path,
    journal: Journal,
    game: str = "bankueberfall",
    seed: int = 7,
    profile: str = "one-reader",
) -> Simulation:
    made = simulated(
        journal, game, players=NAMES[:4], seed=seed, poses=seed, wiring=profile, memory=folder
    )
    if not made.source.resumed:
        assert deal(made) is None
    return made


def shown(made: Simulation) -> Any:
    """What everyone sees of the table."""
    view = made.host.table.view()
    assert view is not None
    return view.table


def told(made: Simulation) -> str:
    """What is said of the one reader."""
    listening = shown(made).listening
    return EN(listening.say) if listening else ""


def todos(made: Simulation) -> list[str]:
    return [EN(todo.say) for todo in shown(made).todos]


def play_until(made: Simulation, phase: str) -> None:
    """Have the bots play until the game is in this phase."""
    for _ in range(1_000):
        if made.host.table.state.phase == phase:
            return
        assert made.bots.play_one(), (made.host.table.state.phase, todos(made), told(made))
        looks(made)
    pytest.fail(f"never {phase}")


@pytest.mark.wide
@pytest.mark.parametrize("game", pick(GAMES[:1], GAMES, GAMES))
@pytest.mark.parametrize("seed", range(pick(1, 2, 10)))
def test_bots_choose_a_place_and_tap_every_card_of_a_game(
    tmp_path: Path, game: str, seed: int
) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        made = evening(tmp_path, journal, game, seed)
        play_until(made, "over")
        laid = [m for m in made.host.table.history.moments if to_text(m.event).split()[0] in LAID]
        assert laid
        assert [m for m in laid if not m.via.startswith("reader ")] == []
        assert made.source.pieces.misplaced_tags() == []
        made.source.wires.close()


def test_a_person_chooses_the_place_before_the_card_is_laid(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        made = evening(tmp_path, journal)
        play_until(made, "place")
        seat, table = made.host.table.state.active, made.host.table
        card = made.source.pieces.hand_cards(seat)[0]
        assert not does(made, seat, do="card_placed", bank=3, card=card)
        assert told(made).startswith("A card was held to the reader before a place was chosen")
        assert table.request(PlaceChosen(3), Author(seat, f"phone {seat}")) is None
        here = spots(made, seat)["place-3"]
        assert made.hands.turn_over(seat, "place-3", len(here.lies)) is None
        looks(made, 4)
        placed = table.history.moments[-1]
        assert (placed.event, placed.via) == (CardPlaced(seat, 3, card), "reader 3")
        assert (todos(made), made.source.pieces.misplaced_tags()) == ([], [])
        made.source.wires.close()


def test_after_a_power_cut_no_card_that_lies_there_is_tapped_again(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        made = evening(tmp_path, journal)
        play_until(made, "place")
        before = made.host.table.version
        made.source.save_pieces()
        made.source.wires.close()
        again = evening(tmp_path, journal)
        looks(again, 6)
        assert again.source.resumed
        assert (again.host.table.version, todos(again)) == (before, [])
        assert told(again) == "Choose where the card is laid, then hold it to the reader."
        again.source.wires.close()


def test_its_cable_is_that_of_every_place(tmp_path: Path) -> None:
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        made = evening(tmp_path, journal)
        assert made.faults.switch_fault("cable", 3, True) is None
        looks(made, 4)
        assert shown(made).by_hand == (1, 2, 3, 4, 5)
        assert made.faults.faults.cable == tuple(range(1, 9))
        assert made.faults.switch_fault("cable", 5, False) is None
        looks(made, 4)
        assert (shown(made).by_hand, made.faults.faults.cable) == ((), ())
        made.source.wires.close()
