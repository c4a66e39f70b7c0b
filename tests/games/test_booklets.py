"""booklets.tsv: every sentence of the booklets in our words, and what the companion does with it.

*enforced*: nothing else can happen. *tracked*: counted and shown. *ruling*: the booklet is silent
or contradicts itself, and a ruling or house rule decides. *explained*: a page says it; the remark
says why no more is done.
"""

import csv
from collections.abc import Iterator
from typing import NamedTuple

import pytest

from companion.games import find_game
from companion.games.rule_texts import SEALING
from tests.worlds.own_games import own_games
from tests.worlds.paths import ROOT

LETTERS = {"bankueberfall": "B", "banque_fatale": "F", "robby_solo": "R"}
HOW = {"enforced", "tracked", "explained", "ruling"}


class Sentence(NamedTuple):
    """One row."""

    number: str
    text: str
    how: str
    ids: list[str]
    remark: str


def sentences(game: str) -> Iterator[Sentence]:
    with (ROOT / "tests/games/booklets.tsv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file, delimiter="\t", quoting=csv.QUOTE_NONE):
            if row["number"].startswith(LETTERS[game]):
                yield Sentence(
                    row["number"],
                    row["sentence"],
                    row["companion"],
                    row["ids"].split(),
                    row["remark"] or "",
                )


def test_every_game_of_ours_has_its_sentences() -> None:
    assert {*LETTERS} == {*own_games()}
    assert [len([*sentences(game)]) for game in LETTERS] == [52, 38, 30]


@pytest.mark.parametrize("game", LETTERS)
def test_every_sentence_names_a_rule_that_exists(game: str) -> None:
    rules = find_game(game).rules
    for said in sentences(game):
        assert said.how in HOW, said
        assert said.ids, said
        assert all(rules.find(id) or id in SEALING for id in said.ids), said


@pytest.mark.parametrize("game", LETTERS)
def test_a_sentence_that_is_only_explained_says_why(game: str) -> None:
    for said in sentences(game):
        assert said.how != "explained" or len(said.remark) > 20, said


@pytest.mark.parametrize("game", LETTERS)
def test_every_ruling_and_house_rule_answers_a_sentence(game: str) -> None:
    rules = find_game(game).rules
    open_questions = {*rules.rulings, *rules.house_rules}
    assert open_questions <= {id for said in sentences(game) for id in said.ids}
    for said in sentences(game):
        assert said.how != "ruling" or open_questions & {*said.ids}, said
