"""Tracking: what it means for the game that a tag came to lie somewhere."""

from typing import Any

import pytest

from companion.deck import Deck
from companion.events import Event, Passed
from companion.evidence import Arrived
from companion.games import rulebook
from companion.games.bankueberfall.state import (
    BankChosen,
    BankRefilled,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardSpied,
    Lying,
    TileTurned,
)
from companion.tracking import EIGHTH_SPOT, fact
from tests.games.test_bankueberfall import Bankers, two

DECK = Deck({
    "five": "5", "other five": "5", "ten": "10", "x": "x",
    "placement": "tile place", "spy": "tile spy", "robbery": "tile rob", "figure": "figure",
})  # fmt: skip


def meant(story: Bankers, place: int, tag: str) -> Event | None:
    """What it means that this tag came to lie there."""
    return fact("bankueberfall", story.state, Arrived(1.5, place, tag), DECK)


def test_a_tile_on_the_eighth_spot_is_turned_by_whoever_is_at_turn() -> None:
    assert meant(two(), EIGHTH_SPOT, "placement") == TileTurned(1, "place")
    assert meant(two(first=2), EIGHTH_SPOT, "spy") == TileTurned(2, "spy")


def test_a_tile_anywhere_else_means_nothing() -> None:
    assert meant(two(), 3, "placement") is None


def test_a_card_that_comes_to_a_bank_is_a_placement() -> None:
    story = two().turn("place")
    assert meant(story, 3, "five") == CardPlaced(1, 3, "5")
    assert meant(story, 5, "x") == CardPlaced(1, 5, "x")


@pytest.mark.parametrize("place", [0, 6, 7, EIGHTH_SPOT])
def test_a_card_or_figure_that_lies_at_no_bank_means_nothing(place: int) -> None:
    assert meant(two().turn("place"), place, "five") is None
    assert meant(two().turn("rob"), place, "figure") is None


def test_the_figure_at_a_bank_is_the_robbery_of_that_bank() -> None:
    assert meant(two().turn("rob"), 4, "figure") == BankChosen(1, 4)


def test_a_card_that_comes_to_the_robbed_bank_is_the_new_one() -> None:
    story = two().at(3, "5").rob(0, 0)
    assert meant(story, 3, "ten") == BankRefilled(3, "10")
    assert meant(story, 2, "ten") == BankRefilled(2, "10")
    story.refused(BankRefilled(2, "10"), "wrong_bank", "B.refill")


def test_a_card_put_back_during_spy_is_the_one_that_was_looked_at() -> None:
    story = two().at(3, None, "10", "5").turn("spy")
    assert meant(story, 3, "five") == CardSpied(1, 3, 3)
    assert meant(story, 3, "ten") == CardSpied(1, 3, 2)
    assert meant(story, 2, "ten") is None


def test_a_card_put_back_during_reveal_is_the_one_that_was_turned_up() -> None:
    story = two().at(3, None, "10", "5").turn("reveal")
    assert meant(story, 3, "five") == CardRevealed(1, 3, 3)
    assert meant(story, 2, "ten") is None


def test_a_card_that_lies_face_up_already_is_not_revealed_again() -> None:
    story = two().at(3, "5", "10", "5").turn("reveal").when(CardRevealed(1, 3, 1))
    story.given(phase="reveal")
    assert meant(story, 3, "five") == CardRevealed(2, 3, 3)


@pytest.mark.parametrize("phase", ["tile", "rob", "seal", "open"])
def test_between_times_a_reading_names_the_first_unknown_card_there(phase: str) -> None:
    story = two().at(3, "5", None, None).given(phase=phase)
    assert meant(story, 3, "ten") == CardNamed(3, 2, "10")
    assert meant(story.at(3, "5"), 3, "ten") is None


def test_a_card_that_was_turned_up_unknown_is_named_by_the_reader_too() -> None:
    story = two().at(3, "5", None).rob(0, 0).then(phase="turn_up")
    assert meant(story, 3, "ten") == CardNamed(3, 2, "10")
    story.when(CardNamed(3, 2, "10")).then(phase="refill", discard=("5", "10"))


def test_a_known_card_that_is_read_again_means_nothing() -> None:
    assert meant(two().at(3, "5"), 3, "five") is None


def test_a_tag_of_no_card_means_nothing() -> None:
    assert meant(two().turn("place"), 3, "bus ticket") is None
    assert DECK["bus ticket"] is None


def test_without_a_game_nothing_has_a_meaning() -> None:
    assert fact("bankueberfall", None, Arrived(0.0, 3, "five"), DECK) is None
    rules = rulebook("banque_fatale")
    state = rules.apply(None, rules.started(id="g", players=("Ana", "Ben", "Cleo")))
    assert fact("banque_fatale", state, Arrived(0.0, 3, "five"), DECK) is None


def test_when_it_is_over_nothing_has_a_meaning_that_the_rules_would_grant() -> None:
    story = two().given(phase="over", banks=((Lying(),),) * 5)
    for place, tag in ((8, "placement"), (3, "figure"), (3, "five")):
        event: Any = meant(story, place, tag)
        story.refused(event, "wrong_phase", "B.end")


def test_the_same_evidence_always_means_the_same_and_changes_nothing() -> None:
    story = two().turn("place")
    before = story.state
    again = [meant(story, 3, "five") for _ in range(3)]
    assert again == [CardPlaced(1, 3, "5")] * 3
    assert story.state is before
    assert story.rules.refuse(before, Passed(1)) is not None
