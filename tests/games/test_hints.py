"""Hints: every phase of every game has its three, short enough to be read at a glance."""

import pytest

from companion.core.i18n import LANGUAGES, get_language, message
from companion.games import find_game
from tests.worlds.own_games import own_games

LONGEST = {"en": 90, "de": 105, "fr": 105}


@pytest.mark.parametrize("game", own_games())
def test_every_phase_has_its_hints_and_nothing_else_has(game):
    rows = find_game(game).rulebook.rows
    phases = {row.phase for row in rows} | {phase for row in rows for phase in row.next_phases}
    assert set(find_game(game).rulebook.hints) - {"start"} == phases


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
def test_hints_are_three_short_sentences_in_every_language(game, code):
    spoken = get_language(code)
    for phase, three in find_game(game).rulebook.hints.items():
        said = [spoken(message(text)) for text in three]
        assert len(set(said)) == 3, phase
        for sentence in said:
            assert 0 < len(sentence) <= LONGEST[code], sentence
            assert sentence.endswith("."), sentence
