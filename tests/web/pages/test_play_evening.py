"""An evening at the simulated table goes on, however people mix laying cards and tapping."""

from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import Simulation, build_simulation
from companion.bots.bot import Bot
from companion.core.table_events import Settled
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import Author
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.campaign import pick
from tests.worlds.simulated_hands import does
from web.body_validation import parse_event

ENDLESS = 3_000


@pytest.mark.wide
@pytest.mark.parametrize("seed", range(pick(4, 4, 20)))
def test_a_careless_player_never_stops_the_game(tmp_path: Path, seed: int):
    journal = Journal(tmp_path / "journal.sqlite3")
    company = Lineup(NAMES[: 2 + seed % 4], seed)
    evening = build_simulation(
        make_rulebook("bankueberfall"),
        journal,
        SimulatedRoom(clock=StillClock()),
        company,
        Seats(open_house=True),
    )
    evening.bots.deal_again()
    careless = Careless(evening, Random(seed))
    for _ in range(ENDLESS):
        if evening.host.table.view().public.phase == "over":
            break
        careless.act()
        evening.bots.play_one()
    evening.source.close()
    journal.close()
    assert evening.host.table.view().public.phase == "over"


class Careless:
    """Plays seat 1, now with cards, now on the phone, and names cards at random."""

    def __init__(self, evening: Simulation, random: Random) -> None:
        self.evening, self.random, self.hand = (
            evening,
            random,
            Bot(1, random, evening.host.table.rules.box),
        )

    def act(self) -> None:
        view = self.evening.host.table.view(1)
        if view.public.phase == "open" and view.table.todos:
            self.settle(view.table.todos)
        if 1 not in view.public.waiting:
            return
        if view.public.phase in ("seal", "open"):
            self.evening.host.table.request(self.hand.decide(view, ()), Author(1, "phone 1"))
            return
        may = self.random.choice(view.may)
        choice = self.random.choice(may.choices)
        fields = {field: self.pick(value) for field, value in choice.items()}
        if may.with_pieces and self.random.random() < 0.5:
            cards = self.evening.source.pieces.hand_cards(1)
            card = {"card": self.random.choice(cards)} if cards else {}
            does(self.evening, 1, do=may.do, **fields | card if may.do == "card_placed" else fields)
        else:
            asked = parse_event({**fields, "event": may.do}, 1, self.evening.host.table.rules)
            self.evening.host.table.request(asked, Author(1, "phone 1"))

    def settle(self, todos: Any) -> None:
        """What was claimed at random is in the way of the verdict: agree on anything at all."""
        todo = self.random.choice(todos)
        settled = Settled(todo.place, self.random.choice(todo.ways))
        self.evening.host.table.request(settled, Author(1, "phone 1"))

    def pick(self, value: Any) -> Any:
        return self.random.choice(value) if isinstance(value, tuple) else value


def test_an_evening_is_played_by_the_house_rules_it_was_given(evening, journal):
    evening.source.close()
    company = Lineup(NAMES[:3], 7)
    chosen = build_simulation(
        make_rulebook("bankueberfall"), journal, SimulatedRoom(), company, Seats(open_house=True)
    )
    refused = chosen.host.begin_game(NewGame("bankueberfall", NAMES[:3], {"shortfall": "maybe"}))
    assert refused is not None
    assert (refused.code, refused.rule) == ("house_rule", "B.setup")
    assert (
        chosen.host.begin_game(NewGame("bankueberfall", NAMES[:3], {"shortfall": "stop"})) is None
    )
    assert chosen.host.table.view().public.house_rules["shortfall"] == "stop"
    chosen.source.close()
