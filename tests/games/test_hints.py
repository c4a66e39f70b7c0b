"""Hints: every phase of a game but its end has two, short enough to be read at a glance."""

import pytest

from companion.core.i18n import LANGUAGES, get_language, message
from companion.games import find_game
from tests.worlds.own_games import own_games

LONGEST = {"en": 90, "de": 105, "fr": 105}


@pytest.mark.parametrize("game", own_games())
def test_every_phase_has_its_hints_and_nothing_else_has(game):
    rows = find_game(game).rulebook.rows
    phases = {row.phase for row in rows} | {phase for row in rows for phase in row.next_phases}
    assert set(find_game(game).rulebook.hints) - {"start"} == phases - {"over"}


@pytest.mark.parametrize("code", LANGUAGES)
@pytest.mark.parametrize("game", own_games())
def test_hints_are_two_short_sentences_in_every_language(game, code):
    spoken = get_language(code)
    for phase, both in find_game(game).rulebook.hints.items():
        said = [spoken(message(text)) for text in both]
        assert len(set(said)) == 2, phase
        for sentence in said:
            assert 0 < len(sentence) <= LONGEST[code], sentence
            assert sentence.endswith("."), sentence
