"""Whole games in the physical air with readers under the piles: nothing that lies there is missed.

Bots lay, spy, turn up and rob as people do; nobody takes a card away. At some tables only some of
the readers lie under their places.
"""

from collections import Counter
from contextlib import closing
from pathlib import Path

import msgspec
import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.core.sensor_events import PlaceMode
from companion.games import make_rulebook
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.simulator.hands_on_table import StillClock
from hardware.wiring import load_profile
from tests.worlds.campaign import pick

UNDER: dict[int, PlaceMode] = dict.fromkeys(range(1, 9), "presence")
GAMES = ("bankueberfall", "robby_solo")
MIXED: dict[int, PlaceMode] = {1: "presence", 3: "presence", 8: "tap"}


@pytest.mark.wide
@pytest.mark.parametrize("modes", pick((MIXED,), (UNDER, MIXED), (UNDER, MIXED)))
@pytest.mark.parametrize("game", pick(GAMES[:1], GAMES, GAMES))
@pytest.mark.parametrize("seed", pick((4,), (2, 4), range(20)))
def test_no_card_that_lies_at_its_place_is_missed_in_a_whole_game(
    tmp_path: Path, modes: dict[int, PlaceMode], game: str, seed: int
) -> None:
    wiring = msgspec.structs.replace(load_profile(), modes=modes)
    missed = Counter[object]()
    with closing(Journal(tmp_path / "journal.sqlite3")) as journal:
        room = SimulatedRoom(wiring, StillClock(), seed=seed)
        company = Lineup(NAMES[:4], seed, persons_seat=0)
        rules, seats = make_rulebook(game), Seats(open_house=True)
        made = build_simulation(rules, journal, room, company, seats)
        with closing(made.source):
            assert made.bots.deal_again() is None
            while made.bots.play_one():
                made.source.tabletop.pass_time(0.4)
                made.source.poll()
                view = made.host.table.view()
                assert view is not None
                missed.update((t.kind, t.place) for t in view.table.todos if t.kind == "missing")
            assert made.host.table.history.is_over
    assert missed == {}
