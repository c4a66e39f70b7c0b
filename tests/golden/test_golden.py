"""The golden games play out today as they were written down, and cite every rule there is."""

import re
from pathlib import Path
from typing import Any

import pytest

from companion.cards import KINDS, box
from companion.games import RULEBOOKS
from companion.games.rulebook import Rulebook
from companion.games.rules import SEALING, rules_of
from tests.golden import FOLDER, read, tell
from tests.recount import RECOUNT

FILES = sorted(FOLDER.glob("*.txt"))
BRACKETS = re.compile(r"  \[([^\]]+)\]$", re.MULTILINE)
RULE = re.compile(r"\b[BFRS]\.[a-z0-9.]+")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_game_is_still_told_word_for_word(path: Path) -> None:
    rules, events = read(path)
    assert "\n".join(tell(rules, events)) + "\n" == path.read_text("utf-8")


@pytest.mark.parametrize("game", RULEBOOKS)
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
    known = {rule for kind in KINDS.values() for rule in rules_of(box(kind)).rules}
    assert cited == known | set(SEALING)


def test_every_house_rule_decides_something_in_a_golden_game() -> None:
    told = "\n".join(path.read_text("utf-8") for path in FILES)
    for kind in KINDS.values():
        for name, choices in box(kind).house_rules.items():
            for choice in choices:
                stated = f'"{name}":"{choice}"' in told or choice == choices[0]
                assert f"{name} = {choice}]" in told or stated, (name, choice)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_what_is_paid_can_be_counted_again_from_the_steps(path: Path) -> None:
    rules, events = read(path)
    states = _states(rules, events)
    verdicts = {id(s.verdict): s.verdict for s in states if s.verdict is not None}
    verdicts |= {id(s.score): s.score for s in states if s.score is not None}
    assert len(verdicts) > 3
    for verdict in verdicts.values():
        RECOUNT[type(verdict).__name__](verdict)
