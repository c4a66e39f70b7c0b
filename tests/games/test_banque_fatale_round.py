"""Banque Fatale: chips taken back, a card sold, the next round, and the end."""

from typing import Any

import pytest

from companion.core.i18n import seat_key
from companion.games.banque_fatale.sale_phase import judge_turns
from tests.games.test_banque_fatale import NAMES, SOLD, Salon, three

RISEN: dict[str, Any] = {"house_rules": {"sale_ban": "just_risen"}}


def last_round(story: Salon, *open_cards: str) -> Salon:
    """The pile is empty, and only these cards lie open."""
    return story.given(pile=0, open_cards=open_cards)


# F.chips


def test_chips_are_taken_back_one_by_one_from_the_left_of_the_winner() -> None:
    story = three().auction("red-red", {"red": 2}, {"blue": 1}, {"green": 1})
    assert story.verdict.first_pick == "Ben"
    for active, colour in ((2, "red"), (3, "green"), (1, "red"), (2, "blue")):
        story.then(phase="take", active=active).take(colour)
    story.then(phase="sell", active=1, middle=dict.fromkeys(SOLD.colours, 0))
    story.sees(1, chips={"red": 1, "yellow": 2, "green": 2, "blue": 2, "orange": 2})
    story.sees(2, chips={"red": 3, "yellow": 2, "green": 2, "blue": 2, "orange": 2})
    story.sees(3, chips=dict.fromkeys(SOLD.colours, 2))


def test_only_the_seat_at_turn_takes_and_only_what_lies_there() -> None:
    story = three().auction("red-red", {"red": 2}, {"blue": 1}, {})
    story.refused('chip_taken seat=1 colour="red"', "not_your_turn", "F.chips")
    story.refused('chip_taken seat=2 colour="green"', "no_such_chip", "F.chips")
    story.refused('chip_taken seat=2 colour="pink"', "no_such_chip", "F.chips")
    assert story.offered(2) == {"chip_taken": [{"colour": "red"}, {"colour": "blue"}]}
    assert story.offered(1) == {}
    story.take("blue").refused('chip_taken seat=3 colour="blue"', "no_such_chip", "F.chips")


def test_whoever_takes_next_and_all_who_take_then_are_named() -> None:
    steps = judge_turns("Ana", ("Ben", "Cleo"), {"red": 2}).steps
    assert [step.facts["who"] for step in steps] == [["Ana"], ["Ben"], ["Cleo"]]


# F.sell


def sale(**started: Any) -> Salon:
    """Ana owns red and blue–orange, won red–yellow, and may sell; red rose."""
    story = three(**started).owning(1, "red", "blue-orange")
    return story.auction("red-yellow", {"red": 2}, {}, {}).take_all().then(phase="sell", active=1)


def test_a_card_is_sold_for_the_values_of_its_colours_as_the_booklets_example_says() -> None:
    """Red stands on 7 and green on 9: red–green brings 16 million."""
    story = three().auction("green-blue", {}, {"blue": 2}, {}).take_all().worth(red=7, green=9)
    story.owning(1, "red", "red-green").when('card_sold seat=1 card="red-green"')
    story.then(sold=("red-green",), phase="choose", starter=2)
    assert story.cash == [16, 0, 0]
    assert story.cards(1) == ("red",)
    assert "red-green" not in story.state.unseen_cards()


def test_only_the_start_player_sells_and_only_a_card_of_their_own() -> None:
    story = sale()
    story.refused('card_sold seat=2 card="yellow"', "not_your_turn", "F.sell")
    story.refused("passed seat=2", "not_your_turn", "F.sell")
    story.refused('card_sold seat=1 card="yellow"', "not_owned", "F.sell")
    story.refused('card_sold seat=1 card="pink"', "not_owned", "F.sell")
    assert story.offered(2) == {}


def test_selling_nothing_is_always_possible() -> None:
    story = sale().passed().then(phase="choose", starter=2, active=2, sold=())
    assert story.cash == [0, 0, 0]


def test_the_card_won_in_this_round_is_not_sold() -> None:
    story = sale().refused('card_sold seat=1 card="red-yellow"', "sale_ban", "F.sell")
    assert story.offered(1)["card_sold"] == [{"card": "red"}, {"card": "blue-orange"}]
    story.when('card_sold seat=1 card="red"')
    assert story.cash == [8, 0, 0]


def test_a_table_may_ban_every_card_with_a_colour_that_rose_instead() -> None:
    story = sale(**RISEN)
    story.refused('card_sold seat=1 card="red"', "sale_ban", "F.sell")
    story.refused('card_sold seat=1 card="red-yellow"', "sale_ban", "F.sell")
    assert story.offered(1)["card_sold"] == [{"card": "blue-orange"}]
    story.when('card_sold seat=1 card="blue-orange"')
    assert story.cash == [4, 0, 0]


def test_a_colour_that_paid_and_went_back_to_six_has_risen_all_the_same() -> None:
    story = three(**RISEN).worth(red=9).auction("green-blue", {"red": 2}, {}, {}).take_all()
    story.refused('card_sold seat=1 card="red"', "sale_ban", "F.sell")


def test_with_nothing_to_sell_the_next_round_begins_at_once() -> None:
    story = three().owning(1).auction("green-blue", {"blue": 1}, {}, {}).take_all()
    story.then(phase="choose", starter=2, active=2)


# F.next


def test_the_left_neighbour_leads_the_next_round_and_it_comes_round() -> None:
    story = three()
    for starter in (1, 2, 3, 1):
        story.then(phase="choose", starter=starter, active=starter, auctioned="")
        story.round(story.state.on_offer()[0], {}, {}, {})


# F.end


@pytest.mark.parametrize(("players", "rounds"), [(4, 12), (3, 13)])
def test_twelve_rounds_with_four_and_thirteen_with_three(players: int, rounds: int) -> None:
    story = Salon(*NAMES[:players]).laid()
    played, left = 0, []
    while story.state.phase != "over":
        left.append(len(story.then(phase="choose").state.on_offer()))
        story.round(story.state.on_offer()[0], *({},) * players)
        played += 1
    assert (played, left[-3:]) == (rounds, [3, 2, 1])
    story.then(pile=0)
    assert story.state.on_offer() == ()
    assert sum(len(player.cards) for player in story.state.players) == 16


def test_with_an_empty_pile_the_choice_is_among_what_lies_there() -> None:
    story = last_round(three(), "orange", "red-red")
    assert story.offered(1) == {"card_chosen": [{"card": "orange"}, {"card": "red-red"}]}
    story.refused('card_chosen seat=1 card="green-blue"', "not_open", "F.auction")
    story.when('card_chosen seat=1 card="orange"').then(phase="seal")
    assert story.state.on_offer() == ("red-red",)


def test_after_the_last_auction_chips_are_taken_and_a_card_may_be_sold() -> None:
    story = last_round(three(), "orange").auction("orange", {"red": 2}, {}, {})
    story.then(phase="take").take("red").take("red").then(phase="sell", active=1)
    story.when('card_sold seat=1 card="red"').then(phase="over")
    assert story.cash == [8, 0, 0]


def test_a_sale_is_added_up_and_says_who_leads_next() -> None:
    story = sale().when('card_sold seat=1 card="blue-orange"')
    sold, follows = story.state.sale.steps
    assert (sold.rule, sold.facts["by_colour"]) == ("F.sell", {"blue": 2, "orange": 2})
    assert story.state.sale.price == story.cash[0] == 4
    assert (follows.rule, follows.facts) == ("F.next", {"who": [seat_key(2)]})
