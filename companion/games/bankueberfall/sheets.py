"""The sheets of Banküberfall: a robbery, the order of the final round, or the score."""

from collections import Counter

from companion.judge.sheet import (
    UNKNOWN,
    Case,
    Sheet,
    SheetForm,
    common_fields,
    count_fields,
    number_fields,
)

UNKNOWN_CARDS = "card_open"
"""The field with the number of cards that are not known."""


def robbery_case(sheet: Sheet) -> Case:
    """Return the case of a robbery; the coins count once anyone's are filled in."""
    names = sheet.read_names()
    cards = sheet.read_counts("card", sheet.box.cards)  # type: ignore[attr-defined]
    case: Case = {
        "game": sheet.game,
        "kind": sheet.kind,
        "cards": [card for card, n in cards.items() for _ in range(min(n, 99))]
        + [UNKNOWN] * min(sheet.read_number(UNKNOWN_CARDS), 9),
        "bids": {name: sheet.read_open_number(f"bid{n}") for n, name in enumerate(names, 1)},
        "house_rules": sheet.read_house_rules("shortfall"),
    }
    if sheet.read_text("bank"):
        case["bank"] = sheet.read_number("bank")
    if any(sheet.read_text(f"funds{n}") for n in sheet.seats()):
        case["funds"] = {name: sheet.read_number(f"funds{n}") for n, name in enumerate(names, 1)}
    return case


def robbery_fields(case: Case) -> dict[str, str]:
    """Return the fields of the sheet of a robbery."""
    names, funds = list(case["bids"]), case.get("funds", {})
    known = [card for card in case["cards"] if isinstance(card, str) and card != UNKNOWN]
    unknown = len(case["cards"]) - len(known)
    return {
        **common_fields(names, case.get("house_rules", {})),
        "bank": str(case.get("bank", "")),
        **count_fields("card", Counter(known)),
        **({UNKNOWN_CARDS: str(unknown)} if unknown else {}),
        **number_fields({f"bid{n}": case["bids"][name] for n, name in enumerate(names, 1)}),
        **{f"funds{n}": str(funds[name]) for n, name in enumerate(names, 1) if name in funds},
    }


def final_case(sheet: Sheet) -> Case:
    """Return the case of the final round; without a bank in front each player has the own one."""
    names, last, front = sheet.read_names(), sheet.read_text("last"), sheet.read_text("front")
    case: Case = {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "last": UNKNOWN if last == UNKNOWN else names[(sheet.read_seat("last") or 1) - 1],
    }
    if front:
        case["front"] = UNKNOWN if front == UNKNOWN else sheet.read_number("front")
    banks = range(1, sheet.box.banks + 1)  # type: ignore[attr-defined]
    for field in ("robbed", "empty"):
        case[field] = [bank for bank in banks if sheet.read_text(f"{field}_{bank}")]
    return case | {"house_rules": sheet.read_house_rules("final_direction")}


def final_fields(case: Case) -> dict[str, str]:
    """Return the fields of the sheet of a final round."""
    names, last = case["players"], case["last"]
    return {
        **common_fields(names, case.get("house_rules", {})),
        "last": str(names.index(last) + 1) if last in names else UNKNOWN,
        **({"front": str(case["front"])} if isinstance(case.get("front"), int | str) else {}),
        **{
            f"{field}_{bank}": "1"
            for field in ("robbed", "empty")
            for bank in case.get(field, ())
            if type(bank) is int
        },
    }


def score_case(sheet: Sheet) -> Case:
    funds = {
        name: {"coins": sheet.read_number(f"coins{n}"), "credits": sheet.read_number(f"credits{n}")}
        for n, name in enumerate(sheet.read_names(), 1)
    }
    return {"game": sheet.game, "kind": sheet.kind, "funds": funds}


def score_fields(case: Case) -> dict[str, str]:
    found = common_fields(case["funds"], {})
    for n, owned in enumerate(case["funds"].values(), 1):
        found |= {f"coins{n}": str(owned["coins"]), f"credits{n}": str(owned["credits"])}
    return found


SHEETS = {
    "robbery": SheetForm(robbery_case, robbery_fields),
    "final": SheetForm(final_case, final_fields),
    "score": SheetForm(score_case, score_fields),
}
