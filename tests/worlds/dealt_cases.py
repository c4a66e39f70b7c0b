"""Cases for the judge, dealt at random: the number of a case is enough to deal it again."""

from itertools import combinations
from random import Random
from typing import Any

from companion.core.cards import standard_box
from companion.core.i18n import get_language
from companion.games.bankueberfall.box import BankueberfallBox
from companion.judge.decide import decide, render_verdict
from tests.worlds.naive_banque_fatale import COLOURS

CARTES_FATALES = [[c] for c in COLOURS] + [list(p) for p in combinations(COLOURS, 2)]
CARTES_FATALES.append(["red", "red"])
BANKS = ("yellow", "green", "red", "blue", "grey", "purple", "khaki")
LOOT: list[Any] = [n * 1000 for n in range(1, 10) for _ in range(6)] + ["object"] * 7
BANK_CARDS = [card for card, n in standard_box(BankueberfallBox).cards.items() for _ in range(n)]


def judged(case: dict[str, Any]) -> dict[str, Any]:
    """The judge's answer as a reader of its JSON sees it, without the steps."""
    found = render_verdict(decide(case), get_language("en"))
    del found["steps"]
    answer: dict[str, Any] = plain(found)
    return answer


def plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: plain(inner) for name, inner in value.items()}
    if isinstance(value, tuple | list):
        return [plain(inner) for inner in value]
    if hasattr(value, "__struct_fields__"):
        return {name: plain(getattr(value, name)) for name in value.__struct_fields__}
    return value


def a_robbery(dice: Random) -> dict[str, Any]:
    bids = {
        name: dice.randint(0, 9) for name in ["Ana", "Ben", "Cem", "Dora"][: dice.randint(1, 4)]
    }
    case = {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": dice.sample(BANK_CARDS, dice.randint(0, 9)),
        "bids": bids,
        "house_rules": {"shortfall": dice.choice(["continue", "stop"])},
    }
    if dice.random() < 0.5:
        case["funds"] = {name: bid + dice.choice([0, 1, 9, 30]) for name, bid in bids.items()}
    return case


def a_purse_of_coins(dice: Random) -> dict[str, Any]:
    names = "ABCDE"[: dice.randint(1, 5)]
    funds = {n: {"coins": dice.randint(0, 40), "credits": dice.randint(0, 4)} for n in names}
    return {"game": "bankueberfall", "kind": "score", "funds": funds}


def an_auction(dice: Random) -> dict[str, Any]:
    players = dice.sample(["Ana", "Ben", "Cem", "Dora"], dice.choice([3, 4, 4]))
    bids: dict[str, dict[str, int]] = {name: {} for name in players}
    for colour in dice.sample(COLOURS, dice.randint(0, 5)):
        for _ in range(dice.choice([1, 2, 2, 3, 5, 8])):
            bid = bids[dice.choice(players)]
            bid[colour] = bid.get(colour, 0) + 1
    cards = [dice.sample(card, len(card)) for card in dice.sample(CARTES_FATALES, 16)]
    return {
        "game": "banque_fatale",
        "kind": "auction",
        "players": players,
        "start": dice.choice(players),
        "bids": bids,
        "values": {colour: dice.choice([2, 3, 4, 6, 9, 9, 10, 10]) for colour in COLOURS},
        "card": cards.pop(),
        "holdings": {
            name: [cards.pop() for _ in range(dice.randint(0, 3))]
            for name in dice.sample(players, dice.randint(0, len(players)))
        },
        "house_rules": {
            "unplayed": dice.choice(["to_minimum", "minus_two"]),
            "tied_for_most": dice.choice(["all_rise", "none_rises"]),
        },
    }


def a_fortune_of_cards(dice: Random) -> dict[str, Any]:
    cards = dice.sample(CARTES_FATALES, 16)
    values = {colour: dice.randint(2, 12) for colour in COLOURS}
    funds = {
        name: {
            "cash": dice.randint(0, 60),
            "chips": dice.randint(0, 10),
            "cards": [cards.pop() for _ in range(dice.randint(0, 4))],
        }
        for name in "ABCD"[: dice.choice([1, 3, 4])]
    }
    rule = {"chips_at_end": dice.choice(["one_million", "nothing"])}
    case = {"game": "banque_fatale", "kind": "score", "values": values, "funds": funds}
    return case | {"house_rules": rule}


