"""Banküberfall: a bank is robbed, from the bids to the pay-out and the new card."""

from typing import Any

import pytest

from companion.core.i18n import Message
from companion.games.bankueberfall.picture import picture_robbery
from companion.games.picture import Text
from tests.games.test_bankueberfall import Bankers, small, three, two
from tests.worlds.watched_table import EN


def robbed(*cards: str, bids: tuple[int, ...] = (3, 0), **started: Any) -> Bankers:
    """Bank 3 was robbed while these cards lay there."""
    names = ("Ana", "Ben", "Cleo", "Dario", "Emma")[: len(bids)]
    return Bankers(*names, **started).at(3, *cards).rob(*bids)


def ended(story: Bankers) -> tuple[str, str, int]:
    return story.verdict.outcome, story.verdict.direction, story.verdict.loot


def gone(story: Bankers, rule: str) -> list[str]:
    """The cards that left under this rule."""
    return [c for s in story.verdict.steps if s.rule == rule for c in s.facts.get("gone", [])]


# B.rob


def test_whoever_turns_the_robbery_chooses_the_bank_and_stands_the_figure_there() -> None:
    story = two().turn("rob")
    story.refused("bank_chosen seat=2 bank=3", "not_your_turn", "B.rob")
    story.refused("bank_chosen seat=1 bank=0", "no_such_bank", "B.rob")
    story.refused("bank_chosen seat=1 bank=6", "no_such_bank", "B.rob")
    assert story.offered(1) == {"bank_chosen": [{"bank": bank} for bank in range(1, 6)]}
    story.when("bank_chosen seat=1 bank=3").then(phase="seal", figure=3)
    assert story.public().figure == 3


def test_the_robbery_leaves_the_bank_empty_and_the_cards_in_the_discard() -> None:
    story = robbed("5", "thief", "detective", "x").then(discard=("5", "thief", "detective", "x"))
    assert story.state.banks[2] == ()
    assert [len(bank) for bank in story.state.banks] == [1, 1, 0, 1, 1]


def test_an_empty_bank_can_be_robbed_and_holds_nothing() -> None:
    story = robbed(bids=(4, 0))
    assert ended(story) == ("nothing", "lowest_first", 0)
    assert story.coins == {"Ana": 10, "Ben": 10}


def test_cards_that_no_reader_knows_are_named_once_they_are_turned_up() -> None:
    story = two().at(3, "5", None, None).rob(3, 0).then(phase="turn_up", verdict=None)
    assert story.public().banks[2] == ("5", "?", "?")
    assert story.rules.awaited_seats(story.state) == (1, 2)
    offered = story.offered(2)["card_named"]
    assert [(choice["bank"], choice["slot"]) for choice in offered] == [(3, 2), (3, 3)]
    story.refused('card_named bank=1 slot=1 card="5"', "wrong_bank", "B.rob")
    story.refused('card_named bank=3 slot=1 card="5"', "known", "B.rob")
    story.refused('card_named bank=3 slot=4 card="5"', "no_such_slot", "B.rob")
    story.refused('card_named bank=3 slot=2 card="7"', "no_such_card", "B.rob")
    story.refused('tile_turned seat=1 tile="spy"', "wrong_phase", "B.rob")
    story.when('card_named bank=3 slot=3 card="x"').then(phase="turn_up")
    story.when('card_named bank=3 slot=2 card="10"').then(phase="refill")
    assert ended(story) == ("shared", "lowest_first", 30)


# B.bid


# B.rob.1


def test_one_seductress_turns_the_head_of_every_other_character() -> None:
    story = robbed("seductress", "policeman", "detective", "thief", "thief", "10")
    assert ended(story) == ("shared", "lowest_first", 10)
    assert gone(story, "B.rob.1") == ["policeman", "detective", "thief", "thief"]


def test_two_seductresses_leave_and_the_policeman_stays() -> None:
    story = robbed("seductress", "seductress", "policeman", "5")
    assert ended(story) == ("guarded", "lowest_first", 0)
    assert gone(story, "B.rob.1") == ["seductress", "seductress"]


# B.rob.2


