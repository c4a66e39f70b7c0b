"""The sheets of Banque Fatale: an auction, or the score."""

from collections.abc import Iterable, Mapping

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.judge.sheet import (
    UNKNOWN,
    Case,
    Sheet,
    SheetForm,
    common_fields,
    count_fields,
    number_fields,
)


def auction_case(sheet: Sheet) -> Case:
    names, colours = sheet.read_names(), _box_colours(sheet)
    card, start = sheet.read_text("card"), sheet.read_text("start")
    if not card:
        raise Malformed("card", N_("Choose the card that is auctioned."))
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "start": UNKNOWN if start == UNKNOWN else names[(sheet.read_seat("start") or 1) - 1],
        "bids": {name: sheet.read_counts(f"bid{n}", colours) for n, name in enumerate(names, 1)},
        "values": {colour: sheet.read_open_number(f"value_{colour}") for colour in colours},
        "card": UNKNOWN if card == UNKNOWN else card.split("-"),
        "holdings": _parse_holdings(sheet, names),
        "house_rules": sheet.read_house_rules("unplayed", "tied_for_most"),
    }


def auction_fields(case: Case) -> dict[str, str]:
    names = case["players"]
    found = common_fields(names, case.get("house_rules", {}))
    for n, name in enumerate(names, 1):
        fist = {c: k for c, k in case["bids"][name].items() if type(k) is int}
        found |= count_fields(f"bid{n}", fist)
    return {
        **found,
        **_value_fields(case["values"]),
        "start": str(names.index(case["start"]) + 1) if case["start"] in names else UNKNOWN,
        "card": _spell_card(case["card"]) if isinstance(case["card"], list) else UNKNOWN,
        **_owner_fields(names, case.get("holdings", {})),
    }


def score_case(sheet: Sheet) -> Case:
    names = sheet.read_names()
    cards = _parse_holdings(sheet, names)
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "values": {colour: sheet.read_number(f"value_{colour}") for colour in _box_colours(sheet)},
        "funds": {
            name: {
                "cash": sheet.read_number(f"cash{n}"),
                "chips": sheet.read_number(f"chips{n}"),
                "cards": cards[name],
            }
            for n, name in enumerate(names, 1)
        },
        "house_rules": sheet.read_house_rules("chips_at_end"),
    }


def score_fields(case: Case) -> dict[str, str]:
    funds: Case = case["funds"]
    found = common_fields(funds, case.get("house_rules", {})) | _value_fields(case["values"])
    for n, owned in enumerate(funds.values(), 1):
        found |= {f"cash{n}": str(owned["cash"]), f"chips{n}": str(owned["chips"])}
    return found | _owner_fields(
        list(funds), {name: owned["cards"] for name, owned in funds.items()}
    )


def _box_colours(sheet: Sheet) -> tuple[str, ...]:
    return sheet.box.colours  # type: ignore[attr-defined,no-any-return]


def _parse_holdings(sheet: Sheet, names: list[str]) -> dict[str, list[list[str]]]:
    """Return the cards in front of each player."""
    cards = sheet.box.cards  # type: ignore[attr-defined]
    return {
        name: [card.split("-") for card in cards if sheet.read_seat(f"owner_{card}") == n]
        for n, name in enumerate(names, 1)
    }


def _owner_fields(names: list[str], holdings: Mapping[str, Iterable[list[str]]]) -> dict[str, str]:
    return {
        f"owner_{_spell_card(card)}": str(names.index(name) + 1)
        for name, cards in holdings.items()
        for card in cards
        if isinstance(card, list)
    }


def _spell_card(colours: Iterable[str]) -> str:
    """Return the one spelling of a card of two colours."""
    return "-".join(sorted(colours, key=standard_box(BanqueFataleBox).colours.index))


def _value_fields(values: Mapping[str, object]) -> dict[str, str]:
    return number_fields({f"value_{colour}": value for colour, value in values.items()})


SHEETS = {
    "auction": SheetForm(auction_case, auction_fields),
    "score": SheetForm(score_case, score_fields),
}
