"""Whole games played by hand: somebody moves what glows, puts it where it is welcome, and taps
on the phone only what no reader sees."""

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.default_players import NAMES
from companion.app.simulated.room import SimulatedRoom
from companion.app.simulated.simulated_table import Lineup
from companion.app.simulated.simulation import build_simulation
from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove
from companion.games import make_rulebook
from companion.games.new_game import NewGame
from companion.journal import Journal
from companion.seating.seats import Seats
from hardware.simulator.hands_on_table import StillClock
from tests.worlds.simulated_hands import looks, spots
from tests.worlds.visitor import UNHURRIED, Visitor
from web.app import create_app
from web.context import AppContext

ENDLESS = 3_000


class Player:
    """A person at seat 1 of a simulated table; bots play the others."""

    def __init__(self, path: Path, game: str, profile: str, **wish: Any) -> None:
        self.journal = Journal(path)
        room, seats = SimulatedRoom(profile, StillClock()), Seats(open_house=True)
        self.evening = build_simulation(
            make_rulebook(game), self.journal, room, Lineup(NAMES[:3], 7), seats
        )
        refused = self.evening.host.begin_game(NewGame(game, NAMES[:3], **wish))
        assert refused is None, refused
        app = create_app(
            AppContext(self.evening.host.table, seats, self.evening.controls), limits=UNHURRIED
        )
        self.page = Visitor(app)
        self.page.sits(1)
        self.random = Random(game)
        self.bot = Bot(1, self.random, self.evening.host.table.rules.box)

    @property
    def view(self) -> Any:
        return self.evening.host.table.view(1)

    def plays(self) -> "Player":
        """To the end of the game."""
        for _ in range(ENDLESS):
            if self.view.public.phase == "over":
                return self
            if not self.acts():
                self.evening.source.poll()
                assert self.evening.bots.play_one(), (self.view.public.now, self.view.table.todos)
        raise AssertionError("this game does not end")

    def acts(self) -> bool:
        """Whether there was anything to do."""
        view = self.view
        if 1 not in view.public.waiting and not any(may.do == "card_named" for may in view.may):
            return False
        before = self.evening.host.table.version
        if self.moves():
            return self.evening.host.table.version > before or self.calls()
        return self.decides()

    def moves(self) -> bool:
        """Pick up what glows, and put it where it is welcome; whether anything glows."""
        glows = [(s.name, n) for s in self.evening.hands.visible_spots(1) for n in s.wanted]
        self.touched = "front-1" if "front-1" in spots(self.evening, 1) else "pile"
        if not glows:
            return False
        spot, n = self.random.choice(glows)
        self.touched = spot
        if self.view.public.phase in ("spy", "reveal", "turn_up") and self.random.random() < 0.8:
            assert self.page.hands("turn", spot=spot, n=n).status_code == 204
            looks(self.evening, 2)
            return True
        assert self.page.hands("lift", spot=spot, n=n).status_code == 204
        looks(self.evening)
        welcome = [spot.name for spot in self.evening.hands.visible_spots(1) if spot.welcome]
        self.touched = self.random.choice(welcome)
        assert self.page.hands("put", spot=self.touched).status_code == 204
        looks(self.evening, 2)
        return True

    def decides(self) -> bool:
        """Say on the phone what is not done with pieces, or what no reader saw."""
        wish = self.bot.decide(self.view, self.evening.source.pieces.hand_cards(1))
        if wish is None or isinstance(wish, PieceMove):
            return self.calls()
        return self.evening.bots._request_event(1, wish)

    def taps(self) -> bool:
        """Where no reader lies the phone asks what was done; the cards lie there to be seen."""
        for may in self.view.may:
            for choice in may.choices:
                fields = self.as_seen(choice) if may.do != "passed" else None
                if fields is not None:
                    answer = self.page.asks(may.do, **fields)
                    assert answer.status_code == 204, answer.text
                    looks(self.evening)
                    return True
        return False

    def as_seen(self, choice: dict[str, Any]) -> dict[str, Any] | None:
        """The fields of a choice as the piece that was touched shows them; None: another one."""
        shown = spots(self.evening, 1)
        spot, junior = shown[self.touched], shown.get("junior")
        row = [getattr(bank, "name", "") for bank in getattr(self.view.public, "banks", ())]
        slot = choice.get("slot", len(spot.lies))
        known = {
            "bank": [spot.number, *row[spot.number - 1 : spot.number]],
            "slot": [slot],
            "card": [piece.face for piece in spot.lies[slot - 1 : slot]],
            "tile": [piece.face for piece in spot.lies[-1:]],
        }
        if junior and self.view.public.phase == "junior":
            known["bank"] = [junior.lies[0].face]
        found = {}
        for field, value in choice.items():
            values = value if isinstance(value, tuple) else (value,)
            fits = [one for face in known[field] for one in values if face in (one, str(one))]
            if not fits:
                return None
            found[field] = fits[0]
        return found

    def goes(self) -> None:
        self.evening.source.close()
        self.journal.close()


@pytest.fixture
def plays(tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Somebody sits down at a table of this game."""
    came = []

    def come(game: str, profile: str = "eight-readers", **wish: Any) -> Player:
        came.append(Player(tmp_path / f"{len(came)}.sqlite3", game, profile, **wish))
        return came[-1]

    yield come
    for player in came:
        player.goes()


TABLES = [
    ("banque_fatale", "eight-readers", {}),
    ("bankueberfall", "phones-only", {}),
    ("robby_solo", "phones-only", {"junior": True}),
    ("bankueberfall", "eight-readers", {}),
    ("banque_fatale", "phones-only", {}),
    ("robby_solo", "eight-readers", {}),
    ("bankueberfall", "five-readers", {}),
    ("robby_solo", "eight-readers", {"junior": True}),
]


@pytest.mark.wide
@pytest.mark.parametrize(("game", "profile", "wish"), TABLES)
def test_a_whole_game_by_hand_leaves_nothing_to_put_right(plays, game, profile, wish):
    player = plays(game, profile, **wish).plays()
    pieces = player.evening.source.pieces
    assert pieces.misplaced_tags() == {}
    assert not player.view.table.todos
    lies = player.evening.host.table.rules.expected_cards(player.evening.host.table.state)
    for place, cards in lies.items():
        assert len(pieces.cards_meant_at(place)) == len(cards)
        assert sorted(pieces.cards_actually_at(place)) == sorted(pieces.cards_meant_at(place))
    assert spots(player.evening, 1)["fingers"].lies == ()
