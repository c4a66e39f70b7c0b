"""The sheet that is made from the example of a kind: for games that bring none."""

from contextlib import suppress

import pytest

from companion.core.errors import Malformed
from companion.games import find_game, list_games
from companion.judge.decide import decide
from companion.judge.example_sheet import list_parts, make_example_form
from companion.judge.sheet import Sheet

KINDS = [(game.name, kind) for game in list_games() for kind in game.judge.kinds]


def sheet_of(game: str, kind: str, fields: dict[str, str]) -> Sheet:
    return Sheet(game, kind, find_game(game).standard_box(), fields)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_the_example_comes_back_from_its_own_sheet(game: str, kind: str) -> None:
    example = find_game(game).judge.examples[kind]
    form = make_example_form(example, find_game(game).standard_box())
    case = form.make_case(sheet_of(game, kind, form.fields_of(example)))
    assert case == example
    decide(case)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_an_empty_sheet_is_refused_in_a_sentence_or_judged(game: str, kind: str) -> None:
    example = find_game(game).judge.examples[kind]
    form = make_example_form(example, find_game(game).standard_box())
    with pytest.raises(Malformed):
        form.make_case(sheet_of(game, kind, {}))  # Nobody has a name.
    named = {"players": "2", "name1": "Ana", "name2": "Ben"}
    with suppress(Malformed):
        assert decide(form.make_case(sheet_of(game, kind, named))).steps


def test_what_players_have_is_asked_of_each_and_what_the_box_names_once() -> None:
    box = find_game("banque_fatale").standard_box()
    parts = {one.name: one for one in list_parts(find_game(box.game).judge.examples["score"], box)}
    assert not parts["values"].per_player
    assert [line.key for line in parts["values"].lines] == [*box.colours]
    assert parts["funds"].per_player
    assert [line.kind for line in parts["funds"].lines] == ["number", "number", "json"]
    assert parts["funds"].field(parts["funds"].lines[0], 2) == "of.funds.2.cash"


def test_more_players_than_the_example_has_find_their_place() -> None:
    game = find_game("robby_solo")
    form = make_example_form(game.judge.examples["score"], game.standard_box())
    named = {"players": "3", "name1": "Ana", "name2": "Ben", "name3": "Cem"}
    case = form.make_case(sheet_of("robby_solo", "score", named | {"of.loot.3": "1000, object"}))
    assert case["loot"] == {"Ana": [], "Ben": [], "Cem": [1000, "object"]}


def test_json_that_is_none_is_refused_at_its_part() -> None:
    game = find_game("banque_fatale")
    form = make_example_form(game.judge.examples["auction"], game.standard_box())
    fields = form.fields_of(game.judge.examples["auction"]) | {"of.holdings.1": "[["}
    with pytest.raises(Malformed, match="JSON") as refused:
        form.make_case(sheet_of("banque_fatale", "auction", fields))
    assert refused.value.field == "holdings"
