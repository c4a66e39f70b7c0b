"""The sheets of Banküberfall: a robbery, or the score."""

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
        "house_rules": sheet.read_house_rules("shortfall", "credit"),
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
    "score": SheetForm(score_case, score_fields),
}
