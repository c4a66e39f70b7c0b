"""The sweep of robbed banks in Robby Solo at the readers: what is believed, and what is shown."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from tests.tracking.test_robby_solo import filled, robbed
from tests.worlds.watched_table import Watched

GREEN, RED = 2, 3


def piled(path: Path, taps: Iterable[int] = ()) -> Watched:
    """Three players; two cards lie at green, red and blue, and one at yellow."""
    table = Watched(path / "journal.sqlite3", "robby_solo", sweep="doubtful", taps=taps)
    lay = table.tap if taps else table.lay
    for place, card in enumerate(("1000", "2000", "3000", "object"), 1):
        lay(card, place)
    robbed(table, "yellow", "red", "red")
    table.clear(1)
    for place, card in enumerate(("4000", "5000", "6000", "7000"), 1):
        lay(card, place)
    return table


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Watched]:
    made = piled(tmp_path)
    yield made
    made.journal.close()


def tags_at(table: Watched, place: int) -> list[str]:
    return [tag for tag, at in table.where.items() if at == place]


def show(table: Watched, tag: str, place: int) -> None:
    """Hold a card over the reader of a place and take it away."""
    table.lay_tag(tag, place)
    table.lift(tag)


def lift_all(table: Watched, place: int) -> list[str]:
    """Lift the pile of a place; its cards, the last one first."""
    return [table.lift(tag) for tag in tags_at(table, place)][::-1]


def loot(table: Watched) -> list[tuple[object, ...]]:
    return [player.pile for player in table.state.players]


def test_before_the_readers_are_back_after_a_power_cut_no_pile_is_believed(table: Watched) -> None:
    table.silence(tags_at(table, GREEN)[0])
    robbed(table, "red", "green", "red")
    readers = {*table.readers}
    table.readers.clear()
    table.pull_the_plug()
    assert (table.state.phase, loot(table)[1]) == ("sweep", ())
    table.listen(*readers)
    top, under = lift_all(table, GREEN)
    for tag in (top, under):
        show(table, tag, GREEN)
    assert loot(table)[1] == (2000, 5000)


def test_the_cards_of_a_bank_swept_before_may_stay_in_hand(table: Watched) -> None:
    for place in (GREEN, RED):
        table.silence(tags_at(table, place)[0])
    robbed(table, "blue", "green", "red")
    for tag in lift_all(table, GREEN):
        show(table, tag, GREEN)
    assert (table.state.sweep.place, table.todos()) == (RED, [])
    for tag in lift_all(table, RED):
        show(table, tag, RED)
    assert (table.state.phase, table.last()) == ("fill", ("reader 4", "loot_believed"))
    assert table.todos() == ["Bank 4 still holds 2\u00a0cards: take them off."]
    assert loot(table) == [(1000, "object", 7000), (2000, 5000), (3000, 6000)]


def test_a_doubt_does_not_keep_the_cards_from_being_turned_up(table: Watched) -> None:
    top = tags_at(table, GREEN)[1]
    table.lift(top)
    assert table.todos() == ["Was a card taken away from Bank 2?"]
    robbed(table, "red", "green", "red")
    assert table.state.phase == "sweep"
    table.lay_tag(top, GREEN)
    assert loot(table)[1] == (2000, 5000), "the whole pile is heard again"


def test_where_loot_is_tapped_nothing_is_swept_unless_it_is_contested(tmp_path: Path) -> None:
    table = piled(tmp_path, taps=(1, 2, 3, 4))
    robbed(table, "red", "green", "red")
    assert table.last() == ("reader 2", "loot_believed")
    table.journal.close()


def test_a_card_tapped_at_another_bank_asks_for_the_sweep(tmp_path: Path) -> None:
    table = piled(tmp_path, taps=(1, 2, 3, 4))
    under, top = tags_at(table, GREEN)
    table.tap_tag(top, 4)
    robbed(table, "red", "green", "red")
    assert table.state.phase == "sweep"
    for tag in (top, under, top):
        table.tap_tag(tag, GREEN)
    assert loot(table)[1] == (2000, 5000)
    table.tap("9000", 1)
    assert (table.state.phase, table.state.banks["green"]) == ("fill", ()), "it was swept"
    table.tap("8000", GREEN)
    assert table.state.banks["green"] == (8000,)
    table.journal.close()


def test_loot_that_was_swept_first_is_no_new_loot_when_it_is_heard_again(tmp_path: Path) -> None:
    table = piled(tmp_path, taps=(1, 2, 3, 4))
    green, red = tags_at(table, GREEN), tags_at(table, RED)
    table.tap_tag(green[-1], 1)
    table.tap_tag(red[-1], 1)
    robbed(table, "blue", "green", "red")
    for tag in reversed(green):
        assert table.state.sweep.place == GREEN
        table.tap_tag(tag, GREEN)
    for tag in reversed(red):
        assert table.state.sweep.place == RED
        table.tap_tag(tag, RED)
    assert loot(table)[1:] == [(2000, 5000), (3000, 6000)]
    for tag in green:
        table.tap_tag(tag, GREEN)
    table.tap("9000", 1)
    assert table.state.banks["green"] == ()
    table.journal.close()


def test_a_pile_over_no_reader_is_believed_by_the_table(table: Watched) -> None:
    table.settle(GREEN, "hand")
    robbed(table, "red", "green", "red")
    assert table.last() == ("table", "loot_believed")
    assert loot(table)[1] == (2000, 5000)


def test_a_reader_that_dies_in_the_sweep_leaves_it_to_people(table: Watched) -> None:
    table.silence(tags_at(table, GREEN)[0])
    robbed(table, "red", "green", "red")
    table.lose(GREEN)
    assert table.state.phase == "sweep"
    table.do(2, 'loot_shown bank="green" card=2000', 'loot_shown bank="green" card=5000')
    assert loot(table)[1] == (2000, 5000)


def test_a_table_may_always_sweep(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo", sweep="always")
    robbed(filled(table), "green", "red", "red")
    assert table.state.phase == "sweep"
    show(table, tags_at(table, GREEN)[0], GREEN)
    assert loot(table) == [(2000,), (), ()]
    table.journal.close()
