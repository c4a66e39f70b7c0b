"""Covered cards: what falls silent under others still lies there, and blocks nothing."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.games.bankueberfall.state import BankCard
from companion.tracking.mismatches import LEFT_OVER, TAKEN_AWAY, UNHEARD
from tests.worlds.watched_table import Watched

SAID_UNHEARD = (
    "Bank 3: was a card laid there? The reader cannot see it. Enter it on a phone, or put back "
    "what you lifted."
)
MISSING = (3, TAKEN_AWAY.text)


@pytest.fixture
def pile(tmp_path: Path) -> Iterator[Watched]:
    """Three players, a five at every bank, and an x on top of the five at bank 3."""
    made = Watched(tmp_path / "journal.sqlite3")
    for bank in range(1, 6):
        made.lay("5", bank)
    made.lay("tile place", 8)
    made.lay("x", 3)
    made.clear(8)
    yield made
    made.journal.close()


def tags_at(table: Watched, bank: int) -> list[str]:
    return [tag for tag, at in table.where.items() if at == bank]


def rob_bank_3(table: Watched) -> Watched:
    table.lay("tile rob", 8)
    table.lay("figure", 3)
    return table.close(1, 2, 0)


def test_a_card_that_falls_silent_under_another_lies_there(pile: Watched) -> None:
    pile.silence(tags_at(pile, 3)[0])
    assert pile.todos() == []
    rob_bank_3(pile).show(1, 2, 0)
    assert pile.state.verdict.loot == 10
    assert pile.todos() == [(3, LEFT_OVER.text)]


def test_a_card_that_was_put_back_on_top_covers_the_one_beneath(pile: Watched) -> None:
    five, top = tags_at(pile, 3)
    pile.lift(five)
    pile.lay_tag(five, 3)
    pile.silence(top, after=0.6)
    assert pile.todos() == []
    pile.wake(top)
    pile.silence(top)
    assert pile.todos() == [MISSING], "it answered under the five, so it was lifted"


def test_a_figure_that_no_reader_hears_covers_the_pile_as_well(pile: Watched) -> None:
    five, top = tags_at(pile, 3)
    pile.lay("tile rob", 8)
    pile.silence(five)
    pile.silence(top)
    assert pile.todos() == [MISSING]
    pile.do(2, "bank_chosen seat=2 bank=3")
    assert pile.todos() == []
    pile.close(1, 2, 0).show(1, 2, 0)
    assert pile.state.verdict is not None


def test_a_card_that_was_spied_and_put_back_unheard_covers_the_others(pile: Watched) -> None:
    five, top = tags_at(pile, 3)
    pile.lay("tile spy", 8)
    pile.silence(five)
    pile.silence(top)
    pile.do(2, "card_spied seat=2 bank=3 slot=1")
    assert pile.todos() == []


def test_two_cards_that_silence_each_other_both_lie_there(pile: Watched) -> None:
    pile.lay("tile place", 8, n=1)
    top = pile.lay("thief", 3)
    pile.silence(top, after=0.9)
    for tag in tags_at(pile, 3)[:2]:
        pile.silence(tag)
    assert pile.todos() == []
    before = pile.table.history
    pile.pull_the_plug()
    assert (pile.table.history, pile.todos()) == (before, [])


def test_the_card_under_the_lifted_one_may_be_spied(pile: Watched) -> None:
    under, top = pile.silence(tags_at(pile, 3)[0]), tags_at(pile, 3)[1]
    pile.lay("tile spy", 8)
    pile.lift(top)
    pile.wake(under)
    pile.lay_tag(under, 3)
    pile.lay_tag(top, 3)
    assert [card.known_to for card in pile.state.banks[2]] == [(2,), (1,)]


def test_a_covered_card_that_answers_elsewhere_is_said(pile: Watched) -> None:
    under = pile.silence(tags_at(pile, 3)[0])
    pile.where[under] = 4
    pile.wake(under)
    assert pile.todos_in_words() == ["Bank 4: has a card moved here from “Bank 3”?"]
    pile.lift(under)
    assert pile.todos() == [MISSING], "it was seen elsewhere, so it does not lie under the x"
    pile.lay_tag(under, 3)
    assert pile.todos() == []


def test_a_card_laid_unheard_is_asked_for_and_entered(pile: Watched) -> None:
    pile.lay("tile place", 8, n=1)
    pile.lay_unheard("thief", 3)
    for tag in tags_at(pile, 3)[:2]:
        pile.silence(tag)
    assert pile.todos_in_words() == [SAID_UNHEARD]
    pile.do(2, "card_placed seat=2 bank=3")
    assert pile.todos() == []
    assert [card.card for card in pile.state.banks[2]] == ["5", "x", None]
    pile.pull_the_plug()
    assert pile.todos() == []


def test_a_lone_card_that_is_lifted_while_one_may_come_is_asked_for(pile: Watched) -> None:
    pile.lay("tile place", 8, n=1)
    (five,) = tags_at(pile, 1)
    pile.lift(five)
    assert pile.todos() == [(1, UNHEARD.text)]
    pile.lay_tag(five, 1)
    assert (pile.todos(), pile.state.phase) == ([], "place")


def test_a_robbed_pile_that_is_fanned_out_is_not_the_new_card(pile: Watched) -> None:
    under, top = pile.silence(tags_at(pile, 3)[0]), tags_at(pile, 3)[1]
    rob_bank_3(pile).show(1, 2, 0)
    pile.lift(top)
    pile.wake(under)
    assert pile.todos() == [(3, LEFT_OVER.text)]
    pile.lay_tag(top, 3)
    assert (pile.state.phase, pile.state.banks[2]) == ("refill", ())
    for tag in (under, top):
        pile.lift(tag)
    assert pile.todos() == []
    pile.lay("policeman", 3)
    assert pile.state.banks[2] == (BankCard("policeman"),)
    pile.lay("tile place", 8, n=1)
    pile.lay_tag(under, 3)
    assert len(pile.state.banks[2]) == 2, "it was off and was laid anew"


def test_an_undo_and_its_undo_keep_a_covered_pile(pile: Watched) -> None:
    pile.lay("tile place", 8, n=1)
    pile.lay("thief", 3)
    for tag in tags_at(pile, 3)[:2]:
        pile.silence(tag)
    before = pile.state
    for _ in range(2):
        pile.do(0, f"undone target={pile.table.version}")
    assert (pile.state.banks, pile.todos()) == (before.banks, [])
