"""What may be unknown in a dispute of Banküberfall, and what a robbery comes to in short.

Law: a robbery is surveyed and paid by the same functions as for its verdict.
"""

from collections import Counter
from collections.abc import Hashable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from companion.core.cards import standard_box
from companion.core.errors import Malformed
from companion.core.i18n import N_, Message
from companion.core.json_values import JsonObject
from companion.games.bankueberfall.box import BankueberfallBox
from companion.games.bankueberfall.robbery import Survey, pay_in_order, survey_bank
from companion.judge.fields import MOST_NUMBER, OpenField, OtherCase, Path, look_up

BOX = standard_box(BankueberfallBox)
COINS = BOX.pieces["coins"]
"""No one can own more."""

IMPOSSIBLE = N_("{field}: this is not possible.")


def _affordable_bids(case: Mapping[str, object], path: Path) -> range:
    owned = look_up(case, "funds").get(str(path[-1]))
    return range((owned if type(owned) is int and 0 <= owned <= MOST_NUMBER else COINS) + 1)


def _say_number(n: int) -> Message:
    return Message("{n}", {"n": n})


def _say_card(card: str) -> Message:
    return Message("{card}", {"card": card})


def _name_field(text: str) -> Any:
    return lambda path: Message(text, {"who": [path[1]]})


ROBBERY = {
    "cards.*": OpenField(
        lambda _case, _path: [*BOX.cards],
        lambda path: Message(N_("card {n}"), {"n": int(path[1]) + 1}),
        _say_card,
        alike=True,
    ),
    "bids.*": OpenField(_affordable_bids, _name_field(N_("the bid of {who}")), _say_number),
    "funds.*": OpenField(
        lambda _case, _path: range(COINS + 1),
        _name_field(N_("the coins of {who} before")),
        _say_number,
    ),
}
SCORE = {
    "funds.*.coins": OpenField(
        lambda _case, _path: range(COINS + 1), _name_field(N_("the coins of {who}")), _say_number
    ),
    "funds.*.credits": OpenField(
        lambda _case, _path: range(COINS // BOX.purse + 1),
        _name_field(N_("the red credits of {who}")),
        _say_number,
    ),
}


def _list_banks(_case: Mapping[str, object], _path: Path) -> range:
    return range(1, BOX.banks + 1)


def _list_players(case: Mapping[str, object], _path: Path) -> list[str]:
    names = case.get("players")
    return [name for name in names if isinstance(name, str)] if isinstance(names, list) else []


def _bank_field(text: str, alike: bool = True) -> OpenField:
    return OpenField(_list_banks, lambda _path: Message(text), _say_number, alike)


FINAL = {
    "last": OpenField(
        _list_players,
        lambda _path: Message(N_("the player who laid the last card")),
        lambda name: Message("{who}", {"who": [name]}),
    ),
    "front": _bank_field(N_("the bank in front of that player"), alike=False),
    "robbed.*": _bank_field(N_("a bank robbed so far")),
    "empty.*": _bank_field(N_("an empty bank")),
}
OPEN_FIELDS = {"robbery": ROBBERY, "final": FINAL, "score": SCORE}


@lru_cache(maxsize=4096)
def _survey(cards: tuple[str, ...]) -> Survey | None:
    """Return what these cards come to; None if the box does not hold them."""
    laid = Counter(cards)
    return survey_bank(cards) if all(n <= BOX.cards[card] for card, n in laid.items()) else None


def find_quick_ending(case: JsonObject) -> Hashable:
    """Return what a robbery comes to, so that equal ones are equal; raise Malformed."""
    survey, bids, funds = _survey(tuple(case["cards"])), case["bids"], case.get("funds")
    if survey is None:
        raise Malformed("cards", IMPOSSIBLE)
    if funds is not None and any(bid > funds[name] for name, bid in bids.items()):
        raise Malformed("bids", IMPOSSIBLE)
    outcome, watched, loot = survey
    if outcome == "guarded":
        return outcome, tuple(bid == 0 for bid in bids.values())
    if outcome == "stolen":
        owned = funds and tuple(funds[name] - bid < BOX.purse for name, bid in bids.items())
        return outcome, tuple(bids.values()), owned
    if outcome == "nothing":
        return outcome
    stops = case.get("house_rules", {}).get("shortfall") == "stop"
    paid = {
        name: payment.bid
        for payment in pay_in_order(loot, bids, watched, stops)
        if payment.is_paid
        for name in payment.who
    }
    return outcome, watched, tuple(paid.get(name, 0) for name in bids)


# What might have been otherwise.

OTHER_BID = N_("{who} had bid {bid} instead of {before}")
OTHER_CARD = N_("{card} had lain there instead of {thing}")


def change_bids(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one bid changed, by one coin, by two and so on."""
    for by in range(1, COINS + 1):
        for name, bid in case["bids"].items():
            for other in (bid - by, bid + by):
                if other in _affordable_bids(case, ("bids", name)):
                    facts = {"who": [name], "bid": other, "before": bid}
                    bids = {**case["bids"], name: other}
                    yield OtherCase({**case, "bids": bids}, Message(OTHER_BID, facts))


def exchange_cards(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one card exchanged for another kind."""
    for n, card in enumerate(case["cards"]):
        if card in case["cards"][:n]:
            continue
        for other in BOX.cards:
            if other != card:
                cards = [*case["cards"][:n], other, *case["cards"][n + 1 :]]
                facts = {"card": other, "thing": _say_card(card)}
                yield OtherCase({**case, "cards": cards}, Message(OTHER_CARD, facts))


OTHER_LAST = N_("{who} had laid the last card")
OTHER_FRONT = N_("bank {bank} had been in front of {who}")
HAD_ROBBED = N_("bank {bank} had been robbed before")
HAD_NOT_ROBBED = N_("bank {bank} had not been robbed before")


def change_front(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another bank in front of the last player."""
    for bank in range(1, BOX.banks + 1):
        facts = {"bank": bank, "who": [case["last"]]}
        yield OtherCase({**case, "front": bank}, Message(OTHER_FRONT, facts))


def change_last(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with another player's card as the last one."""
    for name in case["players"]:
        yield OtherCase({**case, "last": name}, Message(OTHER_LAST, {"who": [name]}))


def change_robbed(case: JsonObject) -> Iterator[OtherCase]:
    """Yield the case with one bank robbed that was not, or the other way round."""
    robbed = case.get("robbed", [])
    for bank in range(1, BOX.banks + 1):
        has = bank in robbed
        others = [one for one in robbed if one != bank] if has else [*robbed, bank]
        said = Message(HAD_NOT_ROBBED if has else HAD_ROBBED, {"bank": bank})
        yield OtherCase({**case, "robbed": others}, said)


CHANGES = {
    "robbery": (change_bids, exchange_cards),
    "final": (change_robbed, change_last, change_front),
}
