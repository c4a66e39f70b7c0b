"""What pages show of a game that says nothing of its screens: the items of its open table."""

from types import SimpleNamespace

from companion.games.open_table import OpenPlace, OpenSeat
from companion.games.screens import (
    Screens,
    count_open_places,
    find_face_down,
    list_board_items,
    show_open_table,
)

RICH = OpenSeat("Ana", False, "", False, {"coins": 3}, {})
POOR = OpenSeat("Ben", False, "", False, {}, {})
TABLE = SimpleNamespace(
    places=(OpenPlace(1, ("5", None)), OpenPlace(3, ())),
    cards={"out": ("7",)},
    values={"red": 4},
    numbers={"pile": 12},
    seats=(RICH, POOR),
)
SIGHT = SimpleNamespace(public=TABLE, mine=None)
BARE = SimpleNamespace(public=SimpleNamespace(), mine=None)


def test_the_board_has_places_cards_and_values_by_their_keys() -> None:
    assert list_board_items(SIGHT) == {
        "place-1": (1, ("5", None)),
        "place-3": (3, ()),
        "cards-out": ("out", ("7",)),
        "value-red": ("red", 4),
        "seat-1": ("Ana", RICH),
    }
    assert show_open_table(SIGHT) == {
        "places": ("place-1", "place-3"),
        "seats": ("seat-1",),
        "others": ("cards-out", "value-red"),
        "numbers": {"pile": 12},
    }


def test_cards_that_lie_face_down_are_found_by_place_and_number() -> None:
    assert find_face_down(TABLE) == ((1, 2),)
    assert count_open_places(TABLE) == 3


def test_a_view_without_places_has_an_empty_board() -> None:
    assert list_board_items(BARE) == {}
    assert show_open_table(BARE) == {"places": (), "seats": (), "others": (), "numbers": {}}
    assert count_open_places(BARE.public) == 1
    assert Screens().face_down(BARE.public) == ()
