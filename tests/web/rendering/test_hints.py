"""Hints: three for the phase at hand, for those who are asked and for those who wait."""

import html

import pytest

from companion.core.table_events import Frozen
from companion.games import find_game, make_rulebook
from companion.table.permissions import Author
from companion.table.view import open_view
from tests.worlds.own_games import own_games
from tests.worlds.standing_tables import played
from web.rendering.hints import current_hints

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


def test_the_hints_change_with_the_phase(visit):
    ana = visit(1)
    ana.asks("tile_turned", tile="place")
    what, do, _ = find_game("bankueberfall").rulebook.hints["place"]
    assert what in ana.reads("/phone")
    assert do in ana.reads("/phone")
    waiting = visit(2).reads("/phone")
    assert what not in waiting
    assert find_game("bankueberfall").rulebook.hints["start"][0] in waiting


def test_without_scripts_they_lie_open_and_fold_away(visit):
    page = visit(1).get("/phone").text
    note = page[page.index('<details class="hints"') :].split('data-enough="now"')[0]
    assert note.split(">")[0].endswith(" open")
    assert '<p class="enough" hidden>' in note
    assert "First game?" in html.unescape(note.split("</summary>")[0])


def test_a_frozen_game_shows_no_hints(visit, evening):
    assert evening.host.table.request(Frozen(1), Author(1, "phone 1")) is None
    assert 'id="hints"' not in visit(1).get("/phone").text


def test_hints_are_for_seats_and_not_for_the_table_screen(visit):
    assert 'id="hints"' not in visit().get("/table").text
