"""Robby Solo, the choice of a bank: lay, declare, change (R.choose, R.change)."""

import pytest

from companion.core.i18n import get_language
from companion.games.robby_solo.state import Declaration
from tests.games.test_robby_solo import NEW, laid, three, without_seals

# R.choose


def test_the_gentleman_lays_last() -> None:
    story = three().fill(1000, 2000, 3000, 4000).seal(2, "red")
    story.refused(f'sealed seat=1 seal="{"0" * 64}"', "gentleman_last", "R.choose")
    assert story.rules.awaited_seats(story.state) == (3,)
    assert story.rules.list_options(story.state, 1) == []
    story.seal(3, "red")
    assert story.rules.awaited_seats(story.state) == (1,)
    story.seal(1, "blue").then(phase="declare")


def test_a_card_may_be_replaced_until_the_last_one_is_down() -> None:
    story = three().fill(1000, 2000, 3000, 4000).seal(2, "red").seal(3, "red").seal(2, "green")
    story.seal(1, "blue").declare("blue").keep().turn_up("blue", "green", "red")
    assert story.piles() == [(4000,), (2000,), (3000,)]


def test_only_the_gentleman_declares() -> None:
    story = laid("blue", "red", "red")
    assert story.rules.awaited_seats(story.state) == (1,)
    story.refused('declared seat=2 bank="red" will=true', "not_your_turn", "R.choose")
    story.refused('declared seat=1 bank="grey" will=true', "no_such_bank", "R.choose")
    story.when('declared seat=1 bank="blue" will=true').then(phase="change")
    story.then(declaration=Declaration("blue", will=True))
    now = get_language("en").with_names(story.names)(story.rules.describe_phase(story.state))
    assert now == "Ana will rob the blue bank. Everyone else: keep your card, or lay another."


@pytest.mark.parametrize(("bank", "will"), [("red", True), ("blue", False)])
def test_a_false_declaration_robs_nothing_and_stands_in_nobodys_way(bank: str, will: bool) -> None:
    story = laid("blue", "blue", "red").declare(bank, will).keep().turn_up("blue", "blue", "red")
    assert story.piles() == [(), (4000,), (3000,)]
    first = story.verdict.steps[0]
    assert (first.rule, first.facts) == ("R.choose", {"who": ["Ana"], "colour": "blue"})


# R.change


def test_everyone_else_keeps_the_card_or_lays_again_once() -> None:
    story = laid("blue", "blue", "red").declare("blue").when("kept seat=3")
    assert story.rules.awaited_seats(story.state) == (2,)
    story.refused("kept seat=3", "answered", "R.change")
    story.refused(f'sealed seat=3 seal="{"1" * 64}"', "answered", "R.change")
    story.refused("kept seat=1", "gentleman_stays", "R.change")
    story.refused(f'sealed seat=1 seal="{"1" * 64}"', "gentleman_stays", "R.change")
    story.refused("kept seat=9", "no_such_seat", "R.change")
    story.refused('sealed seat=2 seal="green"', "bad_seal", "S.seal")
    story.seal(2, "green", NEW).then(phase="open", relaid=(2,), kept=(3,))
    story.open(1, "blue").open(2, "green", NEW).open(3, "red")
    assert story.piles() == [(4000,), (2000,), (3000,)]


def test_a_bluff_lays_the_same_card_and_nobody_can_tell() -> None:
    bluff = laid("blue", "blue", "red").declare("blue").seal(2, "blue", NEW)
    change = laid("blue", "blue", "red").declare("blue").seal(2, "green", NEW)
    seen, other = (one.rules.public_view(one.state) for one in (bluff, change))
    assert seen.seats[1].relaid
    assert not seen.seats[2].relaid
    assert without_seals(seen) == without_seals(other)
    bluff.refused(f'sealed seat=3 seal="{bluff.state.hands.seals[2]}"', "same_seal", "R.change")
