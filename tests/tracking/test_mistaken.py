"""Cards that were entered as others than the reader of a place hears."""

from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest

from companion.core.table_events import Corrected
from companion.games.rulebook import AnyRulebook
from companion.table.putting_right import put_right
from companion.tracking.mismatches import SURPLUS
from tests.tracking.test_banque_fatale import dealt
from tests.tracking.test_robby_solo import filled, robbed
from tests.worlds.watched_table import Watched

ELSEWHERE = (
    "Red bank: the reader sees a card that was entered at “Green bank”, where no reader saw it. "
    "Look which card lies there, and put that right in the log."
)
ANOTHER = "Yellow bank: the reader sees another card than was noted. Which one lies there?"


class CountedBox(Watched):
    """A table whose owner has counted the loot: nothing of it is guessed."""

    def choose_rules(self, game: str) -> AnyRulebook:
        rules = super().choose_rules(game)
        return type(rules)(msgspec.structs.replace(rules.box, guesses={}))


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Watched]:
    """A second round in which five of the six 9000s lie there, or were taken; as the last one an
    unheard 1000 on a pile was entered at bank 2."""
    made = CountedBox(tmp_path / "journal.sqlite3", "robby_solo", sweep="doubtful")
    robbed(filled(made, "9000", "9000", "9000", "9000"), "yellow", "blue", "blue")
    made.clear(1)
    made.lay("9000", 1, n=1)
    made.lay_unheard("1000", 2)
    made.do(made.state.active, 'loot_laid bank="green" card=9000')
    yield made
    made.journal.close()


def correct_entry(table: Watched, place: int, card: int) -> None:
    """Put right what was entered at a place."""
    at = table.table.history.laid[place][-1]
    bank = tuple(table.state.banks)[place - 1]
    ways = put_right(table.table.history, at).options
    (way,) = (w for w in ways if (w.instead["bank"], w.instead["card"]) == (bank, card))
    table.do(0, Corrected(at, way.instead))


def test_a_card_of_which_none_is_left_asks_to_look_where_one_was_entered(table: Watched) -> None:
    table.lay("9000", 3, n=1)
    assert (table.state.banks["red"], table.todos_in_words()) == ((9000,), [ELSEWHERE])


def test_a_restart_asks_to_look_in_the_same_place(tmp_path: Path) -> None:
    table = dealt(tmp_path)
    tag = table.lay("blue", 1)
    table.do(1, 'card_turned card="red-red"', 'card_turned card="red-blue"')
    table.lay_tag(tag, 4)
    table.lay("red-red", 1)
    asked = table.todos_in_words()
    assert asked[0].startswith(
        "Open card 1: the reader sees a card that was entered at “Open card 2”"
    )
    table.pull_the_plug()
    assert table.todos_in_words() == asked
    table.journal.close()


def test_once_that_is_put_right_the_card_that_is_heard_counts(table: Watched) -> None:
    table.lay("9000", 3, n=1)
    correct_entry(table, 2, 1000)
    assert table.last() == ("reader 3", "loot_laid")
    assert (table.state.banks["green"], table.state.banks["red"]) == ((9000, 1000), (9000, 9000))
    assert table.todos() == []


def test_noting_what_lies_there_takes_no_unheard_card_from_the_other_bank(table: Watched) -> None:
    table.lay("9000", 3, n=1)
    refused = table.ask(1, 'settled place=3 way="cards"')
    assert refused is not None
    assert refused.code == "none_left"
    assert table.state.banks["green"] == (9000, 9000)


def test_a_single_card_that_was_entered_as_another_is_no_card_too_many(tmp_path: Path) -> None:
    table = Watched(tmp_path / "journal.sqlite3", "robby_solo")
    table.lay_unheard("4000", 1)
    table.do(1, 'loot_laid bank="yellow" card=5000')
    table.wake(next(tag for tag in table.tags["4000"] if tag in table.where))
    assert table.todos_in_words() == [ANOTHER]
    table.settle(1, "cards")
    assert (table.state.banks["yellow"], table.todos()) == ((4000,), [])
    table.journal.close()


def test_a_card_out_of_line_is_only_one_too_many(table: Watched) -> None:
    table.lay("9000", 4, n=1)
    assert table.todos() == [(4, SURPLUS.text)]
