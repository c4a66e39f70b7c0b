"""Tracking Robby Solo: a reader under each bank of the row, and loot that comes along it."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from companion.tracking.mismatches import LEFT_OVER, SURPLUS, TAKEN_AWAY
from tests.worlds.watched_table import NONCE, Watched

ROW = ("yellow", "green", "red", "blue")


@pytest.fixture
def robby(tmp_path: Path) -> Iterator[Watched]:
    """Three players, four banks; Ana lays the loot."""
    made = Watched(tmp_path / "journal.sqlite3", "robby_solo")
    assert tuple(made.state.banks) == ROW
    yield made
    made.journal.close()


def filled(table: Watched, *loot: str) -> Watched:
    """Loot comes along the row, from its first bank to its last."""
    for place, card in enumerate(loot or ("1000", "2000", "3000", "object"), 1):
        table.lay(card, place)
    assert table.state.phase == "seal"
    return table


def robbed(table: Watched, *banks: str) -> Watched:
    """The round's Gentleman or Lady robs what was declared; everyone keeps their card."""
    state = table.state
    seats, first = (1, 2, 3), state.active
    closing = [seat for seat in seats if seat != first] + [first]
    for seat in closing:
        text = make_seal(state.id, state.hands.round, seat, banks[seat - 1], NONCE)
        table.do(seat, Sealed(seat, text))
    table.do(first, f'declared seat={first} bank="{banks[first - 1]}" will=true')
    for seat in seats:
        if seat != first:
            table.do(seat, f"kept seat={seat}")
    for seat in seats:
        table.do(seat, Opened(seat, banks[seat - 1], NONCE))
    return table


# Filling.


def test_or_from_the_other_end(robby: Watched) -> None:
    for place, card in ((4, "1000"), (3, "2000"), (2, "3000"), (1, "object")):
        robby.lay(card, place)
        assert robby.last() == (f"reader {place}", "loot_laid")
    assert (robby.state.phase, robby.todos()) == ("seal", [])


def test_a_card_out_of_line_waits_until_its_bank_is_next(robby: Watched) -> None:
    robby.lay("1000", 1)
    robby.lay("3000", 3)
    assert robby.state.filled == ("yellow",)
    assert robby.todos() == [(3, SURPLUS.text)]
    robby.lay("2000", 2)
    assert robby.state.filled == ("yellow", "green", "red")
    assert robby.todos() == []


def test_a_card_entered_unheard_is_not_the_next_one_when_it_is_heard(robby: Watched) -> None:
    table = robbed(filled(robby), "yellow", "red", "red")
    table.clear(1)
    for place, card in enumerate(("1000", "2000", "3000"), 1):
        table.lay(card, place)
    unheard = table.lay_unheard("4000", 4)
    robbed(table.do(2, 'loot_laid bank="blue" card=4000'), "yellow", "red", "red")
    table.clear(1)
    for place, card in enumerate(("1000", "2000", "3000"), 1):
        table.lay(card, place)
    table.wake(unheard)
    assert (table.state.phase, table.todos()) == ("fill", [])
    table.lay("5000", 4)
    assert table.state.banks["blue"] == ("object", 4000, 5000)


# Robbing.


def test_taken_loot_that_is_heard_once_more_is_no_new_loot(robby: Watched) -> None:
    table = filled(robby)
    first = next(tag for tag, at in table.where.items() if at == 1)
    robbed(table, "yellow", "red", "red")
    table.silence(first, after=0.6)
    table.wake(first, after=0.3)
    assert table.state.banks["yellow"] == ()
    table.lay_tag(first, 1)
    assert len(table.state.banks["yellow"]) == 1


def test_nobody_opens_while_a_bank_is_in_doubt(robby: Watched) -> None:
    filled(robby)
    robby.clear(4)
    with pytest.raises(AssertionError, match="in_doubt"):
        robbed(robby, "yellow", "red", "red")
    robby.settle(4, "cards")
    assert robby.state.banks["blue"] == ()
    assert robby.state.deck == 58
    robby.do(1, f'opened seat=1 value="yellow" nonce="{NONCE}"')


# Readers and power.


def test_left_overs_of_two_rounds_are_still_known_after_a_power_cut(robby: Watched) -> None:
    robbed(filled(robby), "yellow", "red", "red")
    filled(robby, "5000", "5000", "5000", "5000").settle(1, "log")
    robbed(robby, "red", "green", "red")
    todos, before = robby.todos_in_words(), robby.table.history
    assert todos == ["Green bank: 2\u00a0cards still there, to be taken off."]
    robby.pull_the_plug()
    assert (robby.table.history, robby.todos_in_words()) == (before, todos)


@pytest.mark.parametrize("covered", [False, True])
def test_raided_cards_may_be_laid_again_where_they_lay(robby: Watched, covered: bool) -> None:
    table = robby
    for loot in ("1000", "2000", "3000", "4000"):
        table.clear(1)
        filled(table, *[loot] * 4)
        under, *others = [tag for tag, place in table.where.items() if place == 2]
        if covered and loot == "2000":
            table.silence(under)
        robbed(table, "yellow", "red", "red")
    for tag in others[::-1]:
        table.lift(tag)
    if covered:
        table.wake(under)
        assert (2, LEFT_OVER.text) in table.todos()
    for place in range(1, 5):
        table.clear(place)
    assert (table.state.phase, table.todos()) == ("fill", [])
    table.lay("9000", 1)
    table.lay_tag(under, 2)
    assert (table.state.banks["green"], table.todos()) == ((1000,), [])


# The sweep: what is believed, and what is shown.

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
    assert table.todos() == [(4, LEFT_OVER.text)]
    assert loot(table) == [(1000, "object", 7000), (2000, 5000), (3000, 6000)]


def test_a_doubt_does_not_keep_the_cards_from_being_turned_up(table: Watched) -> None:
    top = tags_at(table, GREEN)[1]
    table.lift(top)
    assert table.todos() == [(2, TAKEN_AWAY.text)]
    robbed(table, "red", "green", "red")
    assert table.state.phase == "sweep"
    table.lay_tag(top, GREEN)
    assert loot(table)[1] == (2000, 5000), "the whole pile is heard again"


def test_where_loot_is_tapped_nothing_is_swept_unless_it_is_contested(tmp_path: Path) -> None:
    table = piled(tmp_path, taps=(1, 2, 3, 4))
    robbed(table, "red", "green", "red")
    assert table.last() == ("reader 2", "loot_believed")
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
