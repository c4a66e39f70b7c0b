"""What templates are told of a game: its hints, its files, and what could have been decided."""

from pathlib import Path

import pytest

from companion.games import find_game, make_rulebook
from companion.table.view import make_view
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import played, served
from tests.worlds.visitor import Visitor
from web.rendering.game_words import (
    DEFAULT,
    decisions_of,
    estimate_width,
    find_template,
    fit_text,
    style_of,
)
from web.rendering.parts import current_hints
from web.static_files import file_addresses, find_file

WITHOUT_READERS = {"turn_up", "sweep"}
"""In this evening every card is known before it is turned up, and no loot is swept."""


@pytest.mark.parametrize("game", own_games())
def test_every_hint_has_its_moment_in_a_game(game):
    rules, shown = make_rulebook(game), set()
    for at, state in enumerate(played(game).states[1:], 1):
        now = current_hints(rules, make_view(rules, state, at))
        if now is not None:
            assert now.sentences == rules.hints[now.phase]
            shown.add(now.phase)
    assert shown | WITHOUT_READERS == set(rules.hints) | WITHOUT_READERS


def test_a_part_that_a_game_does_not_bring_is_the_default() -> None:
    game = own_games()[0]
    assert find_template(game, "no such part.html") == f"{DEFAULT}/no such part.html"


@pytest.mark.parametrize("game", own_games())
def test_the_pictures_of_a_game_are_served(game: str) -> None:
    screens = find_game(game).screens
    for piece in (*screens.pictures, *screens.welcome, "box"):
        served = find_file(file_addresses()[f"games/{game}/{piece}.svg"])
        assert served is not None
        assert served.headers["Content-Type"] == "image/svg+xml"


@pytest.mark.parametrize("game", own_games())
def test_the_sheet_of_a_game_is_on_its_own_pages_alone(game: str, tmp_path: Path) -> None:
    visitor = Visitor(served(tmp_path / "journal.sqlite3", game, "seal"))
    page = visitor.get("/table").text
    sheets = {name: style_of(name) for name in own_games()}
    for name, sheet in sheets.items():
        assert (sheet != "" and sheet in page) == (name == game and sheet != "")
    assert any(sheets.values())


ROBBERY = {"game": "bankueberfall", "kind": "robbery", "cards": ["10"]}


def test_of_more_cards_than_the_box_holds_nothing_is_told() -> None:
    assert decisions_of(ROBBERY | {"cards": ["10"] * 3, "bids": {"Ana": 3}}) == ()


def test_a_long_text_is_lower_and_a_long_name_is_cut() -> None:
    assert fit_text("Ana", 24, 100, is_name=True) == ("Ana", 24)
    text, size = fit_text("0: 5 + 5 = 10, only 5 there", 26, 300, is_name=False)
    assert text.endswith("there")
    assert estimate_width(text) * size <= 301
    name, size = fit_text("Konstantin-Alexander", 24, 100, is_name=True)
    assert name.endswith("…")
    assert size >= 20
