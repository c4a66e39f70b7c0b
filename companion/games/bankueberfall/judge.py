"""Disputes at a table of Banküberfall: a robbery, or the final score."""

from collections.abc import Mapping

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.core.json_values import JsonObject
from companion.core.verdict import Score
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.cases import CASES
from companion.games.bankueberfall.finals import FinalRound, judge_final_round
from companion.games.bankueberfall.open_fields import CHANGES, OPEN_FIELDS, find_quick_ending
from companion.games.bankueberfall.robbery import Robbery, Stakes, resolve_robbery
from companion.games.bankueberfall.score import BankueberfallFortune, count_score
from companion.games.bankueberfall.sheets import SHEETS
from companion.judge.fields import (
    SCORE_NAMES,
    Case,
    GameJudge,
    KindNames,
    check_all_players,
    check_choice,
    check_copies,
    check_fields,
    check_house_rules,
    check_int,
    check_list,
    check_object,
    check_players,
)

BOX = standard_box(BankueberfallBox)

EXAMPLES: dict[str, JsonObject] = {
    "robbery": {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": ["5", "x", "10", "seductress", "policeman", "detective", "thief"],
        "bids": {"Ana": 3, "Ben": 0},
        "funds": {"Ana": 12, "Ben": 10},
        "house_rules": {"shortfall": "continue"},
    },
    "final": {
        "game": "bankueberfall",
        "kind": "final",
        "players": ["Ana", "Ben", "Cem"],
        "last": "Ana",
        "front": 2,
        "robbed": [2, 1],
        "empty": [4],
        "house_rules": {"final_direction": "right_hand"},
    },
    "score": {
        "game": "bankueberfall",
        "kind": "score",
        "funds": {"Ana": {"coins": 31, "credits": 1}, "Ben": {"coins": 27, "credits": 0}},
    },
}


def decide_robbery(case: Case) -> Robbery:
    """Resolve the robbery of a case."""
    bank = check_int(case["bank"], "bank", least=1) if "bank" in case else None
    cards = check_list(case["cards"], "cards")
    for n, card in enumerate(cards):
        if type(card) is not str or card not in BOX.cards:
            check_choice(card, f"cards[{n}]", BOX.cards)
    check_copies(cards, "cards", BOX.cards)
    bids = check_object(case["bids"], "bids")
    names = check_players(bids, "bids", BOX)
    for name in names:
        check_int(bids[name], f"bids.{name}")
    funds = _parse_funds(case["funds"], bids) if "funds" in case else None
    return resolve_robbery(cards, Stakes(bids, check_house_rules(case, BOX), BOX, funds, bank))


def _parse_funds(value: object, bids: Mapping[str, int]) -> dict[str, int]:
    funds = check_all_players(value, "funds", bids)
    for name, bid in bids.items():
        owned = check_int(funds[name], f"funds.{name}")
        if bid > owned:
            text = N_("{field} is {bid}, but {name} owns only {owned}.")
            raise Malformed(f"bids.{name}", text, bid=bid, name=name, owned=owned)
    return funds


def decide_final(case: Case) -> FinalRound:
    """Decide which bank is robbed next in the final round."""
    names = check_players(check_list(case["players"], "players"), "players", BOX)
    last = check_choice(case["last"], "last", names)
    front = check_int(case.get("front", names.index(last) + 1), "front", 1, BOX.banks)
    robbed, empty = (_parse_banks(case.get(field, []), field) for field in ("robbed", "empty"))
    return judge_final_round(last, front, BOX.banks, robbed, check_house_rules(case, BOX), empty)


def _parse_banks(value: object, field: str) -> list[int]:
    banks = check_list(value, field)
    return [check_int(bank, f"{field}[{n}]", 1, BOX.banks) for n, bank in enumerate(banks)]


def decide_score(case: Case) -> Score:
    """Count the score of a case."""
    check_house_rules(case, BOX)
    funds = check_object(case["funds"], "funds")
    names = check_players(funds, "funds", BOX)
    return count_score({name: _parse_fortune(funds[name], f"funds.{name}") for name in names}, BOX)


def _parse_fortune(value: object, field: str) -> BankueberfallFortune:
    found = check_object(value, field)
    check_fields(found, ("coins", "credits"), prefix=f"{field}.")
    return BankueberfallFortune(
        check_int(found["coins"], f"{field}.coins"), check_int(found["credits"], f"{field}.credits")
    )


JUDGE = GameJudge(
    kinds={"robbery": decide_robbery, "final": decide_final, "score": decide_score},
    plain=frozenset({"final"}),
    examples=EXAMPLES,
    cases=CASES,
    sheets=SHEETS,
    names={
        "robbery": KindNames(N_("A robbery: who is paid?"), N_("The robbery")),
        "final": KindNames(N_("The final round: which bank is next?"), N_("The final round")),
        "score": SCORE_NAMES,
    },
    parts={"card": "cards", "bid": "bids", "funds": "bids", "coins": "bids", "credits": "bids"},
    labels={"bids": N_("Bid of {name}"), "funds": N_("Coins of {name} before")},
    open_fields=OPEN_FIELDS,
    quick={"robbery": find_quick_ending},
    changes=CHANGES,
)
