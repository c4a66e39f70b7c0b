"""A whole game of each box at the simulated table, by mouse, by keyboard and by touch."""

from typing import Any

import pytest

from companion.app.default_players import NAMES
from tests.browser.browser_hands import Hands, Keyboard, Mouse, Touch
from tests.worlds.campaign import IS_LARGE, pick
from tests.worlds.served import Company
from tests.worlds.simulated_hands import looks

FEWEST = {"bankueberfall": 2, "banque_fatale": 3, "robby_solo": 3}
LATE = {"bankueberfall": 143, "banque_fatale": 300, "robby_solo": 150}
"""Where nobody has minutes, bots play until so much has happened; then a person takes over, at
their turn to move a piece."""
GAMES = [
    ("bankueberfall", Mouse), ("banque_fatale", Touch), ("robby_solo", Keyboard),
    ("bankueberfall", Keyboard), ("banque_fatale", Mouse), ("robby_solo", Touch),
    ("bankueberfall", Touch), ("banque_fatale", Keyboard), ("robby_solo", Mouse),
]  # fmt: skip
"""Each box by all means, first each by other ones."""
BETWEEN = ("tile", "choose", "fill")
"""Phases in which no hand is closed."""
GLANCES = 2_000
"""So often a table is looked at while nothing happens, before something is wrong."""

GAZES = 6
"""So often one looks whether the table took notice, before one moves the next piece: of two cards
that are turned at once it cannot know which one is meant."""


def is_anas(public: Any) -> bool:
    """Whether she is to move a piece."""
    return 1 in public.waiting and public.phase in BETWEEN


def play(table: Company, ana: Hands) -> None:
    """To the end, the bots at once whenever it is their turn."""
    idle = 0
    while table.view().public.phase != "over":
        before = table.evening.host.table.version
        ana.sees(before)
        did = ana.play()
        for _ in range(GAZES if did else 1):
            looks(table.evening)
            if table.evening.host.table.version != before:
                break
        did = table.evening.bots.play_one() or did
        idle = 0 if did else idle + 1
        assert idle < GLANCES, (table.view().public, ana.table.url)


@pytest.mark.wide
@pytest.mark.parametrize(("game", "means"), GAMES if IS_LARGE else GAMES[1:2])
def test_a_game_to_its_end(company, open_browser, game, means):
    table = company(game, players=NAMES[: FEWEST[game]])
    to_its_end(table, means(open_browser, table.address, "Ana"), 0)


@pytest.mark.wide
@pytest.mark.parametrize("game", pick([], ["bankueberfall"], []))
def test_the_end_of_a_game_by_keys_alone(company, open_browser, game):
    table = company(game, players=NAMES[: FEWEST[game]])
    to_its_end(table, Keyboard(open_browser, table.address, "Ana"), LATE[game])


def to_its_end(table: Company, ana: Hands, late: int) -> None:
    """Ana plays; until so much has happened, a bot did."""
    table.evening.bots.persons_seat = 0
    table.until(lambda view: not late or (view.at > late and is_anas(view.public)))
    table.evening.bots.persons_seat = 1
    play(table, ana)
    assert ana.lays, "at least one piece was moved by hand"
    ana.table.goto(f"{table.address}/play")
    ana.table.locator(".podium .rank-1").first.wait_for()
    assert table.view().table.todos == ()
