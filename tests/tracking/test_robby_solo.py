"""Tracking Robby Solo: a reader under each bank of the row, and loot that comes along it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
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


def test_loot_is_laid_along_the_row(robby: Watched) -> None:
    robby.lay("1000", 1)
    assert robby.last() == ("reader 1", "loot_laid")
    assert robby.state.banks["yellow"] == (1000,)
    for place, card in ((2, "2000"), (3, "object"), (4, "2000")):
        robby.lay(card, place)
    assert robby.state.phase == "seal"
    assert robby.state.banks == {
        "yellow": (1000,), "green": (2000,), "red": ("object",), "blue": (2000,),
    }  # fmt: skip
    assert robby.todos() == []


def test_or_from_the_other_end(robby: Watched) -> None:
    for place, card in ((4, "1000"), (3, "2000"), (2, "3000"), (1, "object")):
        robby.lay(card, place)
        assert robby.last() == (f"reader {place}", "loot_laid")
    assert (robby.state.phase, robby.todos()) == ("seal", [])


def test_a_card_out_of_line_waits_until_its_bank_is_next(robby: Watched) -> None:
    robby.lay("1000", 1)
    robby.lay("3000", 3)
    assert robby.state.filled == ("yellow",)
    assert robby.todos() == ["Bank 3: 1\u00a0card too many. Laid there on purpose?"]
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


def test_after_the_fill_no_card_counts(robby: Watched) -> None:
    filled(robby).lay("9000", 2)
    assert robby.state.banks["green"] == (2000,)
    assert robby.todos() == ["Bank 2: 1\u00a0card too many. Laid there on purpose?"]


# Robbing.


def test_what_stays_is_laid_upon(robby: Watched) -> None:
    robbed(filled(robby), "yellow", "red", "red")
    robby.clear(1)
    for place in range(1, 5):
        robby.lay("5000", place)
    assert robby.state.banks == {
        "yellow": (5000,), "green": (2000, 5000), "red": (3000, 5000), "blue": ("object", 5000),
    }  # fmt: skip
    assert robby.todos() == []


def test_robbed_loot_that_nobody_takes_off_is_not_new(robby: Watched) -> None:
    robbed(filled(robby), "yellow", "red", "red")
    assert robby.state.phase == "fill"
    assert robby.state.banks["yellow"] == ()
    robby.lay("5000", 1)
    assert robby.state.banks["yellow"] == (5000,)
    assert robby.todos() == ["Bank 1 still holds 1\u00a0card: take them off."]


def visited_by_the_police(table: Watched) -> Watched:
    """Green is left alone until it holds four; Ana has taken the most."""
    for loot in ("1000", "2000", "3000", "4000"):
        table.clear(1)
        filled(table, *[loot] * 4)
        robbed(table, "yellow", "red", "red")
    return table


def test_a_card_the_police_took_may_come_again(robby: Watched) -> None:
    visited_by_the_police(robby)
    again = next(t for t, at in robby.where.items() if at == 2)
    for place in range(1, 5):
        robby.clear(place)
    robby.lay_tag(again, 1)
    assert len(robby.state.banks["yellow"]) == 1
    assert robby.todos() == []


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


# Cards and log.


def test_no_more_is_found_than_the_fill_needs(robby: Watched) -> None:
    """Or the round could never be laid out to its end."""
    robby.lay("1000", 1)
    loot = ("2000",) * 6 + ("3000",) * 6
    assert robby.ask(1, found(2, *loot)) is None
    for place, names in ((3, "456"), (4, "789")):
        assert robby.ask(1, found(place, *[f"{n}000" for n in names for _ in range(6)])) is None
    assert robby.state.deck == 12
    assert robby.ask(1, found(1, *["1000"] * 6, *["object"] * 4)) is None
    assert robby.state.deck == 3
    refused = robby.ask(1, found(1, *["1000"] * 6, *["object"] * 5))
    assert refused is not None
    assert refused.code == "too_many"
    for place in (2, 3, 4):
        robby.do(1, f'loot_laid bank="{ROW[place - 1]}" card="object"')
    assert robby.state.phase == "seal"


def found(place: int, *cards: str) -> str:
    names = ",".join(f'"{card}"' for card in cards)
    return f"found place={place} cards=[{names}]"


# Readers and power.


def test_without_readers_nothing_is_to_do(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo", readers=())
    for bank in ROW:
        table.do(1, f'loot_laid bank="{bank}" card=1000')
    robbed(table, "yellow", "red", "red")
    assert (table.state.phase, table.todos()) == ("fill", [])
    table.journal.close()


def test_left_overs_of_two_rounds_are_still_known_after_a_power_cut(robby: Watched) -> None:
    robbed(filled(robby), "yellow", "red", "red")
    filled(robby, "5000", "5000", "5000", "5000").settle(1, "log")
    robbed(robby, "red", "green", "red")
    todos, before = robby.todos(), robby.table.history
    assert todos == ["Bank 2 still holds 2\u00a0cards: take them off."]
    robby.pull_the_plug()
    assert (robby.table.history, robby.todos()) == (before, todos)


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
        assert "Bank 2 still holds 1\u00a0card: take them off." in table.todos()
    for place in range(1, 5):
        table.clear(place)
    assert (table.state.phase, table.todos()) == ("fill", [])
    table.lay("9000", 1)
    table.lay_tag(under, 2)
    assert (table.state.banks["green"], table.todos()) == ((1000,), [])


def test_a_card_that_went_back_under_the_deck_is_tapped_again(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo", taps=range(1, 8))
    tags = [table.tap(card, n) for n, card in enumerate(("1000", "2000", "3000", "object"), 1)]
    robbed(table, "green", "red", "red")
    assert (table.state.banks["green"], table.todos()) == ((), [])
    table.tap("9000", 1)
    table.tap_tag(tags[1], 2)
    assert (table.state.banks["green"], table.todos()) == ((2000,), [])
    table.journal.close()
