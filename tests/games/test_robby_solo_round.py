"""One round of Robby Solo resolved, and the final count: every rule, and every ruling both ways."""

from typing import Any

import msgspec

from companion.core.cards import standard_box
from companion.core.i18n import get_language
from companion.core.verdict import Verdict, render_steps
from companion.games.robby_solo.raid import Raid, Round, count_score, resolve_round, worth_of
from companion.games.robby_solo.rules import RobbySoloBox

SOLD = standard_box(RobbySoloBox)


def play(banks: Any, choices: Any, loot: Any = None, false: str | None = None) -> Round:
    return resolve_round(banks, choices, loot or {}, SOLD, false)


def said(verdict: Verdict) -> list[str]:
    return [step["text"] for step in render_steps(verdict, get_language("en"))]


def rules(verdict: Verdict) -> list[str]:
    return [step.rule for step in verdict.steps]


# R.solo


def test_alone_at_a_bank_takes_everything_there() -> None:
    found = play({"yellow": (7000, "object"), "red": (1000,)}, {"A": "yellow", "B": "red"},
                 {"A": (1000,)})  # fmt: skip
    assert found.taken == {"A": (7000, "object"), "B": (1000,)}
    assert found.left == {"yellow": (), "red": ()}
    assert found.loot == {"A": (1000, 7000, "object"), "B": (1000,)}
    assert said(found) == [
        "A is alone at the yellow bank and takes it all: $7,000 and object.",
        "B is alone at the red bank and takes it all: $1,000.",
        "The loot goes onto the piles. On top now: A object, B $1,000.",
    ]


def test_a_false_declaration_fails_and_disturbs_nobody() -> None:
    banks, choices = {"yellow": (7000,)}, {"A": "yellow", "B": "yellow"}
    assert play(banks, choices).taken == {"A": (), "B": ()}
    found = play(banks, choices, false="A")
    assert found.taken == {"A": (), "B": (7000,)}
    assert rules(found) == ["R.choose", "R.solo", "R.pile"]
    assert said(found)[0] == (
        "A played yellow, against the declaration: the card is set aside and robs nothing."
    )


# R.police

FULL = (1000, 2000, 3000, 4000)


def test_the_police_take_the_best_money_of_whoever_has_most_cards() -> None:
    found = play(
        {"red": FULL}, {"A": "red", "B": "red"}, {"A": (9000, "object", 9000), "B": (5000,)}
    )
    assert found.left == {"red": ()}
    assert found.raids == (Raid("red", FULL, {"A": 9000}),)
    assert found.loot == {"A": ("object", 9000), "B": (5000,)}
    assert said(found)[1:] == [
        "The police raid the red bank. Under the deck go: $1,000, $2,000, $3,000 and $4,000.",
        "Most loot (3\u00a0cards): A.",
        "A gives up their most valuable money card: $9,000.",
    ]


def test_how_many_cards_bring_the_police_is_the_boxs_business() -> None:
    strict = msgspec.structs.replace(SOLD, police=2)
    assert len(resolve_round({"red": (1000, 1000)}, {}, {}, strict).raids) == 1


# R.score


def test_more_objects_than_the_table_knows_are_worth_its_last_line() -> None:
    assert worth_of(99, SOLD) == SOLD.object_scores[-1]


def test_equal_first_places_share_the_win() -> None:
    found = count_score({"A": (1000,), "B": ("object",), "C": ()}, SOLD)
    assert found.winners == ("A", "B")
    assert said(found)[-1] == "The win goes to A and B, with $1,000."
