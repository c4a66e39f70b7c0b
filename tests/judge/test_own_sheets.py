"""The sheets that games bring: a case comes back from its own sheet, with what is not known."""

from random import Random
from typing import Any

import pytest

from companion.games import find_game
from companion.judge.decide import decide, find_judge, judged_games
from companion.judge.sheet import Sheet
from tests.worlds.campaign import pick
from tests.worlds.dealt_cases import DEALERS, judged

CASES = pick(10, 200, 1_000)
KINDS = [(game, kind) for game in judged_games() for kind in find_judge(game).kinds]


def through_sheet(case: dict[str, Any]) -> dict[str, Any]:
    """The case as the form of its kind reads it, once it is filled in."""
    game = find_game(case["game"])
    form = game.judge.sheets[case["kind"]]
    fields = form.fields_of(case)
    assert all(isinstance(one, str) for one in fields.values()), fields
    return form.make_case(Sheet(game.name, case["kind"], game.standard_box(), fields))


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_every_kind_has_a_form_to_tap_that_asks_the_same(game: str, kind: str) -> None:
    for number in range(CASES):
        case = DEALERS[game, kind](Random(number))
        if kind == "round":  # Its form has the banks and the loot in the order of the box.
            case = through_sheet(case)
        assert judged(through_sheet(case)) == judged(case), (number, case)


@pytest.mark.parametrize(
    ("game", "kind", "field", "value"),
    [
        ("bankueberfall", "final", "last", "?"),
        ("bankueberfall", "final", "front", "?"),
        ("banque_fatale", "sale", "card", "?"),
        ("banque_fatale", "sale", "won", "?"),
        ("banque_fatale", "sale", "seller", "?"),
        ("banque_fatale", "chips", "winner", "?"),
    ],
)
def test_what_is_not_known_stays_so_in_the_form(
    game: str, kind: str, field: str, value: str
) -> None:
    case = find_judge(game).examples[kind] | {field: value}
    assert through_sheet(case)[field] == value


def test_a_value_that_is_not_known_stays_so_in_the_form() -> None:
    for kind, field in (("sale", "values"), ("chips", "chips")):
        example = find_judge("banque_fatale").examples[kind]
        case = example | {field: example[field] | {"red": "?"}}
        assert through_sheet(case)[field]["red"] == "?"


def test_nothing_was_won_and_nothing_rose() -> None:
    case = {**find_judge("banque_fatale").examples["sale"], "won": [], "risen": []}
    assert through_sheet(case) == case
    assert decide(case).allowed  # type: ignore[attr-defined]
