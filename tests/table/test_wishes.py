"""What the table takes for a seat, by the order that the seat set once."""

from pathlib import Path
from typing import Any

import pytest

from companion.core.table_events import Undone
from companion.table.permissions import Author
from companion.table.wishes import PAUSE, SeatWishes, Wish, WishTaker
from tests.worlds.standing_tables import played, states, table

COLOURS = ("red", "yellow", "green", "blue", "orange")


class Sitting:
    """A table at which chips lie in the middle, and a clock that the test moves."""

    def __init__(self, path: Path, state: str = "take") -> None:
        self.table = table(path, "banque_fatale", state)
        self.wishes, self.now = SeatWishes(), 0.0
        self.taker = WishTaker(self.table, self.wishes, lambda: self.now)

    def wish(self, seat: int, *order: str, is_active: bool = True) -> None:
        whole = (*order, *(colour for colour in COLOURS if colour not in order))
        self.wishes.keep(self.state.id, seat, Wish(whole, is_active))

    @property
    def state(self) -> Any:
        return self.table.state

    def wait(self, seconds: float = 1.1 * PAUSE) -> None:
        """Time passes in small steps, as the event loop's."""
        for _ in range(10):
            self.taker.take_when_due()
            self.now += seconds / 10
        self.taker.take_when_due()

    def chips(self) -> int:
        return sum(self.state.middle.values())

    def taken(self) -> list[tuple[int, str, str]]:
        """Seat, colour and device of each chip that was taken."""
        return [
            (moment.event.seat, moment.event.colour, moment.via)  # type: ignore[attr-defined]
            for moment in self.table.history.moments
            if type(moment.event).__name__ == "ChipTaken"
        ]


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    return Sitting(tmp_path / "table.sqlite3")


def test_each_chip_is_the_dearest_that_is_left(sitting):
    orders = {1: COLOURS, 2: COLOURS[::-1], 3: ("green", "blue")}
    for seat, order in orders.items():
        sitting.wish(seat, *order)
    before, expected, seat = len(sitting.taken()), [], sitting.state.active
    middle = dict(sitting.state.middle)
    assert sum(middle.values()) > 3
    while any(middle.values()):
        whole = (*orders[seat], *COLOURS)
        colour = next(each for each in whole if middle[each])
        middle[colour] -= 1
        expected.append((seat, colour, f"phone {seat}"))
        seat = seat % 3 + 1
    for _ in expected:
        sitting.wait()
    assert sitting.taken()[before:] == expected
    assert sitting.state.phase != "take"
    sitting.wait()
    assert sitting.taken()[before:] == expected, "and nothing more"


def test_one_chip_comes_after_each_pause(sitting):
    for seat in (1, 2, 3):
        sitting.wish(seat)
    chips = sitting.chips()
    sitting.wait(PAUSE * 0.9)
    assert sitting.chips() == chips
    sitting.wait(PAUSE * 0.2)
    assert sitting.chips() == chips - 1
    sitting.wait(PAUSE * 0.5)
    assert sitting.chips() == chips - 1


def test_a_seat_without_a_wish_is_waited_for_and_one_can_stop(sitting):
    first = sitting.state.active
    sitting.wish(first)
    sitting.wish(first % 3 + 1, is_active=False)
    chips = sitting.chips()
    for _ in range(5):
        sitting.wait()
    assert sitting.chips() == chips - 1
    assert sitting.state.active == first % 3 + 1
    sitting.wishes.stop(sitting.state.id, first)
    assert sitting.wishes.read(sitting.state.id, first) == Wish(COLOURS, is_active=False)


def test_a_chip_that_was_put_back_is_not_taken_again(sitting):
    for seat in (1, 2, 3):
        sitting.wish(seat)
    sitting.wait()
    at, chips = sitting.table.history.moments[-1].at, sitting.chips()
    seat = sitting.taken()[-1][0]
    assert sitting.table.request(Undone(at), Author(seat, f"phone {seat}")) is None
    sitting.wait(9)
    assert sitting.chips() == chips + 1
    assert sitting.wishes.active_seats(sitting.state.id) == {}


def test_nothing_is_taken_while_the_verdict_is_told(tmp_path):
    sitting = Sitting(tmp_path / "told.sqlite3", "open")
    sitting.table.telling.use_clock(lambda: sitting.now)
    events = iter(played("banque_fatale").events[states("banque_fatale")["open"] :])
    while sitting.state.phase == "open":
        event: Any = next(events)
        assert sitting.table.request(event, Author(event.seat, f"phone {event.seat}")) is None
    assert sitting.state.phase == "take"
    for seat in (1, 2, 3):
        sitting.wish(seat)
    chips = sitting.chips()
    sitting.wait()
    assert sitting.chips() == chips
    sitting.table.telling.skip()
    sitting.wait()
    assert sitting.chips() == chips - 1


def test_a_wish_counts_while_the_browser_that_said_it_holds_the_seat():
    holders = {1: "ana"}
    wishes = SeatWishes(holders.get)
    wishes.keep("game", 1, Wish(COLOURS, is_active=True, holder="ana"))
    assert wishes.active_seats("game") == {1: COLOURS}
    holders[1] = "ben"
    assert wishes.active_seats("game") == {}
    assert wishes.read("game", 1) is None
    holders[1] = "ana"
    assert wishes.read("game", 1) is not None
