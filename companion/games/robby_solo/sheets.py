"""The sheets of Robby Solo: a round, or the score."""

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import cast

from companion.core.errors import Malformed
from companion.core.i18n import N_
from companion.games.robby_solo.box import RobbySoloBox
from companion.judge.sheet import UNKNOWN, Case, Sheet, SheetForm, common_fields, count_fields


def round_case(sheet: Sheet) -> Case:
    """Return the case of a round; its row holds the banks that are ticked."""
    names = sheet.read_names()
    case: Case = {
        "game": sheet.game,
        "kind": sheet.kind,
        "banks": {bank: _bank_loot(sheet, bank) for bank in _bank_row(sheet)},
        "choices": {name: _chosen_bank(sheet, n) for n, name in enumerate(names, 1)},
        "loot": _parse_piles(sheet, names),
    }
    who = sheet.read_seat("declared_who")
    if who:
        will = sheet.read_text("declared_will") != "not"
        bank = sheet.read_text("declared_bank")
        case["declared"] = {"name": names[who - 1], "bank": bank, "will": will}
    return case


def round_fields(case: Case) -> dict[str, str]:
    names = list(case["choices"])
    found = common_fields(names, {})
    for n, name in enumerate(names, 1):
        found[f"choice{n}"] = _spell(case["choices"][name])
        found |= _pile_fields(n, case.get("loot", {}).get(name, ()))
    for bank, cards in case["banks"].items():
        found[f"row_{bank}"] = "1"
        found |= {f"loot_{bank}_{n}": _spell(card) for n, card in enumerate(cards, 1)}
    if "declared" in case:
        said = case["declared"]
        found["declared_who"] = str(names.index(said["name"]) + 1)
        found["declared_bank"] = said["bank"]
        found["declared_will"] = "will" if said["will"] else "not"
    return found


def score_case(sheet: Sheet) -> Case:
    return {"game": sheet.game, "kind": sheet.kind, "loot": _parse_piles(sheet, sheet.read_names())}


def score_fields(case: Case) -> dict[str, str]:
    found = common_fields(case["loot"], {})
    for n, pile in enumerate(case["loot"].values(), 1):
        found |= _pile_fields(n, pile)
    return found


def _spell(value: object) -> str:
    """Return a bank or a card as a field has it; several possible ones as not known."""
    return UNKNOWN if isinstance(value, dict) else str(value)


def _pile_fields(n: int, pile: Iterable[object]) -> dict[str, str]:
    """Return the fields of a pile; cards that are not known are counted on their own."""
    cards = Counter("open" if _spell(card) == UNKNOWN else str(card) for card in pile)
    return count_fields(f"pile{n}", cards)


def _bank_row(sheet: Sheet) -> list[str]:
    """Return the row: the banks that are ticked, robbed or hold loot."""
    box = cast(RobbySoloBox, sheet.box)
    chosen = {sheet.read_text(f"choice{n}") for n in sheet.seats()}
    return [
        b for b in box.banks if sheet.read_text(f"row_{b}") or b in chosen or _bank_loot(sheet, b)
    ]


def _bank_loot(sheet: Sheet, bank: str) -> list[int | str]:
    box = cast(RobbySoloBox, sheet.box)
    found = (sheet.read_text(f"loot_{bank}_{n}") for n in range(1, box.police + 1))
    return [_parse_loot(card) for card in found if card]


def _parse_loot(card: str) -> int | str:
    return int(card) if card.isdecimal() and card.isascii() and len(card) < 8 else card


def _chosen_bank(sheet: Sheet, seat: int) -> str:
    bank = sheet.read_text(f"choice{seat}")
    if not bank:
        raise Malformed(f"choice{seat}", N_("Everyone chooses a bank."))
    return bank


def _parse_piles(sheet: Sheet, names: Sequence[str]) -> dict[str, list[int | str]]:
    """Return everyone's loot, from the number of each kind."""
    box = cast(RobbySoloBox, sheet.box)
    return {
        name: [
            _parse_loot(card)
            for card, number in sheet.read_counts(f"pile{n}", box.loot).items()
            for _ in range(min(number, 99))
        ]
        + [UNKNOWN] * min(sheet.read_number(f"pile{n}_open"), 9)
        for n, name in enumerate(names, 1)
    }


SHEETS = {
    "round": SheetForm(round_case, round_fields),
    "score": SheetForm(score_case, score_fields),
}
