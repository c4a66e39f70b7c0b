"""Banque Fatale: what the colours are worth after an auction, and who is paid for them."""

from typing import Any

import pytest

from companion.core.verdict import HouseRule
from tests.games.test_banque_fatale import SOLD, Salon, three

FRENCH: dict[str, Any] = {"house_rules": {"unplayed": "minus_two"}}


def shown(*hands: dict[str, int], **started: Any) -> Salon:
    """An auction of green–blue with these hands."""
    return three(**started).auction("green-blue", *hands)


def values(story: Salon) -> list[int]:
    """Red, yellow, green, blue, orange."""
    return [story.state.values[colour] for colour in SOLD.colours]


def house_rules(story: Salon) -> dict[str, HouseRule | None]:
    """The house rule, if any, that moved the marker of each colour."""
    steps = [step for step in story.verdict.steps if step.rule == "F.track"]
    return {step.facts["colour"]: step.house_rule for step in steps}


# F.track


def test_the_colour_with_the_most_chips_rises_by_two() -> None:
    story = shown({"red": 2}, {"red": 1, "blue": 2}, {"yellow": 2, "green": 2, "orange": 2})
    assert values(story) == [8, 6, 6, 6, 6]
    assert story.verdict.risen == ("red",)


def test_every_colour_that_ties_for_most_rises() -> None:
    story = shown({"red": 2, "blue": 2}, {"green": 2}, {})
    assert values(story) == [8, 2, 8, 8, 2]
    assert story.verdict.risen == ("red", "green", "blue")


def test_a_single_chip_falls_by_one_even_where_it_is_the_most() -> None:
    assert values(shown({"red": 1}, {"blue": 1}, {})) == [5, 2, 2, 5, 2]
    assert shown({"red": 1}, {}, {}).verdict.risen == ()


def test_a_colour_that_nobody_played_falls_to_two() -> None:
    story = three().worth(yellow=10, orange=3).auction("green-blue", {"red": 2}, {}, {})
    assert values(story) == [8, 2, 2, 2, 2]
    unplayed = HouseRule("unplayed", "to_minimum")
    assert house_rules(story) == {
        "red": None, "yellow": unplayed, "green": unplayed, "blue": unplayed,
        "orange": None,  # from 3 both booklets let it fall to 2
    }  # fmt: skip


def test_a_table_may_let_it_fall_by_two_only() -> None:
    story = three(**FRENCH).worth(yellow=10, orange=3, blue=2)
    story.auction("green-blue", {"red": 2}, {}, {})
    assert values(story) == [8, 8, 4, 2, 2]
    assert house_rules(story)["yellow"] == HouseRule("unplayed", "minus_two")


# F.bonus


@pytest.mark.parametrize(("before", "at", "each"), [(9, 11, 5), (10, 12, 6)])
def test_above_ten_every_ace_is_paid_and_the_marker_goes_back_to_six(
    before: int, at: int, each: int
) -> None:
    story = three().worth(red=before).owning(2, "yellow", "red-blue").owning(3, "green")
    story.auction("green-blue", {"red": 2}, {}, {})
    assert story.verdict.bonuses == {"Ana": each, "Ben": each, "Cleo": 0}
    assert story.cash == [each, each, 0]
    assert story.verdict.values["red"] == story.state.values["red"] == 6
    moved = [step.facts for step in story.verdict.steps if step.facts.get("colour") == "red"]
    assert moved[0]["after"] == at


def test_the_card_just_won_counts() -> None:
    story = three().worth(green=9).auction("green-blue", {}, {"green": 2}, {})
    assert story.verdict.winner == "Ben"
    assert story.cash == [0, 5, 5]


def test_a_card_that_is_still_open_beside_the_board_pays_nobody() -> None:
    story = three().worth(red=9).owning(1, "orange").auction("green-blue", {"red": 2}, {}, {})
    assert story.cash == [0, 0, 0]
    assert values(story)[0] == 6


def test_everyone_sees_what_every_colour_had_reached_after_each_auction() -> None:
    story = three().round("green-blue", {"red": 2}, {"blue": 1}, {}).worth(green=9)
    story.round("red-red", {"green": 2}, {"red": 1}, {})
    first = {"red": 8, "yellow": 2, "green": 2, "blue": 5, "orange": 2}
    second = {"red": 7, "yellow": 2, "green": 11, "blue": 2, "orange": 2}
    assert story.public().course == (first, second)
    assert story.public().values["green"] == 6


# F.bank


def test_the_money_of_the_bank_is_counted_for_all_to_see_and_may_run_out() -> None:
    story = three().worth(red=9).auction("green-blue", {"red": 2}, {}, {})
    aces = sum(card.split("-").count("red") for p in story.state.players for card in p.cards)
    assert story.state.paid == aces * 5
    seen = story.rules.public_view(story.state)
    assert seen.bank == SOLD.count_money() - story.state.paid == 234 - aces * 5
    assert aces
