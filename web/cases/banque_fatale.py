"""The sheets of Banque Fatale: an auction, or the score."""

from collections.abc import Iterable, Mapping
from typing import Any

from companion.core.cards import BanqueFataleBox, standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from web.cases.sheet import Sheet, counts, written


def auction(sheet: Sheet) -> dict[str, Any]:
    """The case of an auction."""
    names, colours = sheet.names(), _colours(sheet)
    card, start = sheet.text("card"), sheet.seat("start") or 1
    if not card:
        raise Malformed("card", N_("Choose the card that is auctioned."))
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "start": names[start - 1],
        "bids": {name: sheet.counted(f"bid{n}", colours) for n, name in enumerate(names, 1)},
        "values": {colour: sheet.number(f"value_{colour}") for colour in colours},
        "card": card.split("-"),
        "holdings": _owned(sheet, names),
        "house_rules": sheet.house_rules("unplayed"),
    }


def of_auction(case: Mapping[str, Any]) -> dict[str, str]:
    """An auction as its sheet has it."""
    names = case["players"]
    found = written(names, case.get("house_rules", {}))
    for n, name in enumerate(names, 1):
        found |= counts(f"bid{n}", case["bids"][name])
    return {
        **found,
        **_values(case["values"]),
        "start": str(names.index(case["start"]) + 1),
        "card": _spelt(case["card"]),
        **_owners(names, case.get("holdings", {})),
    }


def score(sheet: Sheet) -> dict[str, Any]:
    """The case of a score."""
    names = sheet.names()
    cards = _owned(sheet, names)
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "values": {colour: sheet.number(f"value_{colour}") for colour in _colours(sheet)},
        "funds": {
            name: {
                "cash": sheet.number(f"cash{n}"),
                "chips": sheet.number(f"chips{n}"),
                "cards": cards[name],
            }
            for n, name in enumerate(names, 1)
        },
        "house_rules": sheet.house_rules("chips_at_end"),
    }


def of_score(case: Mapping[str, Any]) -> dict[str, str]:
    """A score as its sheet has it."""
    funds: Mapping[str, Any] = case["funds"]
    found = written(funds, case.get("house_rules", {})) | _values(case["values"])
    for n, owned in enumerate(funds.values(), 1):
        found |= {f"cash{n}": str(owned["cash"]), f"chips{n}": str(owned["chips"])}
    return found | _owners(list(funds), {name: owned["cards"] for name, owned in funds.items()})


def _colours(sheet: Sheet) -> tuple[str, ...]:
    return sheet.box.colours  # type: ignore[attr-defined,no-any-return]


def _owned(sheet: Sheet, names: list[str]) -> dict[str, list[list[str]]]:
    """Which cards lie in front of whom."""
    cards = sheet.box.cards  # type: ignore[attr-defined]
    return {
        name: [card.split("-") for card in cards if sheet.seat(f"owner_{card}") == n]
        for n, name in enumerate(names, 1)
    }


def _owners(names: list[str], holdings: Mapping[str, Iterable[list[str]]]) -> dict[str, str]:
    return {
        f"owner_{_spelt(card)}": str(names.index(name) + 1)
        for name, cards in holdings.items()
        for card in cards
    }


def _spelt(colours: Iterable[str]) -> str:
    """A card of two colours in its one spelling."""
    return "-".join(sorted(colours, key=standard_box(BanqueFataleBox).colours.index))


def _values(values: Mapping[str, int]) -> dict[str, str]:
    return {f"value_{colour}": str(value) for colour, value in values.items()}


SHEETS = {"auction": (auction, of_auction), "score": (score, of_score)}
