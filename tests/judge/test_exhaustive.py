"""Every small bank, robbed by three in every way, by the judge and by a naive second judge.

All 786 banks of at most five cards over {2, 5, x, seductress, policeman, detective, thief}, within
what the box holds, times all 343 ways for three players to bid 0 to 6, times both shortfall rules:
539 196 robberies with funds, each resolved by the real judge. Nothing is skipped; only the naive
judge remembers, because it needs to see every (outcome, direction, loot) only once. Without funds
the answer differs by the credits alone, so there one bank stands for all that come to the same.
Each answer is compared whole: outcome, direction, loot, paid, change, reserve and credits.
"""

from collections import Counter
from functools import cache
from itertools import chain, combinations_with_replacement, permutations, product
from random import Random
from typing import Any

import pytest

from companion.judge import decide
from companion.judge.bankueberfall import BOX
from tests.judge import naive_bankueberfall as naive

ALPHABET = ("2", "5", "x", "seductress", "policeman", "detective", "thief")
BANKS = [
    bank
    for n in range(6)
    for bank in combinations_with_replacement(ALPHABET, n)
    if all(copies <= BOX.cards[card] for card, copies in Counter(bank).items())
]
PLAYERS = ("Ana", "Ben", "Cem")
BIDS = [dict(zip(PLAYERS, bids, strict=True)) for bids in product(range(7), repeat=3)]
FUNDS = {"Ana": 6, "Ben": 12, "Cem": 100}  # always, sometimes and never in need of a credit
RULES = ("continue", "stop")

Whole = tuple[Any, ...]


def case(cards: Any, bids: Any, shortfall: str, funds: Any = None) -> dict[str, Any]:
    found = {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": list(cards),
        "bids": bids,
        "house_rules": {"shortfall": shortfall},
    }
    return found if funds is None else found | {"funds": funds}


def judged(asked: dict[str, Any]) -> Whole:
    v = decide(asked)
    return v.outcome, v.direction, v.loot, v.paid, v.change, v.to_reserve, v.credits


def whole(answer: dict[str, Any]) -> Whole:
    names = ("outcome", "direction", "loot", "paid", "change", "to_reserve")
    return (*(answer[name] for name in names), answer.get("credits"))


@cache
def all_settled(come_to: Any, shortfall: str, funded: bool) -> list[Whole]:
    """The naive answers to all ways to bid."""
    funds = FUNDS if funded else None
    return [whole(naive.settle(come_to, bids, shortfall, funds)) for bids in BIDS]


def disagreements(cards: Any, shortfall: str, funds: Any) -> list[Any]:
    expected = all_settled(naive.turn_up(cards), shortfall, funds is not None)
    return [
        (cards, bids, found, right)
        for bids, right in zip(BIDS, expected, strict=True)
        if (found := judged(case(cards, bids, shortfall, funds))) != right
    ]


def test_these_are_all_the_banks_and_all_the_bids() -> None:
    assert (len(BANKS), len(BIDS)) == (786, 343)
    assert set(chain(*BANKS)) == set(ALPHABET)
    assert {naive.turn_up(bank)[0] for bank in BANKS} == {"shared", "guarded", "stolen", "nothing"}


@pytest.mark.parametrize("shortfall", RULES)
def test_every_small_bank_is_robbed_alike_by_both(shortfall: str) -> None:
    wrong = [found for bank in BANKS for found in disagreements(bank, shortfall, FUNDS)]
    assert not wrong, f"{len(wrong)} robberies differ, the first: {wrong[0]}"


@pytest.mark.parametrize("shortfall", RULES)
def test_without_funds_both_agree_too_and_name_no_credits(shortfall: str) -> None:
    typical = {naive.turn_up(bank): bank for bank in BANKS}
    wrong = [found for bank in typical.values() for found in disagreements(bank, shortfall, None)]
    assert not wrong, f"{len(wrong)} robberies differ, the first: {wrong[0]}"


def test_the_order_in_which_the_cards_lie_changes_nothing() -> None:
    for bank in (bank for bank in BANKS if len(bank) == 4):
        found = {repr(judged(case(cards, BIDS[-9], "stop"))) for cards in set(permutations(bank))}
        assert len(found) == 1, bank


def test_the_whole_box_in_any_hands_agrees_as_well() -> None:
    deck = list(Counter(BOX.cards).elements())
    for seed in range(3_000):
        dice = Random(seed)
        cards = dice.sample(deck, dice.choice([1, 3, 6, 10, 20, 45]))
        bids = {
            name: dice.choice([0, 1, 2, 5, 8, 13, 40]) for name in "ABCDE"[: dice.randint(1, 5)]
        }
        funds = {name: bid + dice.choice([0, 9, 10, 11]) for name, bid in bids.items()}
        asked = case(cards, bids, dice.choice(RULES), funds)
        shortfall = asked["house_rules"]["shortfall"]
        assert judged(asked) == whole(naive.rob(cards, bids, shortfall, funds)), (seed, asked)
