"""Tracking Robby Solo: a reader under each bank of the row, and loot that comes along it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.commitment import make_seal
from companion.core.events import Opened, Sealed
from tests.worlds.watched_table import EN, NONCE, Watched

ROW = ("yellow", "green", "red", "blue")


@pytest.fixture
def robby_solo_table(tmp_path: Path) -> Iterator[Watched]:
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


def test_loot_is_laid_along_the_row(robby_solo_table: Watched) -> None:
    robby_solo_table.lay("1000", 1)
    assert robby_solo_table.last() == ("reader 1", "loot_laid")
    assert robby_solo_table.state.banks["yellow"] == (1000,)
    for place, card in ((2, "2000"), (3, "object"), (4, "2000")):
        robby_solo_table.lay(card, place)
    assert robby_solo_table.state.phase == "seal"
    assert robby_solo_table.state.banks == {
        "yellow": (1000,), "green": (2000,), "red": ("object",), "blue": (2000,),
    }  # fmt: skip
    assert robby_solo_table.todos() == []


def test_or_from_the_other_end(robby_solo_table: Watched) -> None:
    for place, card in ((4, "1000"), (3, "2000"), (2, "3000"), (1, "object")):
        robby_solo_table.lay(card, place)
        assert robby_solo_table.last() == (f"reader {place}", "loot_laid")
    assert (robby_solo_table.state.phase, robby_solo_table.todos()) == ("seal", [])


def test_a_card_out_of_line_waits_until_its_bank_is_next(robby_solo_table: Watched) -> None:
    robby_solo_table.lay("1000", 1)
    robby_solo_table.lay("3000", 3)
    assert robby_solo_table.state.filled == ("yellow",)
    assert robby_solo_table.todos() == ["Bank 3: 1\u00a0card too many. Laid there on purpose?"]
    robby_solo_table.lay("2000", 2)
    assert robby_solo_table.state.filled == ("yellow", "green", "red")
    assert robby_solo_table.todos() == []


def test_a_card_in_the_middle_is_no_beginning(robby_solo_table: Watched) -> None:
    robby_solo_table.lay("1000", 2)
    assert robby_solo_table.state.filled == ()
    assert robby_solo_table.todos() == ["Bank 2: 1\u00a0card too many. Laid there on purpose?"]


def test_a_second_card_at_a_bank_is_too_many(robby_solo_table: Watched) -> None:
    robby_solo_table.lay("1000", 1)
    robby_solo_table.lay("1000", 1)
    assert robby_solo_table.state.banks["yellow"] == (1000,)
    assert robby_solo_table.todos() == ["Bank 1: 1\u00a0card too many. Laid there on purpose?"]


def test_a_card_entered_unheard_is_not_the_next_one_when_it_is_heard(
    robby_solo_table: Watched,
) -> None:
    table = robbed(filled(robby_solo_table), "yellow", "red", "red")
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


def test_after_the_fill_no_card_counts(robby_solo_table: Watched) -> None:
    filled(robby_solo_table).lay("9000", 2)
    assert robby_solo_table.state.banks["green"] == (2000,)
    assert robby_solo_table.todos() == ["Bank 2: 1\u00a0card too many. Laid there on purpose?"]


# Robbing.


def test_the_loot_of_one_who_was_alone_is_taken_off(robby_solo_table: Watched) -> None:
    robbed(filled(robby_solo_table), "yellow", "red", "red")
    assert robby_solo_table.state.players[0].pile == (1000,)
    assert robby_solo_table.todos() == ["Bank 1 still holds 1\u00a0card: take them off."]
    robby_solo_table.clear(1)
    assert robby_solo_table.todos() == []


def test_what_stays_is_laid_upon(robby_solo_table: Watched) -> None:
    robbed(filled(robby_solo_table), "yellow", "red", "red")
    robby_solo_table.clear(1)
    for place in range(1, 5):
        robby_solo_table.lay("5000", place)
    assert robby_solo_table.state.banks == {
        "yellow": (5000,), "green": (2000, 5000), "red": (3000, 5000), "blue": ("object", 5000),
    }  # fmt: skip
    assert robby_solo_table.todos() == []


def test_robbed_loot_that_nobody_takes_off_is_not_new(robby_solo_table: Watched) -> None:
    robbed(filled(robby_solo_table), "yellow", "red", "red")
    assert robby_solo_table.state.phase == "fill"
    assert robby_solo_table.state.banks["yellow"] == ()
    robby_solo_table.lay("5000", 1)
    assert robby_solo_table.state.banks["yellow"] == (5000,)
    assert robby_solo_table.todos() == ["Bank 1 still holds 1\u00a0card: take them off."]


def visited_by_the_police(table: Watched) -> Watched:
    """Green is left alone until it holds four; Ana has taken the most."""
    for loot in ("1000", "2000", "3000", "4000"):
        table.clear(1)
        filled(table, *[loot] * 4)
        robbed(table, "yellow", "red", "red")
    return table


def test_the_police_clear_a_bank(robby_solo_table: Watched) -> None:
    visited_by_the_police(robby_solo_table)
    raids = robby_solo_table.state.verdict.raids
    assert [raid.bank for raid in raids] == ["green", "red", "blue"]
    assert robby_solo_table.todos() == [
        "Bank 1 still holds 1\u00a0card: take them off.",
        "Bank 2 still holds 4\u00a0cards: take them off.",
        "Bank 3 still holds 4\u00a0cards: take them off.",
        "Bank 4 still holds 4\u00a0cards: take them off.",
    ]


def test_a_card_the_police_took_may_come_again(robby_solo_table: Watched) -> None:
    visited_by_the_police(robby_solo_table)
    again = next(t for t, at in robby_solo_table.where.items() if at == 2)
    for place in range(1, 5):
        robby_solo_table.clear(place)
    robby_solo_table.lay_tag(again, 1)
    assert len(robby_solo_table.state.banks["yellow"]) == 1
    assert robby_solo_table.todos() == []


def test_taken_loot_that_is_heard_once_more_is_no_new_loot(robby_solo_table: Watched) -> None:
    table = filled(robby_solo_table)
    first = next(tag for tag, at in table.where.items() if at == 1)
    robbed(table, "yellow", "red", "red")
    table.silence(first, after=0.6)
    table.wake(first, after=0.3)
    assert table.state.banks["yellow"] == ()
    table.lay_tag(first, 1)
    assert len(table.state.banks["yellow"]) == 1


def test_nobody_opens_while_a_bank_is_in_doubt(robby_solo_table: Watched) -> None:
    filled(robby_solo_table)
    robby_solo_table.clear(4)
    with pytest.raises(AssertionError, match="in_doubt"):
        robbed(robby_solo_table, "yellow", "red", "red")
    robby_solo_table.settle(4, "cards")
    assert robby_solo_table.state.banks["blue"] == ()
    assert robby_solo_table.state.deck == 58
    robby_solo_table.do(1, f'opened seat=1 value="yellow" nonce="{NONCE}"')


# Cards and log.


def test_the_cards_are_right_about_one_too_many(robby_solo_table: Watched) -> None:
    filled(robby_solo_table).lay("9000", 2)
    robby_solo_table.settle(2, "cards")
    assert robby_solo_table.state.banks["green"] == (2000, 9000)
    assert (robby_solo_table.state.deck, robby_solo_table.todos()) == (56, [])


def test_loot_in_the_wrong_bank_moves_there_if_the_cards_are_right(
    robby_solo_table: Watched,
) -> None:
    filled(robby_solo_table)
    three = next(t for t, at in robby_solo_table.where.items() if at == 3)
    robby_solo_table.lay_tag(three, 2)
    assert "Bank 2: here lies 1\u00a0card of Bank 3. Has it moved here?" in robby_solo_table.todos()
    robby_solo_table.settle(2, "cards")
    assert (robby_solo_table.state.banks["green"], robby_solo_table.state.banks["red"]) == (
        (2000, 3000),
        (),
    )
    assert (robby_solo_table.state.deck, robby_solo_table.todos()) == (57, [])


def test_an_unknown_sticker_is_no_loot(robby_solo_table: Watched) -> None:
    robby_solo_table.lay_tag("08c0ffee", 1)
    assert robby_solo_table.state.filled == ()
    refused = robby_solo_table.ask(1, 'settled place=1 way="cards"')
    assert refused is not None
    assert EN(refused.say) == "The box holds no loot card “?”."
    robby_solo_table.settle(1, "log")
    filled(robby_solo_table)
    assert robby_solo_table.todos() == []


def test_no_more_is_found_than_the_fill_needs(robby_solo_table: Watched) -> None:
    """Or the round could never be laid out to its end."""
    robby_solo_table.lay("1000", 1)
    loot = ("2000",) * 6 + ("3000",) * 6
    assert robby_solo_table.ask(1, found(2, *loot)) is None
    for place, names in ((3, "456"), (4, "789")):
        assert (
            robby_solo_table.ask(1, found(place, *[f"{n}000" for n in names for _ in range(6)]))
            is None
        )
    assert robby_solo_table.state.deck == 12
    assert robby_solo_table.ask(1, found(1, *["1000"] * 6, *["object"] * 4)) is None
    assert robby_solo_table.state.deck == 3
    refused = robby_solo_table.ask(1, found(1, *["1000"] * 6, *["object"] * 5))
    assert refused is not None
    assert refused.code == "too_many"
    for place in (2, 3, 4):
        robby_solo_table.do(1, f'loot_laid bank="{ROW[place - 1]}" card="object"')
    assert robby_solo_table.state.phase == "seal"


def found(place: int, *cards: str) -> str:
    names = ",".join(f'"{card}"' for card in cards)
    return f"found place={place} cards=[{names}]"


# Readers and power.


def test_a_dead_reader_has_its_loot_typed(robby_solo_table: Watched) -> None:
    robby_solo_table.lay("1000", 1)
    robby_solo_table.lose(2)
    robby_solo_table.lay("2000", 2)
    assert robby_solo_table.state.filled == ("yellow",)
    robby_solo_table.do(1, 'loot_laid bank="green" card=2000')
    robby_solo_table.lay("3000", 3)
    robby_solo_table.lay("4000", 4)
    assert (robby_solo_table.state.phase, robby_solo_table.todos()) == ("seal", [])
    robby_solo_table.listen(2)
    assert robby_solo_table.todos() == []


def test_without_readers_nothing_is_to_do(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo", readers=())
    for bank in ROW:
        table.do(1, f'loot_laid bank="{bank}" card=1000')
    robbed(table, "yellow", "red", "red")
    assert (table.state.phase, table.todos()) == ("fill", [])
    table.journal.close()


def test_a_power_cut_in_every_phase_changes_nothing(robby_solo_table: Watched) -> None:
    phases = list[str]()

    def cut() -> None:
        before = (
            robby_solo_table.table.history,
            robby_solo_table.todos(),
            robby_solo_table.table.view(1),
        )
        robby_solo_table.pull_the_plug()
        assert (
            robby_solo_table.table.history,
            robby_solo_table.todos(),
            robby_solo_table.table.view(1),
        ) == before
        phases.append(robby_solo_table.state.phase)

    ask = robby_solo_table.do

    def do(seat: int, *asked: object) -> Watched:
        cut()
        return ask(seat, *asked)

    cut()
    robby_solo_table.lay("1000", 4)
    cut()
    for place in (3, 2, 1):
        robby_solo_table.lay("1000", place)
    robby_solo_table.do = do  # type: ignore[method-assign]
    robbed(robby_solo_table, "yellow", "red", "red")
    cut()
    assert list(dict.fromkeys(phases)) == ["fill", "seal", "declare", "change", "open"]
    assert phases[-1] == "fill"


def test_left_overs_of_two_rounds_are_still_known_after_a_power_cut(
    robby_solo_table: Watched,
) -> None:
    robbed(filled(robby_solo_table), "yellow", "red", "red")
    filled(robby_solo_table, "5000", "5000", "5000", "5000").settle(1, "log")
    robbed(robby_solo_table, "red", "green", "red")
    todos, before = robby_solo_table.todos(), robby_solo_table.table.history
    assert todos == ["Bank 2 still holds 2\u00a0cards: take them off."]
    robby_solo_table.pull_the_plug()
    assert (robby_solo_table.table.history, robby_solo_table.todos()) == (before, todos)


def test_an_undone_card_is_taken_off_and_laid_again(robby_solo_table: Watched) -> None:
    one = robby_solo_table.lay("1000", 1)
    robby_solo_table.do(0, f"undone target={robby_solo_table.table.version}")
    assert robby_solo_table.state.filled == ()
    assert robby_solo_table.todos() == ["Bank 1 still holds 1\u00a0card: take them off."]
    robby_solo_table.lay_tag(one, 4)
    assert robby_solo_table.state.filled == ("blue",)
    assert robby_solo_table.todos() == []


def test_what_changed_while_a_reader_was_dead_is_neither_new_nor_in_doubt(
    robby_solo_table: Watched,
) -> None:
    filled(robby_solo_table)
    old = next(tag for tag, at in robby_solo_table.where.items() if at == 2)
    robbed(robby_solo_table, "green", "red", "red")
    robby_solo_table.lose(2)
    robby_solo_table.where.pop(old)
    robby_solo_table.lay("4000", 1)
    robby_solo_table.do(2, 'loot_laid bank="green" card=2000')
    robby_solo_table.lay("5000", 3)
    robby_solo_table.lay("6000", 4)
    lines = len(robby_solo_table.written())
    robby_solo_table.listen(2)
    robby_solo_table.now -= 4.9
    robby_solo_table.lay_tag(next(tag for tag in robby_solo_table.tags["2000"] if tag != old), 2)
    robby_solo_table.where[old] = 2
    robby_solo_table.lift(old)
    assert len(robby_solo_table.written()) == lines, (
        "the 2000 that was looted is gone, this is another"
    )
    assert robby_solo_table.todos() == []


@pytest.mark.parametrize("covered", [False, True])
def test_raided_cards_may_be_laid_again_where_they_lay(
    robby_solo_table: Watched, covered: bool
) -> None:
    table = robby_solo_table
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
