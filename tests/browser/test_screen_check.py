"""What a maker of a game measures its screens by: all of Goofspiel is seen with six seats."""

import pytest
from goofspiel.game import GAME
from msgspec.structs import replace

from tests.worlds.installed_games import installed
from web.screen_check import check_screens


@pytest.fixture(autouse=True)
def shelf():
    with installed("goofspiel", {"goofspiel": "goofspiel.game:GAME"}):
        yield


@pytest.mark.wide
def test_a_game_without_templates_fits_the_table_and_a_phone(open_browser):
    assert check_screens(GAME, open_browser().new_page()) == []
    assert GAME.standard_box().players.most == 6


class Unworded(GAME.rulebook):
    """Prints of a state what is no sentence, in words that are too long."""

    now = {**GAME.rulebook.now, "seal": "['{prize}'] " + "w" * 300}  # noqa: RUF012


def test_what_is_cut_and_what_is_python_is_told(open_browser):
    told = check_screens(replace(GAME, rulebook=Unworded), open_browser().new_page())
    assert any("table, “seal”, en: overflows" in one for one in told)
    assert "phone, “seal”, en: Python in the text: ['" in told
