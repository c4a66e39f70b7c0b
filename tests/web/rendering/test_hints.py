"""Hints: three for the phase at hand, for those who are asked and for those who wait."""

import pytest

from companion.games import find_game, make_rulebook
from companion.table.view import open_view
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import played
from web.rendering.parts import current_hints

NOTHING_TO_DO = "You have nothing to do now: your phone tells you when you are asked."

WITHOUT_READERS = {"turn_up", "sweep"}
"""In this evening every card is known before it is turned up, and no loot is swept."""


@pytest.mark.parametrize("game", own_games())
def test_every_hint_has_its_moment_in_a_game(game):
    rules, shown = make_rulebook(game), set()
    for at, state in enumerate(played(game).states[1:], 1):
        now = current_hints(rules, open_view(rules, state, at))
        assert now is not None
        assert now.sentences == rules.hints[now.phase]
        shown.add(now.phase)
    assert shown | WITHOUT_READERS == set(rules.hints) | WITHOUT_READERS


@pytest.mark.parametrize("page", ["/phone", "/play"])
def test_a_newcomer_learns_what_it_is_about_and_what_to_do(visit, page):
    what, do, clever = find_game("bankueberfall").rulebook.hints["start"]
    ana, ben = visit(1).reads(page), visit(2).reads(page)
    assert what in ana
    assert what in ben
    assert clever in ben
    assert do in ana
    assert NOTHING_TO_DO not in ana
    assert do not in ben
    assert NOTHING_TO_DO in ben