def test_one_policeman_guards_the_bank_and_rewards_empty_hands_with_five() -> None:
    story = robbed("policeman", "thief", "10", bids=(0, 4, 0))
    assert ended(story) == ("guarded", "lowest_first", 0)
    assert story.coins == {"Ana": 15, "Ben": 10, "Cleo": 15}
    assert story.verdict.change == {"Ana": 5, "Ben": 0, "Cleo": 5}


# B.rob.3


def test_detectives_and_thieves_leave_in_pairs() -> None:
    story = robbed("detective", "thief", "10", "detective", "thief")
    assert ended(story) == ("shared", "lowest_first", 10)
    assert gone(story, "B.rob.3") == ["detective", "detective", "thief", "thief"]


# B.rob.4


def test_thieves_who_are_left_take_every_bid_with_the_loot() -> None:
    story = two().given(players=tuple(_with(p, 20) for p in two().state.players))
    story.at(3, "thief", "10").rob(6, 0)
    assert ended(story) == ("stolen", "lowest_first", 0)
    assert story.coins == {"Ana": 14, "Ben": 20}
    assert story.verdict.credits == {"Ana": 0, "Ben": 0}


def _with(player: Any, coins: int) -> Any:
    return type(player)(player.name, coins, player.credits, player.hand)


@pytest.mark.parametrize(("bid", "coins", "credits"), [(0, 10, 0), (1, 19, 1), (10, 10, 1)])
def test_whoever_then_owns_fewer_than_ten_takes_ten_and_a_red_credit(
    bid: int, coins: int, credits: int
) -> None:
    story = robbed("thief", "5", bids=(bid, 0))
    assert story.state.players[0].coins == coins
    assert [seat.credits for seat in story.public().seats] == [credits, 0]


# B.loot


def test_the_loot_comes_from_the_reserve_and_nobody_loses_a_bid() -> None:
    story = two().at(3, "10").rob(4, 5)
    assert story.coins == {"Ana": 14, "Ben": 15}


# B.pay


def test_the_lowest_bid_is_paid_first_and_exactly() -> None:
    story = robbed("10", "2", bids=(9, 5, 3))
    assert story.verdict.paid == {"Ana": 0, "Ben": 5, "Cleo": 3}
    assert story.verdict.to_reserve == 4
    paid = [step.facts["who"] for step in story.verdict.steps if "paid" in step.facts]
    assert paid == [["Cleo"], ["Ben"], ["Ana"]]


# B.pay.short


def test_the_picture_says_what_goes_back_to_the_reserve_and_nothing_where_all_is_paid() -> None:
    def returned(*bids: int) -> list[str]:
        picture = picture_robbery(robbed("10", bids=bids).verdict, ())
        said = [mark.say for mark in picture.marks if isinstance(mark, Text)]
        return [EN(one) for one in said if isinstance(one, Message) and "reserve" in one.text]

    assert returned(2, 1) == ["7 back to the reserve"]
    assert returned(5, 5) == []


# B.refill


def test_a_new_card_goes_face_down_to_the_robbed_bank() -> None:
    story = robbed("5").then(phase="refill", pile=30, active=1)
    assert story.offered(1) == {"bank_refilled": [{"bank": 3}]}
    assert story.offered(2) == {}
    story.refused("bank_refilled bank=2", "wrong_bank", "B.refill")
    story.refused('bank_refilled bank=3 card="7"', "no_such_card", "B.refill")
    story.refused('tile_turned seat=1 tile="place"', "wrong_phase", "B.refill")
    story.when('bank_refilled bank=3 card="x"').then(phase="tile", pile=29, active=2, figure=0)
    assert story.public().banks[2] == (None,)
    story.sees(1, cards=()).sees(2, cards=())


def test_a_card_laid_without_a_reader_is_not_known() -> None:
    story = robbed("5").when("bank_refilled bank=3")
    assert story.rules.expected_cards(story.state)[3] == (None,)


def test_with_an_empty_pile_the_robbed_bank_stays_empty() -> None:
    story = robbed("5", box=small(hand=2)).then(phase="tile", active=2, figure=0)
    assert story.state.banks[2] == ()


def test_three_play_on_with_the_neighbour_on_the_left() -> None:
    three().at(3, "5").rob(0, 0, 0).when("bank_refilled bank=3").then(active=2)
