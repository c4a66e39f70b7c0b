"""The loot of a simulated box of Robby Solo: a row of banks, a deck, everyone's pile of loot.

The robbery cards of people bear no tags: a phone holds what they lay. Robby Junior's are known here
by their order.
"""

from collections.abc import Iterable
from typing import Any

from companion.games.robby_solo.raid import Raid, as_loot
from companion.pieces.layout import (
    BOX,
    PLACE,
    Fields,
    Heap,
    Layout,
    Lies,
    Move,
    Piece,
    ShownSpot,
    Spot,
    from_heap,
)
from companion.pieces.pieces import Pieces

DECK = Heap("deck")
LOOT = "loot of"
JUNIOR = 0
"""Whose loot is no seat's."""


def _row(pieces: Pieces) -> list[str]:
    return list(pieces.memory.get("row", ()))


def _bank_heap(pieces: Pieces, fields: Fields) -> Heap:
    row, bank = _row(pieces), fields["bank"]
    if bank not in row:
        raise LookupError(f"There is no bank {bank}.")
    return Heap(PLACE, row.index(bank) + 1)


def _deal(pieces: Pieces, started: Fields) -> None:
    box: Any = pieces.rules.box
    plays = bool(started.get("junior"))
    row = list(started.get("banks") or box.banks[: pieces.seats + plays + 1])
    pieces.shuffle_into(pieces.tags(BOX), DECK)
    pieces.memory |= {"row": row, "junior": pieces.sample(row, len(row)), "plays": plays}


def _clear(pieces: Pieces, before: Lies, lies: Lies, public: Any) -> None:
    """At the end of a round give the loot to the seats that took it, or to the police."""
    pieces.memory["shows"] = public.phase == "junior"
    ended = [
        place
        for place, cards in before.items()
        if tuple(lies.get(place, ()))[: len(cards)] != tuple(cards)
    ]
    if not ended or public.verdict is None:
        return
    owners = {seat.name: Heap(LOOT, n) for n, seat in enumerate(public.seats, 1)}
    for name, taken in public.verdict.taken.items():
        cards = tuple(str(card) for card in taken)
        lying = [place for place in ended if tuple(before[place]) == cards]
        bank = public.choices.get(name)
        chosen = lying[:1] if bank is None else [_bank_heap(pieces, {"bank": bank}).number]
        if cards and chosen:
            ended = [place for place in ended if place not in chosen]
            loot = pieces.tags(Heap(PLACE, chosen[0]))[: len(cards)]
            pieces.shift(loot, owners.get(name, Heap(LOOT, JUNIOR)))
    for raid in public.verdict.raids:
        _clear_raided_bank(pieces, raid, owners)


def _clear_raided_bank(pieces: Pieces, raid: Raid, owners: dict[str, Heap]) -> None:
    """Move the loot of the bank under the deck, then the cards that the robbers give up; skip those
    that are not in their piles."""
    loot = pieces.tags(_bank_heap(pieces, {"bank": raid.bank}))[: len(raid.removed)]
    pieces.shift(loot, DECK, under=True)
    piles = [
        (owners.get(name, Heap(LOOT, JUNIOR)), str(card)) for name, card in raid.returns.items()
    ]
    given = [pieces.find_piece(pile, card) for pile, card in piles if card in pieces.names(pile)]
    pieces.shift(given, DECK, under=True)


def _junior_card(pieces: Pieces, _seat: int = 0) -> Fields:
    """Return the card of Robby Junior for this round."""
    order = pieces.memory["junior"]
    return {"bank": order[(pieces.memory["round"] - 1) % len(order)]}


def _show_junior(pieces: Pieces) -> list[ShownSpot]:
    """Show Robby Junior's next card, face down until the game wants it shown."""
    if not pieces.memory.get("plays"):
        return []
    face = _junior_card(pieces)["bank"] if pieces.memory.get("shows") else None
    return [ShownSpot("junior", "junior", 0, (Piece("card", face),))]


def _everyone(pieces: Pieces) -> Iterable[int]:
    return range(pieces.seats + 1)


SPOTS = (
    Spot(PLACE, "place", "open", lambda pieces: range(1, len(_row(pieces)) + 1)),
    Spot(DECK.kind, "pile", "closed"),
    Spot(LOOT, "loot", "top", _everyone),
)
MOVES = {
    "loot_laid": Move("top", _bank_heap, from_heap(DECK), "card"),
    "loot_shown": Move("next", _bank_heap, report="card"),
}
LAYOUT = Layout(
    SPOTS,
    _deal,
    MOVES,
    clear=_clear,
    looks={"junior_shown": _junior_card},
    read=as_loot,
    more=_show_junior,
)
