"""Whatever hands do at a simulated table, nothing breaks: no piece is lost, every answer is one,
and once everything is put right bots play the game to its end."""

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.app.simulated.simulation import Simulation
from companion.bots.bot import Bot
from companion.bots.decisions import PieceMove
from companion.journal import Journal
from companion.pieces.layout import Heap
from companion.seating.seats import Seats
from tests.worlds.campaign import IS_LARGE
from tests.worlds.left_open import closed_later
from tests.worlds.own_games import own_games
from tests.worlds.simulated_hands import looks, simulated
from tests.worlds.visitor import UNHURRIED, Visitor
from web.app import create_app
from web.context import AppContext

TABLES = [(game, "eight-readers", 1) for game in own_games()]
TABLES += [(game, "phones-only", 0) for game in own_games()]
if IS_LARGE:
    TABLES += [(game, "phones-only", n) for game in own_games() for n in range(1, 5)]
    TABLES += [(game, "eight-readers", n) for game in own_games() for n in range(2, 30)]
GESTURES = 60 if IS_LARGE else 30
ENDLESS = 2_000


class Fidgety:
    """Somebody who touches everything."""

    def __init__(self, evening: Simulation, page: Visitor, seed: int) -> None:
        self.evening, self.page, self.random = evening, page, Random(seed)
        self.bot = Bot(1, self.random, evening.host.table.rules.box)
        self.answers: Counter[int] = Counter()

    def fidgets(self) -> None:
        """One gesture, and what comes of it."""
        act = self.random.choice((*["lift"] * 4, *["put"] * 5, *GESTURE))
        answer = self.page.hands(act, **GESTURE[act](self))
        self.answers[answer.status_code] += 1
        assert answer.status_code in (204, 409), answer.text
        looks(self.evening, self.random.choice((0.1, 0.6, 1.5)))
        if self.random.random() < 0.5 and not self.evening.bots.play_one():
            self.plays_on()

    def plays_on(self) -> None:
        """Now and then even somebody fidgety does what the game waits for, as a bot would."""
        cards = self.evening.source.pieces.hand_cards(1)
        wish = self.bot.decide(self.evening.host.table.view(1), cards)
        if isinstance(wish, PieceMove):
            moved = self.evening.source.move_pieces(1, wish.do, wish.fields)
            assert moved or self.evening.bots._tap_move(1, wish) in (True, False)
        elif wish is not None:
            self.evening.bots._request_event(1, wish)

    def anything(self) -> dict[str, Any]:
        """A spot, rather one where something can be picked up, or where something is expected."""
        seen = self.evening.hands.visible_spots(1)
        likely = [spot for spot in seen if spot.wanted or spot.welcome]
        spot = self.random.choice(likely if likely and self.random.random() < 0.5 else seen)
        return {"spot": spot.name, "n": self.random.choice((*spot.lifts, 1))}

    def spot(self) -> dict[str, Any]:
        return {"spot": self.anything()["spot"]}

    def fault(self) -> dict[str, Any]:
        fault = self.random.choice(("cable", "frames", "stack", "bounce"))
        return {"fault": fault, "at": self.random.randint(1, 8), "on": self.random.random() < 0.5}

    def stops(self) -> None:
        """Everything is mended and put right, and a bot plays on."""
        for fault, many in (("cable", 8), ("stack", 8), ("bounce", 6)):
            for at in range(1, many + 1):
                self.evening.faults.switch_fault(fault, at, on=False)
        self.evening.faults.switch_fault("frames", 0, on=False)
        for seat in sorted(self.evening.host.seats.taken_seats()):
            self.evening.bots.leave_seat(seat)
        looks(self.evening, 3)
        self.evening.source.pieces.put_right()
        looks(self.evening, 3)


GESTURE: dict[str, Any] = {
    "lift": Fidgety.anything,
    "put": Fidgety.spot,
    "turn": Fidgety.anything,
    "press": lambda _: {},
    "faults": Fidgety.fault,
    "take": lambda _: {"seat": 2},
    "give": lambda _: {"seat": 2},
    "bots": lambda self: {"pace": self.random.choice(("slow", "fast", "still"))},
}


def whole(evening: Any) -> None:
    """Every thing of the box is somewhere, and only there."""
    pieces = evening.source.pieces
    spread = pieces.pieces_by_spot()
    assert sorted(tag for tags in spread.values() for tag in tags) == sorted(pieces.things)
    known = {*pieces.list_spots(), Heap("aside"), *(Heap("fingers", seat) for seat in range(1, 7))}
    assert not {heap for heap in spread if spread[heap]} - known - {Heap("box")}
    seen = [piece for spot in evening.hands.visible_spots(1) for piece in spot.lies]
    assert len(seen) <= len(pieces.things)


@pytest.mark.wide
@pytest.mark.parametrize(("game", "profile", "seed"), TABLES)
def test_random_gestures_lose_no_piece_and_the_game_ends_right(
    tmp_path: Path, game: str, profile: str, seed: int
) -> None:
    journal, seats = closed_later(Journal(tmp_path / "journal.sqlite3")), Seats(open_house=True)
    evening = simulated(journal, game, seats, persons_seat=1, wiring=profile)
    evening.bots.deal_again()
    page = Visitor(
        create_app(AppContext(evening.host.table, seats, evening.controls), limits=UNHURRIED)
    )
    page.sits(1)
    fidgety = Fidgety(evening, page, seed)
    for _ in range(GESTURES):
        fidgety.fidgets()
        whole(evening)
    assert fidgety.answers[204] > GESTURES / 6
    fidgety.stops()
    for _ in range(ENDLESS):
        if evening.host.table.history.is_over:
            break
        if not evening.bots.play_one():
            looks(evening)
        assert evening.host.table.view() is not None
    whole(evening)
    assert evening.host.table.state.phase == "over", (
        evening.host.table.view().public.now,
        evening.host.table.view().table.todos,
    )
    evening.source.close()
    journal.close()
