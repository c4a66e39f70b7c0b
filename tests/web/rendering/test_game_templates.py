"""Templates and files that games bring, and what stands in for them."""

from pathlib import Path

import pytest
from jinja2 import Environment, TemplateNotFound

from companion.games import find_game
from tests.worlds.own_games import own_games
from tests.worlds.served_tables import served
from tests.worlds.visitor import Visitor
from web.rendering.compiled_templates import load_folders
from web.rendering.game_words import DEFAULT, find_template, style_of
from web.static_files import file_addresses, find_file


def test_a_part_that_a_game_does_not_bring_is_the_default() -> None:
    game = own_games()[0]
    assert find_template(game, "no such part.html") == f"{DEFAULT}/no such part.html"


def test_two_games_may_bring_files_of_the_same_name(tmp_path: Path) -> None:
    for name in ("chess", "go"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "board.html").write_text(f"the board of {name}")
    games = {name: tmp_path / name for name in ("chess", "go")}
    env = Environment(loader=load_folders(tmp_path / "pages", games))
    for name in games:
        assert env.get_template(f"games/{name}/board.html").render() == f"the board of {name}"
    assert {"games/chess/board.html", "games/go/board.html"} == {*env.list_templates()}
    for nowhere in ("games/chess/move.html", "games/poker/board.html", "board.html"):
        with pytest.raises(TemplateNotFound):
            env.get_template(nowhere)


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
