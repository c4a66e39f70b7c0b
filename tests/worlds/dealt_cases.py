"""Cases for the judge, dealt at random: the number of a case is enough to deal it again."""

from collections.abc import Iterator, Mapping
from itertools import combinations
from random import Random
from typing import Any

from companion.core.cards import standard_box
from companion.core.i18n import get_language
from companion.games import find_game
from companion.games.bankueberfall.rules import BankueberfallBox
from companion.judge.decide import decide, render_verdict
from tests.worlds.naive_judges import COLOURS

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


def any_answers(game: str, kind: str, dice: Random) -> dict[str, str]:
    """An answer to every house rule that may decide such a case."""
    rules = find_game(game).rules
    return {name: dice.choice([*rules.house_rules[name].answers]) for name in rules.deciding(kind)}


def a_robbery(dice: Random) -> dict[str, Any]:
    bids = {
        name: dice.randint(0, 9) for name in ["Ana", "Ben", "Cem", "Dora"][: dice.randint(1, 4)]
    }
    case = {
        "game": "bankueberfall",
        "kind": "robbery",
        "cards": dice.sample(BANK_CARDS, dice.randint(0, 9)),
        "bids": bids,
        "house_rules": any_answers("bankueberfall", "robbery", dice),
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
        "house_rules": any_answers("banque_fatale", "auction", dice),
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
    return {
        "game": "banque_fatale",
        "kind": "score",
        "values": values,
        "funds": funds,
        "house_rules": any_answers("banque_fatale", "score", dice),
    }


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
        "house_rules": any_answers("bankueberfall", "final", dice),
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
        "house_rules": any_answers("banque_fatale", "sale", dice),
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


EVERY_VALUE: dict[tuple[str, str], dict[str, Any]] = {
    ("bankueberfall", "robbery"): {
        "cards": [*dict.fromkeys(BANK_CARDS)], "bids": range(86), "funds": range(86),
        "house_rules": [""],
    },
    ("bankueberfall", "final"): {
        "last": ["Ana", "Ben", "Cem", "Dora", "Eva"], "front": range(1, 6),
        "robbed": range(1, 6), "empty": range(1, 6), "house_rules": [""],
    },
    ("bankueberfall", "score"): {"funds": range(86)},
    ("banque_fatale", "auction"): {
        "start": ["Ana", "Ben", "Cem", "Dora"], "bids": range(9), "values": range(2, 13),
        "card": CARTES_FATALES, "holdings": CARTES_FATALES,
        "house_rules": [""],
    },
    ("banque_fatale", "sale"): {
        "seller": ["Ana", "Ben", "Cem", "Dora"], "card": CARTES_FATALES, "won": CARTES_FATALES,
        "values": range(2, 11), "risen": COLOURS, "house_rules": [""],
    },
    ("banque_fatale", "chips"): {
        "winner": ["Ana", "Ben", "Cem", "Dora"], "chips": range(9), "taken": COLOURS,
    },
    ("banque_fatale", "score"): {
        "values": range(2, 13), "house_rules": [""],
    },
    ("robby_solo", "round"): {
        "banks": [*dict.fromkeys(LOOT)], "loot": [*dict.fromkeys(LOOT)], "choices": BANKS,
    },
    ("robby_solo", "score"): {"loot": [*dict.fromkeys(LOOT)]},
}  # fmt: skip
"""What may stand in each field, whether or not it fits the rest of the case."""

Path = tuple[Any, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Every place of a case at which there is something to forget."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from leaves(inner, (*path, key))
    elif isinstance(value, list) and path[0] != "players" and not is_card(value, path):
        for n, inner in enumerate(value):
            yield from leaves(inner, (*path, n))
    else:
        yield path


def is_card(value: list[Any], path: Path) -> bool:
    return path in (("card",), ("won",)) or (path[0] == "holdings" and len(path) == 3)


def put(case: Any, path: Path, value: Any) -> Any:
    """The case with another value at a path."""
    if not path:
        return value
    first, *rest = path
    made = list(case) if isinstance(case, list) else dict(case)
    made[first] = put(case[first], tuple(rest), value)
    return made


def forget(
    case: dict[str, Any], dice: Random, most: int
) -> tuple[dict[str, Any], dict[Path, list[Any]]]:
    """A case of which up to three things are not known, and all that each could be."""
    known = EVERY_VALUE[case["game"], case["kind"]]
    places = [path for path in leaves(case) if path[0] in known]
    values: dict[Path, list[Any]] = {}
    chosen = dice.sample(places, min(len(places), dice.randint(1, 3)))
    for path in sorted(chosen, key=lambda path: path[0] == "bids"):  # They go as far as the funds.
        every = list(range(9) if path[-1] == "credits" else known[path[0]])
        if path[0] == "house_rules":
            every = list(find_game(case["game"]).standard_box().house_rules[path[-1]])
        owned = case.get("funds", {}).get(path[-1]) if path[0] == "bids" else None
        if isinstance(owned, int):
            every = every[: owned + 1]  # More is refused.
        if isinstance(every[0], int) and len(every) > 10 and len(values) + dice.randint(0, 1):
            least = dice.randint(0, 9)
            values[path] = [*range(least, least + dice.randint(1, 8))]
            case = put(case, path, {"from": least, "to": values[path][-1]})
        else:
            values[path] = every
            case = put(case, path, "?")
        if count(values) > most:
            case = put(case, path, {"one_of": every[:2]})
            values[path] = every[:2]
    return case, values


def count(values: Mapping[Path, list[Any]]) -> int:
    n = 1
    for each in values.values():
        n *= len(each)
    return n


def deal_open_case(
    game: str, kind: str, number: int, most: int
) -> tuple[dict[str, Any], dict[Path, list[Any]]]:
    """The case of this number, with at most so many ways to fill it in; a case in which nothing is
    left to forget is passed over."""
    dice = Random(number)
    dealt = DEALERS[game, kind](dice)
    while not any(path[0] in EVERY_VALUE[game, kind] for path in leaves(dealt)):
        dealt = DEALERS[game, kind](dice)
    return forget(dealt, dice, most)
