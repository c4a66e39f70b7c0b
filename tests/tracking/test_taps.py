"""Taps: cards held over a reader that lies beside the pile; silence means nothing there."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.core.sensor_events import Arrived, FellSilent
from companion.games import find_game
from companion.games.bankueberfall.state import BankCard
from companion.table.permissions import HOST_AUTHOR
from companion.tracking.game_tracking import tap_places
from companion.tracking.mismatches import FORGOTTEN, MOVED, TAKEN_AWAY, UNKNOWN_STICKER
from tests.worlds.watched_table import EN, Watched

SAID_UNTIMELY = "Bank 2: it is not yet time for the card that was tapped. Tap it again when it is."
DOUBLE = (3, TAKEN_AWAY.text)


@pytest.fixture
def banks(tmp_path: Path) -> Iterator[Watched]:
    """Three players; a five was tapped and laid at every bank."""
    made = Watched(tmp_path / "journal.sqlite3", taps=range(1, 6))
    for bank in range(1, 6):
        made.tap("5", bank)
    assert made.todos() == []
    yield made
    made.journal.close()


@pytest.fixture
def row(tmp_path: Path) -> Iterator[Watched]:
    """Three players and four banks of Robby Solo, with a reader beside each bank."""
    made = Watched(tmp_path / "journal.sqlite3", "robby_solo", taps=range(1, 8))
    yield made
    made.journal.close()


def laid_at_3(banks: Watched) -> str:
    banks.lay("tile place", 8)
    x = banks.tap("x", 3)
    banks.clear(8)
    return x


def cards(table: Watched, bank: int) -> list[str | None]:
    return [card.card for card in table.state.banks[bank - 1]]


def test_the_piles_are_tapped_unless_the_profile_says_otherwise() -> None:
    assert tap_places(find_game("bankueberfall").rulebook.tracking, {}) == {1, 2, 3, 4, 5}
    assert tap_places(find_game("bankueberfall").rulebook.tracking, {2: "presence", 8: "tap"}) == {
        1,
        3,
        4,
        5,
        8,
    }
    fatale = find_game("banque_fatale").rulebook.tracking
    assert tap_places(fatale, {}) == frozenset()
    assert tap_places(fatale, {}, one_reader=True) == {1, 2, 3, 4, 5, 6, 7, 8}
    assert tap_places(find_game("robby_solo").rulebook.tracking, {}) == {1, 2, 3, 4, 5, 6, 7}


def test_a_card_tapped_at_a_bank_where_its_like_was_entered_may_be_laid_elsewhere(
    row: Watched,
) -> None:
    row.do(1, 'loot_laid bank="yellow" card=7000', 'loot_laid bank="green" card=7000')
    seven = row.tap("7000", 2)
    assert row.todos() == [], "it may be the one that was entered"
    row.tap_tag(seven, 3)
    assert (row.state.banks["green"], row.state.banks["red"]) == ((7000,), (7000,))
    assert row.todos() == [], "nor is it the one that was entered at the first bank"


def test_a_tap_that_is_heard_twice_in_a_row_is_one(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.now -= 9.0
    banks.tap_tag(x, 3)
    assert banks.todos() == []


def test_a_second_tap_asks_whether_the_card_was_taken_back(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.tap_tag(x, 3)
    assert banks.todos() == [DOUBLE]
    banks.settle(3, "log")
    assert (banks.todos(), cards(banks, 3)) == ([], ["5", "x"])
    banks.tap_tag(x, 3)
    banks.settle(3, "cards")
    assert (banks.todos(), cards(banks, 3)) == ([], ["5"])
    assert (banks.state.phase, banks.state.active) == ("place", 1), "the placement is undone"
    banks.tap_tag(x, 2)
    assert cards(banks, 2) == ["5", "x"]


def test_an_older_card_that_was_taken_back_is_corrected(banks: Watched) -> None:
    laid_at_3(banks)
    five = next(tag for tag, at in banks.where.items() if at == 3)
    banks.tap_tag(five, 3)
    banks.settle(3, "cards")
    assert (banks.todos(), cards(banks, 3), banks.state.active) == ([], ["x"], 2)


def test_a_card_tapped_at_another_bank_moves_there_or_stays(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.tap_tag(x, 4)
    assert banks.todos() == [(4, MOVED.text)]
    banks.settle(4, "log")
    assert (banks.todos(), cards(banks, 3), cards(banks, 4)) == ([], ["5", "x"], ["5"])
    banks.tap_tag(x, 5)
    banks.settle(5, "cards")
    assert (banks.todos(), cards(banks, 3), cards(banks, 5)) == ([], ["5"], ["5", "x"])


def test_the_newest_card_that_was_tapped_at_a_wrong_bank_is_placed_anew(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.tap_tag(x, 4)
    banks.settle(4, "cards")
    assert (cards(banks, 3), banks.todos()) == (["5"], [])
    assert banks.state.banks[3] == (BankCard("5"), BankCard("x", known_to=(1,)))
    assert (banks.state.phase, banks.state.active) == ("tile", 2)
    before = banks.table.history
    banks.pull_the_plug()
    assert (banks.table.history, banks.todos()) == (before, [])


def test_the_first_loot_of_a_round_that_was_tapped_at_the_wrong_end(row: Watched) -> None:
    card = row.tap("1000", 4)
    row.tap_tag(card, 1)
    row.settle(1, "cards")
    assert (row.state.banks["yellow"], row.state.banks["blue"]) == ((1000,), ())
    row.tap("2000", 2)
    assert (row.state.banks["green"], row.todos()) == ((2000,), [])


def test_a_wrong_tap_is_put_right_by_a_tap_at_the_right_bank(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.tap_tag(x, 4)
    banks.tap_tag(x, 3)
    assert banks.todos() == []


def test_a_card_held_over_a_reader_that_returns_is_not_laid_anew(banks: Watched) -> None:
    banks.lay("tile place", 8)
    banks.lose(3)
    banks.do(1, "card_placed seat=1 bank=3")
    banks.lay("tile place", 8, n=1)
    banks.listen(3)
    banks.now -= 4.8
    banks.tap("x", 3)
    assert (banks.state.phase, cards(banks, 3), banks.todos()) == ("place", ["5", "x"], [])


def test_a_tap_at_the_wrong_moment_lays_nothing_later(banks: Watched) -> None:
    x = banks.tap("x", 2)
    assert banks.todos_in_words() == [SAID_UNTIMELY]
    banks.lay("tile place", 8)
    assert banks.state.phase == "place"
    banks.tap_tag(x, 2)
    assert (cards(banks, 2), banks.todos()) == (["5", "x"], [])


def test_a_forgotten_tap_is_asked_for_when_the_next_tile_is_turned(banks: Watched) -> None:
    banks.lay("tile place", 8)
    banks.clear(8)
    banks.lay("tile spy", 8)
    assert banks.todos_in_words() == [
        "Ana: hold the new card to the reader once more, or enter it on a phone."
    ]
    banks.tap("x", 3)
    assert (banks.state.phase, banks.state.active, banks.todos()) == ("spy", 2, [])


def test_a_forgotten_tap_that_is_entered_may_follow_and_names_the_card(banks: Watched) -> None:
    banks.lay("tile place", 8)
    banks.do(1, "card_placed seat=1 bank=3")
    banks.tap("x", 3)
    assert (cards(banks, 3), banks.todos()) == (["5", "x"], [])


def test_a_card_is_spied_and_revealed_by_a_tap(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.lay("tile spy", 8)
    banks.tap_tag(x, 3)
    assert banks.state.banks[2][1] == BankCard("x", known_to=(1, 2))
    banks.clear(8)
    banks.lay("tile reveal", 8)
    banks.tap_tag(x, 3)
    assert banks.state.banks[2][1].up
    assert banks.todos() == []


def test_the_figure_is_tapped_at_its_bank(banks: Watched) -> None:
    x = laid_at_3(banks)
    banks.lay("tile rob", 8)
    banks.tap("figure", 3)
    assert (banks.state.phase, banks.state.figure) == ("seal", 3)
    banks.close(1, 2, 0).show(1, 2, 0)
    assert banks.state.verdict.loot == 10
    banks.tap_tag(x, 3)
    assert (banks.state.phase, banks.todos()) == ("refill", []), "a robbed card is not the new one"
    banks.tap("thief", 3)
    assert cards(banks, 3) == ["thief"]


def said(table: Watched) -> str:
    """How a card is laid, in words."""
    view: Any = table.table.view()
    return EN(view.table.laying) if view.table.laying else ""


def test_how_a_card_is_laid_is_said_where_its_reader_lies_beside_it(banks: Watched) -> None:
    banks.lay("tile place", 8)
    assert said(banks) == "Hold the card to the reader beside its place, then lay it down."
    banks.tap("x", 3)
    banks.clear(8)
    banks.lay("tile spy", 8)
    assert said(banks) == "Hold the chosen card to the reader."
    banks.do(2, "passed seat=2").do(3, 'tile_turned seat=3 tile="rob"', "bank_chosen seat=3 bank=2")
    banks.close(1, 2, 0).show(1, 2, 0)
    assert (banks.state.phase, bool(said(banks))) == ("refill", True)
    banks.lose(2)
    assert said(banks) == "", "its reader is lost"


def test_loot_tapped_along_the_row_waits_for_the_one_forgotten(row: Watched) -> None:
    row.tap("1000", 1)
    row.tap("2000", 3)
    assert row.todos() == [(2, FORGOTTEN.text)]
    row.tap("3000", 2)
    assert [len(bank) for bank in row.state.banks.values()] == [1, 1, 1, 0]
    row.tap("object", 4)
    assert (row.state.phase, row.todos()) == ("seal", [])


def test_an_unknown_sticker_is_asked_about_until_a_known_card_is_tapped(banks: Watched) -> None:
    banks.lay("tile place", 8)
    banks.tap_tag("08c0ffee", 3)
    assert (banks.state.phase, banks.todos()) == ("place", [(3, UNKNOWN_STICKER.text)])
    x = banks.tap("x", 3)
    assert (cards(banks, 3), banks.todos()) == (["5", "x"], [])
    banks.tap_tag("08c0ffee", 2)
    banks.settle(2, "log")
    assert banks.todos() == []
    banks.tap_tag("08c0ffee", 4)
    assert banks.todos() == [(4, UNKNOWN_STICKER.text)]
    banks.tap_tag(x, 4)
    assert banks.todos() == [(4, MOVED.text)]


@pytest.mark.parametrize("first", [0, 1])
def test_a_second_unknown_sticker_on_a_tapped_card_is_asked_about(
    banks: Watched, first: int
) -> None:
    banks.lay("tile place", 8)
    tags = [banks.tags["x"][0], "08c0ffee"]
    for tag in (tags[first], tags[1 - first]):
        banks.table.sense(Arrived(banks.tick(0.1), 3, tag))
    for tag in tags:
        banks.table.sense(FellSilent(banks.tick(1.0), 3, tag, banks.now - 0.5))
    assert (cards(banks, 3), banks.todos()) == (["5", "x"], [(3, UNKNOWN_STICKER.text)])


def test_an_unknown_sticker_of_the_last_game_is_asked_about_no_more(banks: Watched) -> None:
    banks.tap_tag("08c0ffee", 3)
    banks.do(0, "ended")
    begun = banks.rules.start_event(id="g2", players=2)
    assert banks.table.start(begun, HOST_AUTHOR) is None
    assert banks.todos() == []
