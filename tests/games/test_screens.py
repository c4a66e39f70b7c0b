"""What pages show of a game that says nothing of its screens: the items of its open table."""

from types import SimpleNamespace
from typing import Any

import pytest
from goofspiel.game import GAME

from companion.games.open_table import count_open_places, find_face_down
from companion.games.screens import OpenTable, list_board_items, show_open_table


@pytest.fixture
def sight() -> Any:
    """The view of seat 1 with the first prize open."""
    rules = GAME.make_rulebook()
    state = rules.replay([
        rules.make_start_event("g", 2),
        rules.make_event(1, "prize_turned", {"card": "7"}),
    ])  # fmt: skip
    return SimpleNamespace(public=rules.public_view(state), mine=rules.private_view(state, 1))


def test_the_board_has_places_cards_and_seats_by_their_keys(sight: Any) -> None:
    items = list_board_items(sight)
    assert items["place-1"] == (1, ("7",))
    assert items["cards-gone"] == ("gone", ())
    assert items["seat-2"] == ("seat 2", sight.public.seats[1])
    assert show_open_table(sight) == OpenTable(
        places=("place-1",), seats=("seat-1", "seat-2"), others=("cards-gone",)
    )


def test_a_seat_sees_what_its_player_has_and_what_its_hand_may_hold(sight: Any) -> None:
    assert sight.mine.suit == sight.mine.choice.options
    assert sight.mine.prizes == ()


def test_cards_that_lie_face_down_are_found_by_place_and_number() -> None:
    here, there = SimpleNamespace(place=1, cards=("5", None)), SimpleNamespace(place=3, cards=())
    public: Any = SimpleNamespace(places=(here, there))
    assert find_face_down(public.places) == ((1, 2),)
    assert count_open_places(public) == 3
