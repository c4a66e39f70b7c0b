"""The sheets of Banküberfall: a robbery, or the score."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

from web.cases.sheet import Sheet, counts, written


def robbery(sheet: Sheet) -> dict[str, Any]:
    """The case of a robbery; fortunes count once anybody's is written down."""
    names = sheet.names()
    cards = sheet.counted("card", sheet.box.cards)  # type: ignore[attr-defined]
    case: dict[str, Any] = {
        "game": sheet.game,
        "kind": sheet.kind,
        "cards": [card for card, n in cards.items() for _ in range(min(n, 99))],
        "bids": {name: sheet.number(f"bid{n}") for n, name in enumerate(names, 1)},
        "house_rules": sheet.house_rules("shortfall"),
    }
    if any(sheet.text(f"funds{n}") for n in sheet.seats()):
        case["funds"] = {name: sheet.number(f"funds{n}") for n, name in enumerate(names, 1)}
    return case


def of_robbery(case: Mapping[str, Any]) -> dict[str, str]:
    """A robbery as its sheet has it."""
    names, funds = list(case["bids"]), case.get("funds", {})
    return {
        **written(names, case.get("house_rules", {})),
        **counts("card", Counter(case["cards"])),
        **{f"bid{n}": str(case["bids"][name]) for n, name in enumerate(names, 1)},
        **{f"funds{n}": str(funds[name]) for n, name in enumerate(names, 1) if name in funds},
    }


def score(sheet: Sheet) -> dict[str, Any]:
    """The case of a score."""
    funds = {
        name: {"coins": sheet.number(f"coins{n}"), "credits": sheet.number(f"credits{n}")}
        for n, name in enumerate(sheet.names(), 1)
    }
    return {"game": sheet.game, "kind": sheet.kind, "funds": funds}


def of_score(case: Mapping[str, Any]) -> dict[str, str]:
    """A score as its sheet has it."""
    found = written(case["funds"], {})
    for n, owned in enumerate(case["funds"].values(), 1):
        found |= {f"coins{n}": str(owned["coins"]), f"credits{n}": str(owned["credits"])}
    return found


SHEETS = {"robbery": (robbery, of_robbery), "score": (score, of_score)}
