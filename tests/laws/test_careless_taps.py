"""Tap banks: whole games by people who forget taps, tap twice, and tap at a wrong bank first.

Laws: the cards always lie where they were meant to lie; only taps go wrong. People do what the
to-dos say, and every verdict is compared with the judge's on the cards that truly lie there.
"""

from collections import Counter
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.build_host import build_host
from companion.app.default_players import NAMES
from companion.app.simulated.bot_driver import BotDriver
from companion.app.simulated.simulated_table import Lineup, SimulatedTable
from companion.app.simulated.simulation import Simulation
from companion.bots import PieceMove
from companion.core.table_events import Settled
from companion.games import make_rulebook
from companion.games.bankueberfall.pieces import FACE_DOWN, TURNED, USED
from companion.journal import Journal
from companion.seating.seats import Seats
from companion.table.permissions import Author
from companion.tracking.picture import EIGHTH_SPOT
from hardware.simulator.hands_on_table import PATIENCE, SimulatedTabletop, StillClock
from hardware.wiring import load_profile
from tests.worlds.campaign import IS_WIDE, pick
from tests.worlds.left_open import closed_later
from tests.worlds.rough_evening import Rough
from tests.worlds.simulated_hands import deal

SEATS = 4
CARELESS = 0.05
"""The share of taps that go wrong in each of the three ways."""


class CarelessTabletop(SimulatedTabletop):
    """A table at which cards are not always held over the reader as they should be."""

    def __init__(self, random: Random, happened: Counter[str]) -> None:
        super().__init__(load_profile(), StillClock(), seed=random.random())
        self.random, self.happened = random, happened
        self.forgotten: tuple[str, int] | None = None
        self.twice: list[tuple[str, int]] = []
        self.is_careless = False

    def lay_tag(self, tag: str, place: int) -> None:
        """Lay a tag at a place; now and then the tap is forgotten, goes astray, or comes twice."""
        if not self.is_careless or place not in self.taps or tag not in self._slots:
            super().lay_tag(tag, place)
            return
        wrong = self.random.random() / CARELESS
        if wrong < 1:
            self.happened["forgotten"] += 1
            self.lift_tags(tag)
            self.lay_untapped(tag, place)
            self.forgotten = tag, place
            return
        if wrong < 2:
            self.happened["misplaced"] += 1
            super().lay_tag(tag, self.random.choice(sorted(self.taps - {place})))
            self.pass_time(PATIENCE)
        super().lay_tag(tag, place)
        if 2 <= wrong < 3:
            self.happened["doubled"] += 1
            self.twice.append((tag, place))


class CarelessPlayers(BotDriver):
    """Players who do not notice that they forgot a tap, until the table says so."""

    room: "Careless"

    def _tap_move(self, seat: int, move: PieceMove) -> bool:
        if self.room.top.forgotten is None or move.do not in TAPPED:
            return super()._tap_move(seat, move)
        (tag, place), self.room.top.forgotten = self.room.top.forgotten, None
        self.room.go_on_without_tap(seat, move.do)
        if self.room.random.random() < 0.5:
            return super()._tap_move(seat, move)
        before = self._table.version
        super(CarelessTabletop, self.room.top).lay_tag(tag, place)
        self._source.poll()
        return self._table.version > before


TAPPED = ("card_placed", "bank_refilled", "loot_laid")


class Careless(Rough):
    """One evening of careless people at tap banks."""

    def __init__(self, path: Path, game: str, seed: int) -> None:
        self.random = Random(f"careless {game} {seed}")
        self.rough = False
        self.dead = {}
        self.verdicts, self.happened, self.wrong = Counter(), Counter(), []
        self.journal = closed_later(Journal(path))
        self.top: CarelessTabletop = CarelessTabletop(self.random, self.happened)
        company = Lineup(NAMES[:SEATS], seed, persons_seat=0)
        rules, seats = make_rulebook(game), Seats(open_house=True)
        source = SimulatedTable(rules, self.journal, self.top, company, seats)
        self.evening = Simulation(build_host(source, self.journal, seats), source, company)
        self.evening.bots = players = CarelessPlayers(self.evening.host, source, company)
        players.room = self
        self.pass_on = source.poller.poll
        source.poller.poll = self.pass_on_and_settle  # type: ignore[method-assign]
        assert deal(self.evening) is None
        self.top.is_careless = True

    def pass_on_and_settle(self) -> None:
        """Let the table know what was tapped; people answer its to-dos at once."""
        self.pass_on()
        self.settle()
        while self.top.twice:
            tag, place = self.top.twice.pop()
            self.top.pass_time(PATIENCE)
            if self.top.place_of(tag) == place:
                super(CarelessTabletop, self.top).lay_tag(tag, place)
                self.pass_on()
                self.settle()

    def settle(self) -> None:
        table = self.evening.host.table
        view: Any = table.view()
        for todo in view.table.todos if view is not None else ():
            if todo.kind in ("surplus", "moved"):
                self.happened[todo.kind] += 1
                is_elsewhere = "other_use" in todo.say.facts
                answer = Settled(todo.place, "cards" if is_elsewhere else "log")
                refused = table.request(answer, Author(1, "bot 1"))
                assert refused is None, refused
                self.settle()
                return

    def go_on_without_tap(self, seat: int, do: str) -> None:
        """The table goes on, and says what it misses, unless the same tile comes up again."""
        if do == "loot_laid":
            return
        pieces, following = self.evening.source.pieces, seat % len(self.state.players) + 1
        before = self.top.tags_at(EIGHTH_SPOT)[-1:]
        if not pieces.tags(FACE_DOWN):
            pieces.shuffle_into([*pieces.tags(TURNED), *pieces.tags(USED)], FACE_DOWN)
        pieces.make_move(following, "tile_turned")
        self.pass_on()
        asked = [kind for _, kind in self.todos()]
        turned = self.top.tags_at(EIGHTH_SPOT)[-1:]
        assert asked == ["unheard"] or turned == before, asked
        self.happened["asked for"] += len(asked)


# The tests.

GAMES = pick(1, 2, 150)
"""For each of the two games with piles."""


@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", ["bankueberfall", "robby_solo"])
def test_forgotten_doubled_and_misplaced_taps_decide_no_verdict(tmp_path: Path, game: str) -> None:
    happened, verdicts = Counter[str](), Counter[str]()
    for seed in range(GAMES):
        path = tmp_path / f"{seed}.sqlite3"
        with closing(Careless(path, game, seed)) as evening:
            evening.play()
            assert evening.wrong == []
            happened += evening.happened
            verdicts += evening.verdicts
    assert verdicts["judged alike"] > 0, verdicts
    assert sum(happened.values()) > 0
    assert not IS_WIDE or {"forgotten", "misplaced", "doubled"} <= happened.keys()