def a_round(dice: Random) -> dict[str, Any]:
    players = dice.sample(["Ana", "Ben", "Cem", "Dora", "Eva", "Fritz"], dice.randint(1, 6))
    row = dice.sample(BANKS, len(players) + 1)
    deck = dice.sample(LOOT, len(LOOT))
    objects_first = dice.random() < 0.2
    if objects_first:
        deck.sort(key=lambda card: card == "object")
    usual = dice.randint(0, 3)
    piles = {name: [deck.pop() for _ in range(usual + dice.choice([0, 0, 1]))] for name in players}
    return {
        "game": "robby_solo",
        "kind": "round",
        "banks": {bank: [deck.pop() for _ in range(dice.choice([0, 1, 2, 4, 4]))] for bank in row},
        "choices": {name: dice.choice(row[: dice.randint(1, len(row))]) for name in players},
        "loot": {name: pile for name, pile in piles.items() if pile or dice.random() < 0.5},
    }


def piles_of_loot(dice: Random) -> dict[str, Any]:
    deck = dice.sample(LOOT, len(LOOT))
    deck.sort(key=lambda card: card == "object" and dice.random() < 0.7)
    loot = {name: [deck.pop() for _ in range(dice.randint(0, 9))] for name in "ABCDEF"}
    return {"game": "robby_solo", "kind": "score", "loot": loot}


def a_final_round(dice: Random) -> dict[str, Any]:
    players = ["Ana", "Ben", "Cem", "Dora", "Eva"][: dice.randint(2, 5)]
    case = {
        "game": "bankueberfall",
        "kind": "final",
        "players": players,
        "last": dice.choice(players),
        "robbed": dice.sample(range(1, 6), dice.randint(0, 5)),
        "empty": dice.sample(range(1, 6), dice.choice([0, 0, 1, 2])),
        "house_rules": {"final_direction": dice.choice(["right_hand", "clockwise"])},
    }
    return case | ({"front": dice.randint(1, 5)} if dice.random() < 0.5 else {})


def a_sale(dice: Random) -> dict[str, Any]:
    players = ["Ana", "Ben", "Cem", "Dora"][: dice.choice([3, 4])]
    card = dice.choice(CARTES_FATALES)
    return {
        "game": "banque_fatale",
        "kind": "sale",
        "players": players,
        "seller": dice.choice(players),
        "card": dice.sample(card, len(card)),
        "values": {colour: dice.randint(2, 10) for colour in COLOURS},
        "won": dice.choice([card, dice.choice(CARTES_FATALES)]),
        "risen": dice.sample(COLOURS, dice.randint(0, 2)),
        "house_rules": {"sale_ban": dice.choice(["just_won", "just_risen"])},
    }


def chips_taken_back(dice: Random) -> dict[str, Any]:
    players = dice.sample(["Ana", "Ben", "Cem", "Dora"], dice.choice([3, 4]))
    chips = {colour: dice.randint(0, 4) for colour in COLOURS}
    lying = [colour for colour, n in chips.items() for _ in range(n)]
    return {
        "game": "banque_fatale",
        "kind": "chips",
        "players": players,
        "winner": dice.choice(players),
        "chips": chips,
        "taken": dice.sample(lying, dice.randint(0, len(lying))),
    }


DEALERS = {
    ("bankueberfall", "final"): a_final_round,
    ("banque_fatale", "sale"): a_sale,
    ("banque_fatale", "chips"): chips_taken_back,
    ("bankueberfall", "robbery"): a_robbery,
    ("bankueberfall", "score"): a_purse_of_coins,
    ("banque_fatale", "auction"): an_auction,
    ("banque_fatale", "score"): a_fortune_of_cards,
    ("robby_solo", "round"): a_round,
    ("robby_solo", "score"): piles_of_loot,
}
"""Who deals a case of each kind."""
