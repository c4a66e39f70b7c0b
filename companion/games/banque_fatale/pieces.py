"""The cards of a simulated box of Banque Fatale: one in front of everyone, three open ones beside
the board, and a pile."""

from collections.abc import Iterable
from typing import Any

from companion.games import banque_fatale
from companion.games.layout import (
    BOX,
    PLACE,
    Fields,
    Heap,
    Layout,
    Lies,
    Move,
    Spot,
    each_seat,
    from_heap,
    from_own,
)

PILE, SOLD = Heap("pile"), Heap("sold")
AUCTION, SALE = Heap(PLACE, banque_fatale.AUCTION), Heap(PLACE, banque_fatale.SALE)
FRONT = "in front of"


def _open_places(pieces: Any, _seat: int = 0) -> list[Heap]:
    box = pieces.rules.box
    return [Heap(PLACE, place) for place in range(1, box.open_cards + 1)]


def _all_places(pieces: Any) -> Iterable[int]:
    return (heap.number for heap in (*_open_places(pieces), AUCTION, SALE))


def _empty_place(pieces: Any, _fields: Fields) -> Heap:
    for heap in _open_places(pieces):
        if not pieces.tags(heap):
            return heap
    raise LookupError("Every open place has its card.")


def _deal(pieces: Any, _started: Fields) -> None:
    singles = sorted(tag for tag, card in pieces.things.items() if "-" not in card)
    for seat, tag in enumerate(pieces.random.sample(singles, pieces.seats), 1):
        pieces.shift([tag], Heap(FRONT, seat))
    pieces.shuffle_into(pieces.tags(BOX), PILE)


def _clear(pieces: Any, _before: Lies, _lies: Lies, public: Any) -> None:
    """Give the auctioned card to its winner, and take a sold one out of the game where it lies."""
    for seat, player in enumerate(public.seats, 1):
        won = [tag for tag in pieces.tags(AUCTION) if pieces.things[tag] in player.cards]
        if won:
            pieces.shift(won, Heap(FRONT, seat))
    for tag, card in pieces.things.items():
        if card in public.sold and pieces.home_heap(tag) != SOLD:
            pieces.shift([tag], SOLD)


SPOTS = (
    Spot(PLACE, "place", "open", _all_places),
    Spot(PILE.kind, "pile", "closed"),
    Spot(SOLD.kind, "sold", "open"),
    Spot(FRONT, "front", "open", each_seat),
)
MOVES = {
    "card_turned": Move("top", _empty_place, from_heap(PILE), "card"),
    "card_chosen": Move("named", lambda _p, _f: AUCTION, _open_places),
    "card_sold": Move("named", lambda _p, _f: SALE, from_own(FRONT)),
}
LAYOUT = Layout(
    SPOTS,
    _deal,
    MOVES,
    clear=_clear,
    looks={"card_dealt": lambda p, seat: {"card": p.things[p.top_piece(Heap(FRONT, seat))]}},
)
