"""What may be unknown in a dispute of Robby Solo, and what might have been otherwise.

Law: a value is possible if the box allows it; whether it fits the rest of the case, the judge says.
"""

from collections.abc import Iterator, Mapping

from companion.core.cards import standard_box
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.robby_solo.box import RobbySoloBox
from companion.games.robby_solo.raid import Card, loot_cards
from companion.judge.fields import OpenField, OtherCase, Path, look_up

BOX = standard_box(RobbySoloBox)
LOOT = loot_cards(BOX)


def _list_loot(_case: Mapping[str, object], _path: Path) -> list[Card]:
    return [*LOOT]


def _row(case: Mapping[str, object], _path: Path) -> list[str]:
    return [*look_up(case, "banks")]


def _say_card(card: Card) -> Message:
    return Message("{card}", {"card": card})


def _say_bank(bank: str) -> Message:
    return Message("{colour}", {"colour": bank})


def _owner(path: Path) -> Message:
    return Message(N_("a loot card of {who}"), {"who": [path[1]]})


OWNED = OpenField(_list_loot, _owner, _say_card, alike=True)
ROUND = {
    "banks.*.*": OpenField(
        _list_loot,
        lambda path: Message(
            N_("card {n} at the {colour} bank"), {"n": int(path[2]) + 1, "colour": path[1]}
        ),
        _say_card,
    ),
    "choices.*": OpenField(
        _row, lambda path: Message(N_("the bank of {who}"), {"who": [path[1]]}), _say_bank
    ),
    "loot.*.*": OWNED,
    "declared.bank": OpenField(_row, lambda _path: Message(N_("the declared bank")), _say_bank),
    "declared.will": OpenField(
        lambda _case, _path: (True, False),
        lambda _path: Message(N_("the declaration")),
        lambda will: Message(N_("a robbery") if will else N_("no robbery")),
    ),
}
SCORE = {"loot.*.*": OWNED}
OPEN_FIELDS = {"round": ROUND, "score": SCORE}


# What might have been otherwise.

OTHER_BANK = N_("{who} had gone to the {colour} bank")
OTHER_CARD = N_("{card} had lain at the {colour} bank instead of {thing}")


def change_choices(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one player at another bank."""
    for name, chosen in case["choices"].items():
        for bank in case["banks"]:
            if bank != chosen:
                choices = {**case["choices"], name: bank}
                facts = {"who": [name], "colour": bank}
                yield OtherCase({**case, "choices": choices}, Message(OTHER_BANK, facts))


def exchange_loot(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one card at a bank exchanged."""
    for bank, cards in case["banks"].items():
        for n, card in enumerate(cards):
            for other in LOOT:
                if other != card:
                    pile = [*cards[:n], other, *cards[n + 1 :]]
                    facts = {"card": other, "colour": bank, "thing": _say_card(card)}
                    banks = {**case["banks"], bank: pile}
                    yield OtherCase({**case, "banks": banks}, Message(OTHER_CARD, facts))


CHANGES = {"round": (change_choices, exchange_loot)}
