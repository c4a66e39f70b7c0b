"""Banküberfall: the final round of robberies, and who wins (B.end)."""

from typing import Any

import pytest

from tests.games.test_bankueberfall import Bankers, small, two

CLOCKWISE = {"final_direction": "clockwise"}


def last_card(**started: Any) -> Bankers:
    """The pile is empty, every bank holds a 5, and Ana plays the last card of her hand."""
    story = two(**{"box": small(), **started}).given(front=started.get("front", (1, 2)))
    for bank in range(1, 6):
        story.at(bank, "5")
    return story.place(1, "5")


def figures(story: Bankers) -> list[int]:
    """Where the figure stands, robbery after robbery, until the game is over."""
    found = []
    while story.state.phase != "over":
        found.append(story.then(phase="seal").state.figure)
        story.hands(0, 0)
    return found


@pytest.mark.parametrize(
    ("started", "order"),
    [
        ({}, [1, 5, 4, 3, 2]),
        ({"house_rules": CLOCKWISE}, [1, 2, 3, 4, 5]),
        ({"front": (4, 2)}, [4, 3, 2, 1, 5]),
        ({"front": (4, 2), "house_rules": CLOCKWISE}, [4, 5, 1, 2, 3]),
    ],
)
def test_the_final_round_begins_in_front_of_whoever_laid_the_last_card_and_goes_as_agreed(
    started: dict[str, Any], order: list[int]
) -> None:
    assert figures(last_card(**started)) == order


def test_each_bank_is_robbed_once_with_bids_of_its_own_and_no_new_cards() -> None:
    story = last_card().hands(10, 0).then(phase="seal", figure=5, finals=(4, 3, 2), pile=0)
    story.hands(5, 5).hands(3, 2).hands(0, 1).hands(6, 5).then(phase="over", figure=0, finals=())
    assert story.state.banks == ((),) * 5
    assert story.coins == {"Ana": 23, "Ben": 18}


def test_the_most_coins_less_ten_for_each_credit_win() -> None:
    story = last_card().hands(0, 1).hands(0, 0).hands(0, 0).hands(0, 0).hands(0, 0)
    assert story.score.totals == {"Ana": 10, "Ben": 11}
    assert story.score.winners == ("Ben",)
    assert {step.rule for step in story.score.steps} == {"B.end"}
    assert story.public().score == story.score


def test_equal_first_places_share_the_win() -> None:
    story = last_card()
    figures(story)
    assert story.score.winners == ("Ana", "Ben")


def test_a_whole_evening_out_of_the_box_ends_when_a_hand_is_empty() -> None:
    """Six times four cards and a new one empty the pile of thirty; then the hands shrink."""
    story = two()
    for bank in range(1, 6):
        story.at(bank, "5")
    while story.state.pile:
        story.cycle().rob(0, 0, bank=3).when('bank_refilled bank=3 card="5"')
    assert [player.hand for player in story.then(pile=0).state.players] == [5, 5]
    while story.state.phase == "tile":
        tile = next(tile for tile, left in story.state.tiles.items() if left)
        if tile == "place":
            story.place(1, "5")
        elif tile == "rob":
            story.rob(0, 0, bank=3)
        else:
            story.turn(tile).passed()
    assert 0 in [player.hand for player in story.state.players]
    assert figures(story) == [1, 5, 4, 2]
    story.then(phase="over")
    held = sum(player.hand for player in story.state.players)
    assert len(story.state.discard) + held == 45


def test_the_final_round_passes_an_empty_bank_by() -> None:
    story = two(box=small(hand=2)).at(3, "5").rob(0, 0, bank=3).place(1, "5").place(1, "5")
    for bank in (1, 2, 4, 5):
        story.at(bank, "5")
    story.place(2, "5").then(figure=2, finals=(1, 5, 4))
    assert story.hands(1, 1).verdict.steps[0].rulings == ("B.empty",)
    story.hands(1, 1).hands(1, 1).hands(1, 1).then(phase="over")


def test_the_reserve_is_counted_where_the_box_says_what_its_coins_are_worth() -> None:
    assert two().rules.public_view(two().state).reserve is None
    story = two(box=small(coins={"1": 40, "5": 45})).at(1, "5")
    assert story.rules.public_view(story.state).reserve == 40 + 225 - 20
    story.rob(2, 3, bank=1)
    assert story.rules.public_view(story.state).reserve == 245 - 5
    poor = two(box=small(coins={"1": 10})).at(1, "5").rob(2, 3, bank=1)
    assert poor.rules.public_view(poor.state).reserve == -15
