"""Banküberfall: closed hands, open hands, and what the table does where one cannot open."""

import pytest

from companion.core import commitment
from companion.core.events import Opened, Value
from tests.games.test_bankueberfall import Bankers, two

OTHER = "ab" * 16


def attacked() -> Bankers:
    """Bank 3 is robbed; nobody's hand is closed yet."""
    return two().at(3, "10", "x").attack(3)


def closed(first: Value = 3) -> Bankers:
    """Both hands are closed."""
    return attacked().seal(1, first).seal(2, 0)


def test_every_seat_is_asked_to_close_its_hand_and_then_to_open_it() -> None:
    story = attacked()
    assert list(story.offered(1)) == list(story.offered(2)) == ["sealed"]
    story.seal(1, 3).seal(2, 0)
    assert list(story.offered(1)) == list(story.offered(2)) == ["opened"]
    assert story.open(1, 3).offered(1) == {}


def test_a_seal_is_sixty_four_hexadecimal_digits_from_somebody_who_plays() -> None:
    story = attacked()
    for seal in ("", "3", "f" * 63, "f" * 65, "F" * 64, "g" * 64):
        story.refused(f'sealed seat=1 seal="{seal}"', "bad_seal", "S.seal")
    story.refused(f'sealed seat=3 seal="{"a" * 64}"', "no_such_seat", "S.seal")
    story.refused(f'sealed seat=0 seal="{"a" * 64}"', "no_such_seat", "S.seal")


def test_a_hand_may_be_closed_again_until_the_last_one_is_in() -> None:
    story = attacked().seal(1, 3).seal(1, 7, OTHER).seal(2, 0)
    seal = commitment.make_seal("story", 1, 1, 3, OTHER)
    story.refused(f'sealed seat=1 seal="{seal}"', "wrong_phase", "B.bid")
    story.refused(Opened(1, 3, "0123456789abcdef" * 2), "broken_seal", "S.open")
    assert story.open(1, 7, OTHER).open(2, 0).verdict.paid == {"Ana": 7, "Ben": 0}


@pytest.mark.parametrize("bid", [2, 4, -3, "3", {"coins": 3}])
def test_nothing_but_what_was_sealed_opens(bid: Value) -> None:
    refused = "not_a_hand" if bid == "3" else "broken_seal"
    rule = "B.bid" if bid == "3" else "S.open"
    closed().refused(Opened(1, bid, "0123456789abcdef" * 2), refused, rule)


def test_a_hand_opens_once() -> None:
    story = closed().open(1, 3)
    story.refused(Opened(1, 3, "0123456789abcdef" * 2), "already_open", "S.open")
    story.refused("entered seat=1 value=3", "already_open", "S.enter")


@pytest.mark.parametrize(("bid", "code"), [(11, "not_offered"), (-1, "not_a_hand")])
def test_nobody_opens_more_than_they_own_or_less_than_nothing(bid: int, code: str) -> None:
    story = closed(bid).refused(Opened(1, bid, "0123456789abcdef" * 2), code, "B.bid")
    story.when("entered seat=1 value=10").open(2, 0)
    assert story.bids == {"Ana": 10, "Ben": 0}


def test_the_table_may_have_every_hand_closed_anew() -> None:
    story = closed().open(1, 3).when("resealed").then(phase="seal")
    assert story.state.hands == commitment.fresh_hands(2, 2)
    old = commitment.make_seal("story", 1, 1, 3, "0123456789abcdef" * 2)
    story.when(f'sealed seat=1 seal="{old}"').seal(2, 1)
    story.refused(Opened(1, 3, "0123456789abcdef" * 2), "broken_seal", "S.open")
    story.when("resealed").hands(4, 1)
    assert story.verdict.paid == {"Ana": 4, "Ben": 1}


def test_closing_anew_is_possible_before_the_last_hand_is_in_and_only_in_a_robbery() -> None:
    attacked().seal(1, 3).when("resealed").then(hands=commitment.fresh_hands(2, 2))
    two().refused("resealed", "wrong_phase", "B.turn")


def test_a_hand_that_cannot_open_is_entered_and_marked_as_unproven() -> None:
    story = closed().refused('entered seat=1 value="3"', "not_a_hand", "B.bid")
    story.refused("entered seat=1 value=-1", "not_a_hand", "B.bid")
    story.refused("entered seat=3 value=1", "no_such_seat", "S.enter")
    story.when("entered seat=1 value=3")
    assert story.state.hands.unproven == (1,)
    assert story.open(2, 0).verdict.paid == {"Ana": 3, "Ben": 0}
    assert story.verdict.steps[0].rule == "S.enter"
    assert story.verdict.steps[0].facts == {"who": ["Ana"]}


def test_nothing_is_entered_for_a_hand_while_hands_are_still_closing() -> None:
    attacked().refused("entered seat=1 value=3", "wrong_phase", "B.bid")
