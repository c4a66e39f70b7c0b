"""A step that a ruling of ours decided names it, and no other step does."""

from typing import Any

import msgspec
import pytest

from companion.core.i18n import get_language
from companion.games import find_game
from companion.games.banque_fatale.auction import guess_steps as guessed_cards
from companion.games.robby_solo.raid import guess_steps as guessed_loot
from companion.judge.decide import decide, render_verdict
from tests.worlds.own_games import own_games

Json = dict[str, Any]
Named = set[tuple[str, str]]

VALUES = {"red": 6, "yellow": 6, "green": 6, "blue": 6, "orange": 6}
PURSES = {"A": {"coins": 20, "credits": 0}, "B": {"coins": 20, "credits": 0}}
OWNED = {name: {"cash": 5, "chips": 0, "cards": []} for name in "ABC"}


def robbery(*cards: str) -> Json:
    return {"game": "bankueberfall", "kind": "robbery", "cards": [*cards], "bids": {"A": 1, "B": 0}}


def final(*empty: int) -> Json:
    case = {"game": "bankueberfall", "kind": "final", "players": ["A", "B"], "last": "A"}
    return case | {"empty": [*empty]}


def auction(a: Json, b: Json, c: Json, card: str = "red", **more: Any) -> Json:
    bids = {"A": a, "B": b, "C": c}
    case = {"game": "banque_fatale", "kind": "auction", "players": ["A", "B", "C"], "start": "A"}
    return case | {"bids": bids, "values": VALUES, "card": [card], "holdings": {}} | more


def raid(loot: Json, **banks: list[Any]) -> Json:
    choices = dict.fromkeys(loot, "yellow")
    case = {"game": "robby_solo", "kind": "round", "banks": {"yellow": []} | banks}
    return case | {"choices": choices, "loot": loot}


FOUR = [1000, 2000, 3000, 4000]
ALL = dict.fromkeys(VALUES, 1)
SITUATIONS: list[tuple[Json, Named]] = [
    (robbery(), {("B.rob", "B.empty")}),
    (robbery("x"), set()),
    (final(3), {("B.end", "B.empty")}),
    (final(), set()),
    ({"game": "bankueberfall", "kind": "score", "funds": PURSES}, {("B.end", "B.ties")}),
    (auction({}, {}, {}), {("F.auction.tie", "F.nothing")}),
    (auction(ALL, ALL, ALL), {("F.auction.tie", "F.auction.three")}),
    (auction(ALL, ALL, {}), set()),
    (
        auction({**ALL, "green": 0}, {"green": 1}, {}, values={**VALUES, "green": 2}),
        {("F.track", "F.track.least")},
    ),
    (
        auction(
            {**ALL, "green": 0}, {}, {}, values={**VALUES, "green": 3},
            house_rules={"unplayed": "minus_two"},
        ),
        {("F.track", "F.track.least")},
    ),
    (
        auction({**ALL, "green": 0}, {}, {}, values={**VALUES, "green": 3}),
        set(),
    ),
    (
        auction({**ALL, "red": 2}, {}, {}, values={**VALUES, "red": 10}),
        {("F.bonus", "F.bonus.won")},
    ),
    (
        auction({**ALL, "blue": 2}, {}, {}, values={**VALUES, "blue": 10}),
        {("F.bonus", "F.bonus.reset")},
    ),
    (
        auction(
            {**ALL, "blue": 2}, {}, {},
            values={**VALUES, "blue": 10}, holdings={"C": [["blue"]]},
        ),
        set(),
    ),
    (
        {"game": "banque_fatale", "kind": "score", "values": VALUES, "funds": OWNED},
        {("F.end", "F.ties")},
    ),
    (raid({"A": [], "B": []}, red=FOUR), {("R.police", "R.police.none")}),
    (raid({"A": [5000], "B": []}, red=FOUR), set()),
    (raid({"A": [9000, "object", 9000], "B": []}, red=FOUR), {("R.police", "R.police.equal")}),
    (raid({"A": [9000, 9000], "B": []}, red=FOUR), set()),
    (raid({"A": ["object", "object"], "B": []}, red=FOUR), set()),
    (
        raid({"A": [], "Robby Junior": [5000]}, red=FOUR),
        {("R.police", "R.junior.loot")},
    ),
    (
        raid({"A": [], "B": []}) | {
            "choices": {"A": "yellow", "Robby Junior": "red"}, "loot": {},
            "banks": {"yellow": [], "red": [1000]},
        },
        {("R.solo", "R.junior.loot")},
    ),
    (
        raid({"A": [], "B": []}) | {"declared": {"name": "A", "bank": "yellow", "will": False}},
        {("R.choose", "R.false")},
    ),
    (
        {"game": "robby_solo", "kind": "score", "loot": {"A": [1000], "B": ["object"]}},
        {("R.score", "R.ties")},
    ),
    (
        {"game": "robby_solo", "kind": "score", "loot": {"A": [1000], "B": []}},
        set(),
    ),
]  # fmt: skip
"""A case, and each step with a ruling by its rule; beside a case one that no ruling decides."""


def rulings_of(verdict: Any) -> Named:
    return {(step.rule, ruling) for step in verdict.steps for ruling in step.rulings}


@pytest.mark.parametrize(("case", "named"), SITUATIONS)
def test_a_ruling_is_named_where_it_decides_and_nowhere_else(case: Json, named: Named) -> None:
    verdict = decide(case)
    assert rulings_of(verdict) == named
    told = render_verdict(verdict, get_language("en"))["steps"]
    assert {ruling for step in told for ruling in step.get("rulings", ())} == {n for _, n in named}


def test_what_our_guess_of_a_box_does_not_hold_is_warned_of() -> None:
    robby, fatale = (find_game(name).standard_box() for name in ("robby_solo", "banque_fatale"))
    odd: Any = [(9000,) * 7, (500,)]
    warned = guessed_loot(["pink", "red"], odd, robby)  # type: ignore[arg-type]
    assert [(step.rulings, step.facts) for step in warned] == [
        (("R.banks",), {"colours": ["pink"]}),
        (("R.split",), {"gone": [9000, 500]}),
    ]
    (warning,) = guessed_cards(["red", "red", "blue-blue", "red-blue"], fatale)  # type: ignore[arg-type]
    assert (warning.rulings, warning.facts) == (("F.cards",), {"gone": ["red", "blue-blue"]})
    known = (msgspec.structs.replace(box, guesses={}) for box in (robby, fatale))
    assert guessed_loot(["pink"], odd, next(known)) == []  # type: ignore[arg-type]
    assert guessed_cards(["red", "red"], next(known)) == []  # type: ignore[arg-type]


AT_THE_TABLE = {
    "B.players",
    "B.reserve",
    "F.auction.last",
    "F.bank",
    "F.end.last",
    "R.end.quiet",
    "R.police.object",
}
"""Rulings that decide before a verdict, or who counts what; `R.end.quiet` is tested in a game."""


def test_every_ruling_has_its_situation() -> None:
    named = {ruling for _, found in SITUATIONS for _, ruling in found}
    guesses = {
        id for game in map(find_game, own_games()) for id in game.standard_box().guesses.values()
    }
    assert named | guesses | AT_THE_TABLE == {
        id for game in map(find_game, own_games()) for id in game.rules.rulings
    }
