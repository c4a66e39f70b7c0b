"""Tracking Banque Fatale: the open cards at 1 to 3, the auction at 4, the sale at 5."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.tracking.mismatches import LEFT_OVER, MOVED, SURPLUS, TAKEN_AWAY
from tests.worlds.watched_table import EN, Watched

SINGLES = ("red", "yellow", "green")


def dealt(path: Path, **how: object) -> Watched:
    """Three players, a card of one colour in front of each: nothing is laid out yet."""
    made = Watched(path / "journal.sqlite3", "banque_fatale", **how)  # type: ignore[arg-type]
    for seat, card in enumerate(SINGLES, 1):
        made.do(seat, f'card_dealt seat={seat} card="{card}"')
    return made


@pytest.fixture
def dealt_table(tmp_path: Path) -> Iterator[Watched]:
    """Blue, orange and red-blue lie open, and Ana chooses."""
    made = dealt(tmp_path)
    for place, card in enumerate(("blue", "orange", "red-blue"), 1):
        made.lay(card, place)
    assert made.state.phase == "choose"
    assert made.todos() == []
    yield made
    made.journal.close()


def tag(table: Watched, card: str) -> str:
    (only,) = table.tags[card]
    return only


def auctioned(table: Watched) -> Watched:
    """A card is moved to the auction and its hole filled."""
    place = table.where[tag(table, "orange")]
    table.lay_tag(tag(table, "orange"), 4)
    table.lay("red-green", place)
    return table


def won(table: Watched) -> Watched:
    """Ana bids one red, the others nothing; she takes it back, and may sell."""
    table.close({"red": 1}, {}, {}).show({"red": 1}, {}, {})
    return table.do(2, 'chip_taken seat=2 colour="red"')


# Laying out.


def test_the_cards_are_turned_up_place_by_place(tmp_path: Path) -> None:
    table = dealt(tmp_path)
    table.lay("blue", 1)
    assert (table.state.phase, table.state.open_cards) == ("lay", ("blue",))
    assert table.last() == ("reader 1", "card_turned")
    table.lay("red-blue", 3)
    assert table.state.open_cards == ("blue",), "the second place comes first"
    assert table.todos() == [(3, SURPLUS.text)]
    table.lay("orange", 2)
    assert (table.state.phase, table.state.open_cards) == (
        "choose", ("blue", "orange", "red-blue"),
    )  # fmt: skip
    assert table.todos() == []
    table.journal.close()


def test_a_card_that_lies_in_front_of_a_player_is_not_turned_up(tmp_path: Path) -> None:
    table = dealt(tmp_path)
    table.lay("red", 1)
    assert table.state.open_cards == ()
    assert table.todos() == [(1, SURPLUS.text)]
    refused = table.ask(1, 'settled place=1 way="cards"')
    assert refused is not None
    assert EN(refused.say) == "No card of this game lies at place 1."
    table.journal.close()


# The auction.


def test_a_card_moved_to_the_auction_is_chosen(dealt_table: Watched) -> None:
    dealt_table.lift(tag(dealt_table, "orange"))
    assert dealt_table.todos() == [], "it is in Ana's hand"
    dealt_table.lay_tag(tag(dealt_table, "orange"), 4)
    assert (dealt_table.state.phase, dealt_table.state.auctioned) == ("refill", "orange")
    assert dealt_table.last() == ("reader 4", "card_chosen")
    assert dealt_table.todos() == []


def test_the_hole_is_filled_where_it_is(dealt_table: Watched) -> None:
    dealt_table.lay_tag(tag(dealt_table, "orange"), 4)
    dealt_table.lay("red-green", 3)
    assert dealt_table.state.phase == "refill"
    assert dealt_table.todos() == [(3, SURPLUS.text)]
    dealt_table.lay_tag(tag(dealt_table, "red-green"), 2)
    assert (dealt_table.state.phase, dealt_table.state.open_cards) == (
        "seal",
        ("blue", "red-green", "red-blue"),
    )
    assert dealt_table.last() == ("reader 2", "card_turned")
    assert dealt_table.todos() == []


def test_a_choice_by_phone_waits_for_no_card(dealt_table: Watched) -> None:
    dealt_table.do(1, 'card_chosen seat=1 card="orange"')
    assert dealt_table.todos() == [(2, LEFT_OVER.text), (4, TAKEN_AWAY.text)]
    dealt_table.lay_tag(tag(dealt_table, "orange"), 4)
    assert dealt_table.todos() == []


# The sale.


def test_a_card_laid_at_the_fifth_place_is_sold(dealt_table: Watched) -> None:
    won(auctioned(dealt_table))
    dealt_table.clear(4)
    dealt_table.lay("red", 5)
    assert dealt_table.last() == ("reader 5", "card_sold")
    assert (dealt_table.state.phase, dealt_table.state.sold) == ("choose", ("red",))
    assert dealt_table.todos() == [(5, LEFT_OVER.text)]
    dealt_table.clear(5)
    assert dealt_table.todos() == []


def test_an_open_card_is_not_sold_either(dealt_table: Watched) -> None:
    won(auctioned(dealt_table))
    dealt_table.lay_tag(tag(dealt_table, "blue"), 5)
    assert dealt_table.state.phase == "sell"
    assert (5, MOVED.text) in dealt_table.todos()


# Cards and log.


def test_two_open_cards_that_changed_places_are_put_right_by_the_cards(
    dealt_table: Watched,
) -> None:
    dealt_table.lay_tag(tag(dealt_table, "orange"), 1)
    refused = dealt_table.ask(1, 'settled place=1 way="cards"')
    assert refused is not None
    assert refused.code == "one_card", "the second place would be a hole"
    dealt_table.lay_tag(tag(dealt_table, "blue"), 2)
    assert dealt_table.todos_in_words() == [
        "Open card 1: has a card moved here from “Open card 2”?",
        "Open card 2: has a card moved here from “Open card 1”?",
    ]
    dealt_table.settle(1, "cards")
    assert dealt_table.state.open_cards == ("orange", "blue", "red-blue")
    assert dealt_table.todos() == []


# Power cuts, and undo.


def test_an_undone_choice_has_the_card_put_back(dealt_table: Watched) -> None:
    dealt_table.lay_tag(tag(dealt_table, "orange"), 4)
    dealt_table.do(0, f"undone target={dealt_table.table.version}")
    assert dealt_table.state.phase == "choose"
    dealt_table.lay_tag(tag(dealt_table, "orange"), 2)
    assert (dealt_table.state.phase, dealt_table.todos()) == ("choose", [])
    dealt_table.lay_tag(tag(dealt_table, "blue"), 4)
    assert (dealt_table.state.phase, dealt_table.state.auctioned) == ("refill", "blue")
