"""docs/booklets.md: every sentence of the booklets, each with what the companion does with it."""

import re

import pytest

from companion.games import find_game
from companion.games.rule_texts import SEALING
from tests.worlds.own_games import own_games
from tests.worlds.paths import ROOT

PAGE = (ROOT / "docs" / "booklets.md").read_text("utf-8")
ROW = re.compile(r"^\| ([BFR])(\d+) \| (.+?) \| (\w+) \| (.+?) \| (.*?) ?\|$", re.MULTILINE)
SENTENCES = {"bankueberfall": ("B", 52), "banque_fatale": ("F", 38), "robby_solo": ("R", 30)}
"""How many sentences each game's booklets have, and the letter of their numbers."""
HOW = {"enforced", "tracked", "explained", "ruling"}


def rows(game: str) -> list[tuple[str, ...]]:
    """Number, sentence, what is done, ids, remark."""
    letter, _ = SENTENCES[game]
    return [found[1:] for found in ROW.findall(PAGE) if found[0] == letter]


def ids(where: str) -> list[str]:
    return re.findall(r"`([^`]+)`", where)


@pytest.mark.parametrize("game", SENTENCES)
def test_every_sentence_has_its_row_in_order(game: str) -> None:
    assert [int(number) for number, *_ in rows(game)] == [*range(1, SENTENCES[game][1] + 1)]
    assert {how for _, _, how, *_ in rows(game)} <= HOW


@pytest.mark.parametrize("game", SENTENCES)
def test_every_id_exists(game: str) -> None:
    rules = find_game(game).rules
    for number, _, _, where, _ in rows(game):
        assert ids(where), number
        for id in ids(where):
            assert rules.find(id) or id in SEALING, (number, id)


@pytest.mark.parametrize("game", SENTENCES)
def test_what_is_only_explained_says_why(game: str) -> None:
    for number, _, how, _, why in rows(game):
        assert how != "explained" or len(why) > 20, number


@pytest.mark.parametrize("game", SENTENCES)
def test_a_ruling_is_one_and_every_ruling_and_house_rule_stands_there(game: str) -> None:
    rules = find_game(game).rules
    open_ones = {*rules.rulings, *rules.house_rules}
    named = {id for _, _, _, where, _ in rows(game) for id in ids(where)}
    assert open_ones <= named
    for number, _, how, where, _ in rows(game):
        assert how != "ruling" or open_ones & {*ids(where)}, number


def test_every_game_of_ours_is_there() -> None:
    assert {*SENTENCES} == {*own_games()}
