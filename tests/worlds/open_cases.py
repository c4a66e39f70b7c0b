"""Cases of which up to three things are not known, dealt at random, and all that each could be."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Any

from companion.games import find_game
from tests.worlds.dealt_cases import BANK_CARDS, BANKS, CARTES_FATALES, DEALERS, LOOT
from tests.worlds.naive_banque_fatale import COLOURS

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
