"""Banque Fatale: what the colours are worth after an auction, and who is paid for them."""

from typing import Any

from tests.games.test_banque_fatale import SOLD, Salon, three


def shown(*hands: dict[str, int], **started: Any) -> Salon:
    """An auction of green–blue with these hands."""
    return three(**started).auction("green-blue", *hands)


def values(story: Salon) -> list[int]:
    """Red, yellow, green, blue, orange."""
    return [story.state.values[colour] for colour in SOLD.colours]


# F.track


def test_every_colour_that_ties_for_most_rises() -> None:
    story = shown({"red": 2, "blue": 2}, {"green": 2}, {})
    assert values(story) == [8, 2, 8, 8, 2]
    assert story.verdict.risen == ("red", "green", "blue")


def test_a_single_chip_falls_by_one_even_where_it_is_the_most() -> None:
    assert values(shown({"red": 1}, {"blue": 1}, {})) == [5, 2, 2, 5, 2]
    assert shown({"red": 1}, {}, {}).verdict.risen == ()


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
