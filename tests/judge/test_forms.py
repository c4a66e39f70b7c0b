"""The form of a kind of dispute: a case comes back from it, with what is not known."""

from random import Random
from typing import Any

import pytest

from companion.core.errors import Malformed
from companion.judge.decide import decide, find_kinds, judged_games
from companion.judge.forms import Sheet, fill_form
from tests.worlds.campaign import pick
from tests.worlds.dealt_cases import DEALERS, judged

CASES = pick(10, 200, 1_000)
KINDS = [(game, kind) for game in judged_games() for kind in find_kinds(game)]


def through_form(case: dict[str, Any]) -> dict[str, Any]:
    """The case as the form of its kind reads it, once it is filled in."""
    kind = find_kinds(case["game"])[case["kind"]]
    fields = fill_form(kind, case)
    assert all(isinstance(one, str) for one in fields.values()), fields
    return Sheet(kind, fields).make_case()


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_the_form_of_every_kind_asks_the_same(game: str, kind: str) -> None:
    for number in range(CASES):
        case = DEALERS[game, kind](Random(number))
        if kind == "round":  # Its form has the banks and the loot in the order of the box.
            case = through_form(case)
        assert judged(through_form(case)) == judged(case), (number, case)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_what_is_not_known_stays_so_in_the_form(game: str, kind: str) -> None:
    found = find_kinds(game)[kind]
    for name, value in found.example.items():
        if type(value) in (str, int, list) and name in found.shapes and name != "players":
            unknown = [*value, "?"] if type(value) is list and name != "card" else "?"
            if name in ("robbed", "empty", "risen", "won"):  # Ticked, or one card.
                continue
            again = through_form(found.example | {name: unknown})[name]
            assert sorted(again) == sorted(unknown), name


@pytest.mark.parametrize(("kind", "field"), [("sale", "values"), ("chips", "chips")])
def test_a_number_that_is_not_known_stays_so_in_the_form(kind: str, field: str) -> None:
    example = find_kinds("banque_fatale")[kind].example
    case = example | {field: example[field] | {"red": "?"}}
    assert through_form(case)[field]["red"] == "?"


def test_nothing_was_won_and_nothing_rose() -> None:
    case = {**find_kinds("banque_fatale")["sale"].example, "won": [], "risen": []}
    assert through_form(case) == {n: one for n, one in case.items() if one != []}
    assert decide(case).allowed  # type: ignore[attr-defined]


def test_a_form_without_a_card_names_its_field() -> None:
    kind = find_kinds("banque_fatale")["sale"]
    fields = fill_form(kind, kind.example)
    with pytest.raises(Malformed) as refused:
        Sheet(kind, fields | {"card": ""}).make_case()
    assert refused.value.field == "card"
