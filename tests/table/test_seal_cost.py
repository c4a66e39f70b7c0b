"""A sealed bid moves no card, so it asks the tracker nothing; whatever can move one still asks."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

import pytest

import companion.tracking
from companion.core.commitment import make_seal
from companion.core.events import Sealed
from tests.worlds.watched_table import NONCE, Watched

TRACKING = str(Path(companion.tracking.__file__).parent)
AGREED = 1
"""The check whether the cards that decide a round are agreed on, which a seal passes at once."""


class Calls:
    """Calls of functions of companion/tracking."""

    def __init__(self) -> None:
        self.number = 0

    def __call__(self, frame: FrameType, event: str, _arg: object) -> None:
        self.number += event == "call" and frame.f_code.co_filename.startswith(TRACKING)


@contextmanager
def counted() -> Iterator[Calls]:
    calls, before = Calls(), sys.getprofile()
    sys.setprofile(calls)
    try:
        yield calls
    finally:
        sys.setprofile(before)


@pytest.fixture
def robbery(tmp_path: Path) -> Watched:
    """Ana has put the figure at bank 1, where a ten lies: everyone is to close a hand."""
    table = Watched(tmp_path / "journal")
    table.lay("10", 1)
    return table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=1")


def seal(table: Watched, seat: int, value: int) -> Callable[[], object]:
    text = make_seal(table.state.id, table.state.hands.round, seat, value, NONCE)
    return lambda: table.do(seat, Sealed(seat, text))


def calls_of(act: Callable[[], object]) -> int:
    with counted() as calls:
        act()
    return calls.number


def test_a_sealed_bid_does_not_ask_the_tracker(robbery: Watched) -> None:
    assert calls_of(seal(robbery, 1, 3)) <= AGREED
    assert calls_of(seal(robbery, 2, 4)) <= AGREED
    assert calls_of(seal(robbery, 1, 5)) <= AGREED, "closed again"


def test_the_last_seal_asks_it_because_the_phase_is_another_one(robbery: Watched) -> None:
    seal(robbery, 1, 3)(), seal(robbery, 2, 4)()
    assert calls_of(seal(robbery, 3, 5)) > 0
    assert robbery.state.phase == "open"


def test_every_other_event_asks_it(robbery: Watched) -> None:
    assert calls_of(lambda: robbery.do(0, "resealed")) > 0
    assert calls_of(lambda: robbery.press(1, held=True)) > 0


def test_after_a_reading_between_two_seals_the_table_is_as_if_it_had_been_asked(
    robbery: Watched,
) -> None:
    seal(robbery, 1, 3)()
    tag = robbery.lay("5", 2)
    assert robbery.last()[1] == "card_named"
    assert not any(todo.startswith("Bank 2") for todo in robbery.todos())
    robbery.lift(tag)
    seal(robbery, 2, 4)()
    assert any(todo.startswith("Bank 2") for todo in robbery.todos())
