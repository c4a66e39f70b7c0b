"""What may be unknown in a dispute of Banque Fatale, and what might have been otherwise.

Law: a value is possible if the box allows it; whether it fits the rest of the case, the judge says.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from companion.core.cards import standard_box
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.banque_fatale.box import BanqueFataleBox
from companion.judge.fields import OpenField, OtherCase, Path

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


def _list_players(case: Mapping[str, object], _path: Path) -> list[str]:
    names = case.get("players")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _list_chips(_case: Mapping[str, object], path: Path) -> range:
    return range(BOX.chips.get(str(path[2]), -1) + 1)


def _track(most: int) -> Any:
    return lambda _case, _path: range(BOX.track.least, most + 1)


def _value_field(most: int) -> OpenField:
    return OpenField(
        _track(most),
        lambda path: Message(N_("the value of {colour}"), {"colour": path[1]}),
        _say("n"),
    )


def _card_field(label: Any, alike: bool = False) -> OpenField:
    return OpenField(lambda _case, _path: CARDS, label, _say_card, alike)


def _colour_field(text: str) -> OpenField:
    return OpenField(
        lambda _case, _path: BOX.colours, lambda _path: Message(text), _say("colour"), alike=True
    )


def _say_who(name: str) -> Message:
    return Message("{who}", {"who": [name]})


AUCTION = {
    "start": OpenField(_list_players, lambda _path: Message(N_("the start player")), _say_who),
    "bids.*.*": OpenField(
        _list_chips,
        _name(N_("the {colour} chips of {who}")),
        _say("n"),
    ),
    "values.*": _value_field(min(BOX.track.bonus) - 1),
    "card": _card_field(lambda _path: Message(N_("the auctioned card"))),
    "holdings.*.*": _card_field(_name(N_("a card of {who}")), alike=True),
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
    "funds.*.cards.*": _card_field(_name(N_("a card of {who}")), alike=True),
}
SALE = {
    "seller": OpenField(_list_players, lambda _path: Message(N_("the seller")), _say_who),
    "card": _card_field(lambda _path: Message(N_("the card to be sold"))),
    "won": _card_field(lambda _path: Message(N_("the card won in this round"))),
    "values.*": _value_field(min(BOX.track.bonus) - 1),
    "risen.*": _colour_field(N_("a colour that rose in this round")),
}
CHIPS = {
    "winner": OpenField(
        _list_players, lambda _path: Message(N_("the winner of the card")), _say_who
    ),
    "chips.*": OpenField(
        lambda _case, path: range(BOX.chips.get(str(path[1]), -1) + 1),
        lambda path: Message(N_("the {colour} chips on the table"), {"colour": path[1]}),
        _say("n"),
    ),
    "taken.*": _colour_field(N_("a chip taken so far")),
}
OPEN_FIELDS = {"auction": AUCTION, "sale": SALE, "chips": CHIPS, "score": SCORE}


# What might have been otherwise.

OTHER_FIST = N_("{who} had held {n} of {colour} instead of {before}")
OTHER_START = N_("{who} had been the start player")


def change_chips(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one fist changed in one colour, by one chip, by two and so on."""
    for by in range(1, max(BOX.chips.values()) + 1):
        for name, fist in case["bids"].items():
            for colour in BOX.colours:
                held = fist.get(colour, 0)
                for n in (held - by, held + by):
                    facts = {"who": [name], "n": n, "colour": colour, "before": held}
                    bids = {**case["bids"], name: {**fist, colour: n}}
                    yield OtherCase({**case, "bids": bids}, Message(OTHER_FIST, facts))


def change_start(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another start player, clockwise from the one it was."""
    names, first = case["players"], case["players"].index(case["start"])
    for name in (*names[first + 1 :], *names[:first]):
        yield OtherCase({**case, "start": name}, Message(OTHER_START, {"who": [name]}))


OTHER_SALE, OTHER_WON = N_("{card} were sold instead"), N_("{card} had been won in this round")
HAD_RISEN = N_("{colour} had risen in this round")
HAD_NOT_RISEN = N_("{colour} had not risen in this round")
OTHER_WINNER = N_("{who} had won the card")
ONE_FEWER = N_("a {colour} chip fewer had been taken")
ONE_MORE = N_("a {colour} chip more had been taken")


def change_won(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another card won, the one to be sold first."""
    for card in (case["card"], *CARDS):
        yield OtherCase({**case, "won": card}, Message(OTHER_WON, _say_card(card).facts))


def change_risen(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one colour risen that had not, or the other way round."""
    risen = case.get("risen", [])
    for colour in BOX.colours:
        has = colour in risen
        others = [one for one in risen if one != colour] if has else [*risen, colour]
        said = Message(HAD_NOT_RISEN if has else HAD_RISEN, {"colour": colour})
        yield OtherCase({**case, "risen": others}, said)


def change_card(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another card to be sold."""
    for card in CARDS:
        yield OtherCase({**case, "card": card}, Message(OTHER_SALE, _say_card(card).facts))


def change_winner(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another winner of the card."""
    for name in case["players"]:
        yield OtherCase({**case, "winner": name}, Message(OTHER_WINNER, {"who": [name]}))


def change_taken(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one chip more or fewer taken so far."""
    taken = case.get("taken", [])
    for n, colour in enumerate(taken):
        if colour not in taken[:n]:
            fewer = [*taken[:n], *taken[n + 1 :]]
            yield OtherCase({**case, "taken": fewer}, Message(ONE_FEWER, {"colour": colour}))
    for colour in BOX.colours:
        yield OtherCase({**case, "taken": [*taken, colour]}, Message(ONE_MORE, {"colour": colour}))


CHANGES = {
    "auction": (change_chips, change_start),
    "sale": (change_won, change_risen, change_card),
    "chips": (change_taken, change_winner),
}
