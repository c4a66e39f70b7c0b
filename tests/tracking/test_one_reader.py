"""One reader for all places by turns: where a tap counts, and what is said of one that does not."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.sensor_events import Arrived, ReaderFound, ReaderLost
from companion.core.table_events import PlaceChosen
from tests.worlds.watched_table import READER, OneReader, Watched

CHOOSE = "Choose where the card is laid, then hold it to the reader."
CHOOSE_FIRST = (
    "A card was held to the reader before a place was chosen: choose one, then hold it there again."
)
NOT_NOW = (
    "A card was held to the reader while none is awaited. Hold it there again when it is laid."
)


def waits_for(bank: int) -> str:
    return f"Bank {bank}: hold the card to the reader now."


@pytest.fixture
def banks(tmp_path: Path) -> Iterator[OneReader]:
    """Three players; a five was dealt to every bank and held to the reader, one after the other."""
    made = OneReader(tmp_path / "journal.sqlite3", readers=())
    for bank in range(1, 6):
        assert made.listening() == (waits_for(bank), bank, [])
        made.hold_new("5")
    yield made
    made.journal.close()


def place_tile(table: OneReader) -> None:
    table.do(table.state.active, f'tile_turned seat={table.state.active} tile="place"')


def cards_at(table: OneReader, bank: int) -> list[str | None]:
    return [card.card for card in table.state.banks[bank - 1]]


def test_a_bank_is_chosen_and_the_card_goes_there(banks: OneReader) -> None:
    place_tile(banks)
    assert banks.listening() == (CHOOSE, 0, [1, 2, 3, 4, 5])
    banks.do(2, PlaceChosen(3))
    assert banks.listening() == (waits_for(3), 3, [1, 2, 3, 4, 5])
    banks.hold_new("x")
    assert banks.last() == ("reader 3", "card_placed")
    assert (cards_at(banks, 3), banks.todos()) == (["5", "x"], [])
    place_tile(banks)
    assert banks.listening()[:2] == (CHOOSE, 0), "the next one chooses anew"


def test_a_button_chooses_one_bank_after_the_other(banks: OneReader) -> None:
    place_tile(banks)
    banks.press(2)
    assert banks.listening()[1] == 0, "the card is another seat's"
    for bank in (1, 2, 3, 4, 5, 1):
        banks.press(1)
        assert banks.listening()[1] == bank
    banks.press(1, held=True)
    banks.press(1, held=True)
    assert banks.listening()[1] == 1
    banks.hold_new("x")
    assert cards_at(banks, 1) == ["5", "x"]
    at = banks.table.version
    banks.press(2)
    assert banks.table.version == at, "nothing is to be chosen"


def test_a_tap_before_the_choice_counts_nowhere_and_is_said(banks: OneReader) -> None:
    place_tile(banks)
    x = banks.hold_new("x")
    assert (banks.listening()[0], banks.state.phase) == (CHOOSE_FIRST, "place")
    banks.do(1, PlaceChosen(4))
    banks.hold(x)
    assert (cards_at(banks, 4), banks.listening()[0]) == (["5", "x"], "")


def test_a_card_that_is_not_awaited_is_said_and_counts_when_it_is(banks: OneReader) -> None:
    x = banks.hold_new("x")
    assert banks.listening() == (NOT_NOW, 0, [])
    place_tile(banks)
    banks.do(1, PlaceChosen(2))
    banks.hold(x)
    assert (cards_at(banks, 2), banks.todos()) == (["5", "x"], [])


def test_only_a_place_that_may_get_a_card_is_chosen(banks: OneReader, tmp_path: Path) -> None:
    refused = banks.ask(1, PlaceChosen(3))
    assert refused is not None
    assert refused.code == "not_awaited"
    many = Watched(tmp_path / "many.sqlite3", taps=range(1, 6))
    refused = many.ask(1, PlaceChosen(3))
    assert refused is not None
    assert refused.code == "not_awaited"
    many.journal.close()


def test_the_robbed_bank_is_swept_and_filled_without_a_choice(tmp_path: Path) -> None:
    table = OneReader(tmp_path / "journal.sqlite3", readers=(), sweep="doubtful")
    dealt = [table.hold_new("5") for _ in range(5)]
    table.do(1, 'tile_turned seat=1 tile="rob"', "bank_chosen seat=1 bank=2")
    table.close(1, 2, 0).show(1, 2, 0)
    assert table.listening() == (waits_for(2), 2, [])
    table.hold(dealt[1])
    assert (table.state.phase, table.listening()) == ("refill", (waits_for(2), 2, []))
    table.hold_new("x")
    assert (cards_at(table, 2), table.todos(), table.last()) == (
        ["x"], [], ("reader 2", "bank_refilled"),
    )  # fmt: skip
    table.journal.close()


def test_a_choice_outlives_a_power_cut(banks: OneReader) -> None:
    place_tile(banks)
    banks.do(1, PlaceChosen(3))
    banks.pull_the_plug()
    assert banks.listening()[:2] == (waits_for(3), 3)
    banks.hold_new("x")
    assert (cards_at(banks, 3), banks.todos()) == (["5", "x"], [])


def test_without_the_reader_every_card_is_entered(banks: OneReader) -> None:
    place_tile(banks)
    banks.table.sense(ReaderLost(banks.tick(), READER))
    view: Any = banks.table.view()
    assert (view.table.by_hand, view.table.listening) == ((1, 2, 3, 4, 5), None)
    banks.do(1, "card_placed seat=1 bank=3")
    banks.table.sense(ReaderFound(banks.tick(), READER))
    assert banks.todos() == []


def test_a_card_that_stays_on_the_reader_is_not_laid_at_the_next_bank(tmp_path: Path) -> None:
    table = OneReader(tmp_path / "journal.sqlite3", "robby_solo", seats=3, readers=())
    ends = table.listening()[2]
    assert ends == [1, len(table.state.banks)], "either end is the first"
    table.do(1, PlaceChosen(1))
    first = table.hold_new("1000")
    assert table.listening()[1:] == (2, [])
    table.table.sense(Arrived(table.tick(0.8), READER, first))
    assert (table.todos(), table.listening()[1]) == ([], 2)
    for bank in range(2, len(table.state.banks) + 1):
        table.hold_new("2000")
        assert table.last() == (f"reader {bank}", "loot_laid")
    assert (table.todos(), table.state.phase != "fill") == ([], True)
    table.journal.close()


def test_a_tile_with_a_sticker_is_held_to_it_as_well(banks: OneReader) -> None:
    for n in range(2):
        banks.hold_new("tile place")
        assert (banks.last(), banks.state.phase) == (("reader 8", "tile_turned"), "place")
        banks.do(1, PlaceChosen(3))
        banks.hold_new("x" if n else "2")
    assert (cards_at(banks, 3), banks.todos()) == (["5", "2", "x"], [])


def test_the_figure_is_no_card_that_went_missing(banks: OneReader) -> None:
    banks.hold_new("figure")
    assert (banks.listening(), banks.todos()) == (("", 0, []), [])
