"""Banküberfall: a bank is robbed, from the bids to the new card.

How a robbery ends is compared with a naive second judge in `tests/judge/test_exhaustive.py`, and
counted again in whole games.
"""

from typing import Any

from companion.core.i18n import Message
from companion.games.bankueberfall.picture import picture_robbery
from companion.games.picture import Card, Text
from tests.games.test_bankueberfall import Bankers, small, two
from tests.worlds.watched_table import EN


def robbed(*cards: str, bids: tuple[int, ...] = (3, 0), **started: Any) -> Bankers:
    """Bank 3 was robbed while these cards lay there."""
    names = ("Ana", "Ben", "Cleo", "Dario", "Emma")[: len(bids)]
    return Bankers(*names, **started).at(3, *cards).rob(*bids)


def ended(story: Bankers) -> tuple[str, str, int]:
    return story.verdict.outcome, story.verdict.direction, story.verdict.loot


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


def test_cards_that_no_reader_knows_are_named_once_they_are_turned_up() -> None:
    story = two().at(3, "5", None, None).rob(3, 0).then(phase="turn_up", verdict=None)
    assert story.public().banks[2] == ("5", "?", "?")
    assert story.rules.awaited_seats(story.state) == (1, 2)
    offered = story.offered(2)["card_named"]
    assert [(choice["bank"], choice["slot"]) for choice in offered] == [(3, 2), (3, 3)]
    story.refused('card_named bank=1 slot=1 card="5"', "not_its_name", "T.hidden")
    story.refused('card_named bank=3 slot=1 card="5"', "not_its_name", "T.hidden")
    story.refused('card_named bank=3 slot=4 card="5"', "not_its_name", "T.hidden")
    story.refused('card_named bank=3 slot=2 card="7"', "not_its_name", "T.hidden")
    story.refused('tile_turned seat=1 tile="spy"', "wrong_phase", "B.rob")
    story.when('card_named bank=3 slot=3 card="x"').then(phase="turn_up")
    story.when('card_named bank=3 slot=2 card="10"').then(phase="refill")
    assert ended(story) == ("shared", "lowest_first", 30)


def test_the_picture_says_what_goes_back_to_the_reserve_and_nothing_where_all_is_paid() -> None:
    def said(card: str, *bids: int) -> list[str]:
        picture = picture_robbery(robbed(card, bids=bids).verdict, ())
        marks = [mark.say for mark in picture.marks if isinstance(mark, Text)]
        return [EN(one) for one in marks if isinstance(one, Message)]

    assert "7 back to the reserve" in said("10", 2, 1)
    assert not [one for one in said("10", 5, 5) if "reserve" in one]
    assert "No money here" in said("x", 2, 1)
    assert not [one for one in said("x", 2, 1) if "Loot" in one]


def test_the_picture_crosses_out_the_cards_that_leave_and_no_other() -> None:
    def leaving(*cards: str) -> list[str | int | None]:
        marks = picture_robbery(robbed(*cards).verdict, ()).marks
        return [mark.face for mark in marks if isinstance(mark, Card) and mark.leaves]

    assert leaving("5", "policeman", "10", "seductress") == ["policeman"]
    assert leaving("5", "10") == []
    assert leaving("5", "thief", "10") == ["5", "10"]


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
