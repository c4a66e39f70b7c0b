"""The sweep at the readers: which cards count as shown, and what is to do when they differ."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.core.sensor_events import FellSilent
from companion.tracking.mismatches import MOVED
from tests.worlds.watched_table import Watched


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Watched]:
    """Three players, a two at every bank; bank 4 holds a five and a thief besides."""
    made = Watched(tmp_path / "journal.sqlite3", sweep="doubtful")
    for bank in range(1, 6):
        made.lay("2" if bank < 5 else "3", bank)
    for n, card in enumerate(("5", "thief")):
        made.lay("tile place", 8, n=n)
        made.lay(card, 4)
        made.clear(8)
    made.lay("tile rob", 8)
    made.lay("figure", 4)
    yield made
    made.journal.close()


def at(table: Watched, card: str, place: int = 4) -> str:
    """The tag of a card that lies at a place."""
    return next(tag for tag in table.tags[card] if table.where.get(tag) == place)


def fall_silent(table: Watched, *cards: str) -> None:
    """The reader of bank 4 no longer hears these cards, which lie under others."""
    for card in cards:
        table.table.sense(FellSilent(table.tick(), 4, at(table, card), table.now - 5.0))


def open_hands(table: Watched) -> Watched:
    return table.close(1, 2, 0).show(1, 2, 0)


def lift_all(table: Watched) -> list[str]:
    """Lift the pile of bank 4; the tags, the last card first."""
    tags = [
        tag for tag, place in table.where.items() if place == 4 and tag not in table.tags["figure"]
    ]
    for tag in tags:
        table.lift(tag)
    return tags[::-1]


def show(table: Watched, tag: str) -> None:
    """Hold a card over the reader of bank 4 and take it away."""
    table.lay_tag(tag, 4)
    table.lift(tag)


def test_a_pile_that_is_heard_whole_is_believed_at_once(table: Watched) -> None:
    open_hands(table)
    assert table.last() == ("reader 4", "pile_believed")
    assert table.state.phase == "refill"


def test_a_different_card_is_named_and_the_cards_are_right(table: Watched) -> None:
    fall_silent(table, "2", "5")
    open_hands(table)
    thief = lift_all(table)[0]
    show(table, thief)
    assert table.todos() == []
    show(table, at_nowhere(table, "10"))
    show(table, at_nowhere(table, "2"))
    assert table.todos_in_words() == ["Bank 4: 5 was laid there, 10 was shown."]
    table.settle(4, "cards")
    assert table.state.phase == "refill"
    assert sorted(table.state.discard) == ["10", "2", "thief"]
    assert table.todos() == []


def at_nowhere(table: Watched, card: str) -> str:
    """A tag of this card that lies nowhere."""
    return next(tag for tag in table.tags[card] if tag not in table.where)


def test_where_the_cards_differ_the_log_may_be_right(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    lift_all(table)
    for card in ("10", "x", "4"):
        show(table, at_nowhere(table, card))
    table.settle(4, "log")
    assert table.written()[-1][1] == {"event": "pile_believed", "bank": 4}
    assert sorted(table.state.discard) == ["2", "5", "thief"]


def test_a_card_too_few_is_settled_by_the_cards(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    thief, *_ = lift_all(table)
    show(table, thief)
    table.settle(4, "cards")
    assert (table.state.discard, table.state.phase) == (("thief",), "refill")


def test_a_card_that_is_not_heard_is_said_on_a_phone_and_counts_once(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    thief, five, two = lift_all(table)
    table.do(2, 'card_shown bank=4 card="thief"')
    show(table, thief)
    assert table.state.shown == ("thief",), "it is heard after all"
    show(table, five)
    show(table, two)
    assert table.state.phase == "refill"


def test_a_card_of_another_bank_does_not_count(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    lift_all(table)
    table.lay_tag(at(table, "3", 5), 4)
    assert (table.state.shown, table.todos()[0]) == ((), (4, MOVED.text))
    table.settle(4, "cards")
    assert table.state.shown == ("3",), "it is one of these cards"
    assert table.state.banks[4] == ()


def test_what_is_undone_counts_again_when_it_is_shown_again(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    thief, five, two = lift_all(table)
    show(table, thief)
    table.do(0, f"undone target={table.table.version}")
    assert table.state.shown == ()
    show(table, five)
    show(table, thief)
    show(table, two)
    assert table.state.phase == "refill"
    table.do(0, f"undone target={table.table.version}")
    assert table.state.shown == ("5", "thief")
    show(table, thief)
    assert table.state.phase == "turn_up", "it counts already"
    show(table, two)
    assert table.state.phase == "refill"


def test_after_a_power_cut_the_sweep_goes_on(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    thief, five, two = lift_all(table)
    show(table, thief)
    table.lay_tag(five, 4)
    table.pull_the_plug()
    assert table.state.shown == ("thief", "5")
    table.lift(five)
    for tag in (thief, five):
        show(table, tag)
    assert table.state.shown == ("thief", "5")
    show(table, two)
    assert table.state.phase == "refill"


def test_the_swept_cards_are_not_the_new_one(table: Watched) -> None:
    fall_silent(table, "2")
    open_hands(table)
    tags = lift_all(table)
    for tag in tags:
        show(table, tag)
    for tag in tags:
        show(table, tag)
    assert table.state.phase == "refill"
    table.lay("x", 4)
    assert (table.state.phase, [card.card for card in table.state.banks[3]]) == ("tile", ["x"])
