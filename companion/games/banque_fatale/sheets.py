"""The sheets of Banque Fatale: an auction, a sale, the chips that are taken back, or the score."""

from collections import Counter
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
    card = sheet.read_text("card")
    if not card:
        raise Malformed("card", N_("Choose the card that is auctioned."))
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "start": _read_player(sheet, "start", names),
        "bids": {name: sheet.read_counts(f"bid{n}", colours) for n, name in enumerate(names, 1)},
        "values": {colour: sheet.read_open_number(f"value_{colour}") for colour in colours},
        "card": _read_card(card),
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
        "start": _write_player(case["start"], names),
        "card": _write_card(case["card"]),
        **_owner_fields(names, case.get("holdings", {})),
    }


def sale_case(sheet: Sheet) -> Case:
    """Return the case of a sale; a card that was won, and colours that rose, may be left out."""
    names, colours, card = sheet.read_names(), _box_colours(sheet), sheet.read_text("card")
    if not card:
        raise Malformed("card", N_("Choose the card that is to be sold."))
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "seller": _read_player(sheet, "seller", names),
        "card": _read_card(card),
        "values": {colour: sheet.read_open_number(f"value_{colour}") for colour in colours},
        "won": _read_card(sheet.read_text("won")),
        "risen": [colour for colour in colours if sheet.read_text(f"risen_{colour}")],
        "house_rules": sheet.read_house_rules("sale_ban"),
    }


def sale_fields(case: Case) -> dict[str, str]:
    names, risen = case["players"], case.get("risen", [])
    return {
        **common_fields(names, case.get("house_rules", {})),
        "seller": _write_player(case["seller"], names),
        "card": _write_card(case["card"]),
        "won": _write_card(case.get("won", [])),
        **_value_fields(case["values"]),
        **{f"risen_{colour}": "1" for colour in risen if isinstance(colour, str)},
    }


def chips_case(sheet: Sheet) -> Case:
    """Return the case of the chips that are taken back, in whatever order."""
    names, colours = sheet.read_names(), _box_colours(sheet)
    taken = sheet.read_counts("taken", colours)
    return {
        "game": sheet.game,
        "kind": sheet.kind,
        "players": names,
        "winner": _read_player(sheet, "winner", names),
        "chips": {colour: sheet.read_open_number(f"chips_{colour}") for colour in colours},
        "taken": [colour for colour, n in taken.items() for _ in range(min(n, 99))],
    }


def chips_fields(case: Case) -> dict[str, str]:
    taken = [colour for colour in case.get("taken", []) if isinstance(colour, str)]
    chips = {f"chips_{colour}": n for colour, n in case["chips"].items() if n}
    return {
        **common_fields(case["players"], {}),
        "winner": _write_player(case["winner"], case["players"]),
        **number_fields(chips),
        **count_fields("taken", Counter(taken)),
    }


def _read_player(sheet: Sheet, field: str, names: list[str]) -> str:
    """Return the player whom a field names; the first if it names none, or “?”."""
    if sheet.read_text(field) == UNKNOWN:
        return UNKNOWN
    return names[(sheet.read_seat(field) or 1) - 1]


def _write_player(name: object, names: list[str]) -> str:
    return str(names.index(name) + 1) if name in names else UNKNOWN


def _read_card(text: str) -> str | list[str]:
    """Return a card as a case spells it; none as an empty list."""
    return UNKNOWN if text == UNKNOWN else text.split("-") if text else []


def _write_card(card: object) -> str:
    return _spell_card(card) if isinstance(card, list) else UNKNOWN


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
    "sale": SheetForm(sale_case, sale_fields),
    "chips": SheetForm(chips_case, chips_fields),
    "score": SheetForm(score_case, score_fields),
}
