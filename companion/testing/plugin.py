"""The laws for pytest: a test that asks for `game_law` runs once for every law, on the named game.

[tool.pytest.ini_options]
table_companion_game = "my_game"

def test_the_laws(game_law): game_law()
"""

from collections.abc import Callable
from functools import partial

import pytest

INI = "table_companion_game"
SEEDS = range(12)


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the setting that names the game."""
    parser.addini(INI, "the game of the table companion whose laws are tested")


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Give a test that asks for `game_law` every law in turn."""
    if "game_law" in metafunc.fixturenames:
        from companion.testing.laws import LAWS  # noqa: PLC0415  Other tests need none of it.

        game = metafunc.config.getini(INI)
        laws = [partial(_ask_law, game, name) for name in LAWS]
        metafunc.parametrize("game_law", laws, ids=list(LAWS))


def _ask_law(name: str, law: str) -> None:
    """Fail with the first sentence about what breaks a law."""
    from companion.games import find_game  # noqa: PLC0415
    from companion.testing.laws import first_finding  # noqa: PLC0415

    finding = first_finding(find_game(name), law, SEEDS)
    if finding is not None:
        pytest.fail(finding, pytrace=False)


GameLaw = Callable[[], None]
"""What a test receives as `game_law`."""
