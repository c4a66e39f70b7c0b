"""What may be unknown in a dispute of Banque Fatale, and what might have been otherwise.

Law: a value is possible if the box allows it; whether it fits the rest of the case, the judge says.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.cards import standard_box
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.judge.fields import Change, OpenField, Path

BOX = standard_box(BanqueFataleBox)
CARDS = [card.split("-") for card in BOX.cards]
CASH = sum(int(worth) * n for worth, n in BOX.money.items())
"""All the money of the box, in millions."""


def _say(fact: str) -> Any:
    return lambda value: Message(f"{{{fact}}}", {fact: value})


def _say_card(card: list[str]) -> Message:
    return Message("{card}", {"card": "-".join(sorted(card, key=BOX.colours.index))})


def _name(text: str) -> Any:
    return lambda path: Message(text, {"who": [path[1]], "colour": path[-1]})


def _list_players(case: Mapping[str, Any], _path: Path) -> list[str]:
    names = case.get("players")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _list_chips(_case: Mapping[str, Any], path: Path) -> range:
    return range(BOX.chips.get(str(path[2]), -1) + 1)


def _track(most: int) -> Any:
    return lambda _case, _path: range(BOX.track.least, most + 1)


def _value_field(most: int) -> OpenField:
    return OpenField(
        _track(most),
        lambda path: Message(N_("the value of {colour}"), {"colour": path[1]}),
        _say("n"),
    )


def _card_field(label: Any) -> OpenField:
    return OpenField(lambda _case, _path: CARDS, label, _say_card, alike=True)


AUCTION = {
    "start": OpenField(
        _list_players,
        lambda _path: Message(N_("the start player")),
        lambda name: Message("{who}", {"who": [name]}),
    ),
    "bids.*.*": OpenField(
        _list_chips,
        _name(N_("the {colour} chips of {who}")),
        _say("n"),
    ),
    "values.*": _value_field(min(BOX.track.bonus) - 1),
    "card": _card_field(lambda _path: Message(N_("the auctioned card"))),
    "holdings.*.*": _card_field(_name(N_("a card of {who}"))),
}
SCORE = {
    "values.*": _value_field(BOX.track.most),
    "funds.*.cash": OpenField(
        lambda _case, _path: range(CASH + 1), _name(N_("the cash of {who}")), _say("n")
    ),
    "funds.*.chips": OpenField(
        lambda _case, _path: range(sum(BOX.chips.values()) + 1),
        _name(N_("the chips of {who}")),
        _say("n"),
    ),
    "funds.*.cards.*": _card_field(_name(N_("a card of {who}"))),
}
OPEN_FIELDS = {"auction": AUCTION, "score": SCORE}


# What might have been otherwise.

OTHER_FIST = N_("{who} had held {n} of {colour} instead of {before}")
OTHER_START = N_("{who} had been the start player")


def change_chips(case: JsonObject) -> Iterator[Change]:
    """Yield the case with one fist changed in one colour, by one chip, by two and so on."""
    for by in range(1, max(BOX.chips.values()) + 1):
        for name, fist in case["bids"].items():
            for colour in BOX.colours:
                held = fist.get(colour, 0)
                for n in (held - by, held + by):
                    facts = {"who": [name], "n": n, "colour": colour, "before": held}
                    bids = {**case["bids"], name: {**fist, colour: n}}
                    yield Change({**case, "bids": bids}, Message(OTHER_FIST, facts))


def change_start(case: JsonObject) -> Iterator[Change]:
    """Yield the case with another start player, clockwise from the one it was."""
    names, first = case["players"], case["players"].index(case["start"])
    for name in (*names[first + 1 :], *names[:first]):
        yield Change({**case, "start": name}, Message(OTHER_START, {"who": [name]}))


CHANGES = {"auction": (change_chips, change_start)}
