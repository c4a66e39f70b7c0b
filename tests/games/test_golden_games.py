"""The golden games play out today as they were written down, and cite every rule there is."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.games import find_game
from companion.games.rule_texts import SEALING
from companion.games.rulebook import Rulebook
from tests.worlds.golden_games import golden_files, read, tell
from tests.worlds.own_games import own_games
from tests.worlds.verdict_recount import recount

FILES = golden_files()
BRACKETS = re.compile(r"  \[([^\]]+)\]$", re.MULTILINE)
RULE = re.compile(r"\b[BFRS]\.[a-z0-9.]+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_is_still_told_word_for_word(path: Path) -> None:
    rules, events = read(path)
    assert "\n".join(tell(rules, events)) + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("game", own_games())
def test_there_are_at_least_four_whole_games(game: str) -> None:
    ends = [_last(path) for path in FILES if path.stem.startswith(game)]
    assert len(ends) >= 4
    assert all(state.phase == "over" and state.score.winners for state in ends)


def _last(path: Path) -> Any:
    rules, events = read(path)
    return _states(rules, events)[-1]


def _states(rules: Rulebook, events: list[Any]) -> list[Any]:
    states = [None]
    for event in events:
        states.append(rules.apply(states[-1], event))
    return states[1:]


def test_every_rule_id_is_cited_by_a_golden_game() -> None:
    told = "\n".join(path.read_text("utf-8") for path in FILES)
    cited = {rule for found in BRACKETS.findall(told) for rule in RULE.findall(found)}
    known = {rule for game in map(find_game, own_games()) for rule in game.rules.rules} | set(
        SEALING
    )
    assert (
        known
        <= cited
        <= known | {id for game in map(find_game, own_games()) for id in game.rules.rulings}
    )


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_paid_can_be_counted_again_from_the_steps(path: Path) -> None:
    states = [None, *_states(*read(path))]
    assert sum(map(recount, states, states[1:])) > 3
