"""Every bank of at most five cards, robbed by three, by the judge and by a naive second judge.

The ten kinds of cards make 3003 banks of none to five cards. 2929 of them can be laid from the box,
and the judge is asked about those; the other 74 it must turn away, so the resolution behind it is
asked about them. At each bank every answer of every house rule is played, in `make test` at every
twelfth:

- At 845 banks in all 343 ways for three players to bid 0 to 6. These are the 786 over {2, 5, x,
  seductress, policeman, detective, thief} within the box, and one for each of the 59 other
  (outcome, direction, loot) that the full ten kinds come to. All with funds: 579 670 robberies.
- At the 2158 other banks in twelve ways to bid that follow the loot: nobody, all alike, exactly all
  of it, one too much, pairs that fit or do not, with more and with less beside them. All with
  funds: 51 792 robberies.

Each answer is compared whole: outcome, direction, loot, paid, change, reserve and credits.
"""

from collections import Counter
from itertools import chain, combinations_with_replacement, product
from random import Random
from typing import Any

import pytest

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.games import find_game
from companion.games.bankueberfall.robbery import resolve_robbery
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.judge.decide import decide
from tests.worlds import naive_judges as naive
from tests.worlds.campaign import pick

BOX = standard_box(BankueberfallBox)
ALPHABET = ("2", "3", "4", "5", "10", "x", "seductress", "policeman", "detective", "thief")
REDUCED = frozenset(ALPHABET) - {"3", "4", "10"}
BANKS = [bank for n in range(6) for bank in combinations_with_replacement(ALPHABET, n)]
LAID = {bank for bank in BANKS if all(n <= BOX.cards[card] for card, n in Counter(bank).items())}
SMALL = [bank for bank in BANKS if bank in LAID and REDUCED.issuperset(bank)]

TYPICAL: dict[Any, Any] = {}
for _bank in (*SMALL, *sorted(BANKS, key=lambda bank: bank not in LAID)):
    TYPICAL.setdefault(naive.turn_up(_bank), _bank)
"""A bank for each outcome, direction and loot, if possible one of the small ones."""

FULL = list(dict.fromkeys([*SMALL, *TYPICAL.values()]))
OTHERS = [bank for bank in BANKS if bank not in {*FULL}]

PLAYERS = ("Ana", "Ben", "Cem")
BIDS = [dict(zip(PLAYERS, bids, strict=True)) for bids in product(range(7), repeat=3)]
FUNDS = {"Ana": 6, "Ben": 12, "Cem": 100}  # always, sometimes and never in need of a credit
RULES = find_game("bankueberfall").rules
HOUSES = [
    dict(zip(RULES.deciding("robbery"), answers, strict=True))
    for answers in product(*(RULES.house_rules[n].answers for n in RULES.deciding("robbery")))
]
"""Every way to play a robbery."""

House = dict[str, str]
Ways = list[tuple[dict[str, int], Any]]
"""Bids, and the funds or None."""
Whole = tuple[Any, ...]


def case(cards: Any, bids: Any, house: House, funds: Any = None) -> dict[str, Any]:
    found = {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": list(cards),
        "bids": bids,
        "house_rules": house,
    }
    return found if funds is None else found | {"funds": funds}


def judged(asked: dict[str, Any]) -> Whole:
    v = decide(asked)
    return v.outcome, v.direction, v.loot, v.paid, v.change, v.to_reserve, v.credits


def resolved(cards: Any, bids: Any, house: House, funds: Any = None) -> Whole:
    """By the judge; by the resolution behind it, where the box does not hold these cards."""
    if cards in LAID:
        return judged(case(cards, bids, house, funds))
    v = resolve_robbery(cards, bids, house, BOX, funds)
    return v.outcome, v.direction, v.loot, v.paid, v.change, v.to_reserve, v.credits


def settled(cards: Any, bids: Any, house: House, funds: Any = None) -> Whole:
    """By the naive judge."""
    answer = naive.rob(cards, bids, house, funds)
    names = ("outcome", "direction", "loot", "paid", "change", "to_reserve")
    return (*(answer[name] for name in names), answer.get("credits"))


def disagreements(cards: Any, ways: Ways, house: House) -> list[Any]:
    return [
        (cards, bids, found, right)
        for bids, funds in ways
        if (found := resolved(cards, bids, house, funds))
        != (right := settled(cards, bids, house, funds))
    ]


def twelve(loot: int) -> Ways:
    """Twelve ways to bid for this loot, and funds: just in need of a credit, just not, always."""
    half = loot // 2
    ways = (
        (0, 0, 0), (0, 1, 2), (3, 3, 3),
        (loot, 0, 0), (0, loot + 1, 0), (1, loot - 1, 0),
        (half, half, 0), (half + 1, 1, half + 1), (half + 1, half + 1, loot),
        (1, loot, 1), (2, 1, loot + 2), (loot, loot, loot - 1),
    )  # fmt: skip
    return [
        (bids, {"Ana": bids["Ana"] + 9, "Ben": bids["Ben"] + 10, "Cem": bids["Cem"]})
        for bids in (
            {name: max(bid, 0) for name, bid in zip(PLAYERS, way, strict=True)} for way in ways
        )
    ]


def test_these_are_all_the_banks_and_all_the_bids() -> None:
    assert set(ALPHABET) == set(BOX.cards)
    assert (len(BANKS), len(set(BANKS)), len(LAID), len(SMALL)) == (3003, 3003, 2929, 786)
    assert (len(TYPICAL), len(FULL), len(OTHERS)) == (110, 845, 2158)
    assert {*FULL, *OTHERS} == {*BANKS}
    assert (len(BIDS), {len(twelve(loot)) for _, _, loot in TYPICAL}) == (343, {12})
    assert set(chain(*OTHERS)) == set(ALPHABET)
    assert {outcome for outcome, _, _ in TYPICAL} == {"shared", "guarded", "stolen", "nothing"}


def test_the_judge_turns_away_what_the_box_cannot_lay() -> None:
    for bank in set(BANKS) - LAID:
        with pytest.raises(Malformed):
            decide(case(bank, BIDS[0], HOUSES[0]))


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_what_is_robbed_in_every_way_is_robbed_alike_by_both(house: House) -> None:
    banks, ways = pick(FULL[::12], FULL[::2], FULL), [(bids, FUNDS) for bids in BIDS]
    wrong = [found for bank in banks for found in disagreements(bank, ways, house)]
    assert not wrong, f"{len(wrong)} robberies differ, the first: {wrong[0]}"


@pytest.mark.parametrize("house", HOUSES, ids=str)
def test_every_other_bank_is_robbed_alike_by_both(house: House) -> None:
    wrong = []
    for bank in pick(OTHERS[::12], OTHERS[::2], OTHERS):
        wrong += disagreements(bank, twelve(naive.turn_up(bank)[2]), house)
    assert not wrong, f"{len(wrong)} robberies differ, the first: {wrong[0]}"


def test_the_whole_box_in_any_hands_agrees_as_well() -> None:
    deck = list(Counter(BOX.cards).elements())
    for seed in range(pick(750, 3_000, 30_000)):
        dice = Random(seed)
        cards = dice.sample(deck, dice.choice([1, 3, 6, 10, 20, 45]))
        bids = {
            name: dice.choice([0, 1, 2, 5, 8, 13, 40]) for name in "ABCDE"[: dice.randint(1, 5)]
        }
        funds = {name: bid + dice.choice([0, 9, 10, 11]) for name, bid in bids.items()}
        asked = cards, bids, dice.choice(HOUSES), funds
        assert judged(case(*asked)) == settled(*asked), (seed, asked)
