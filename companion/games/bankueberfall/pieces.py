"""The cards, tiles and figure of a simulated box of Banküberfall: a card at each bank, hands of
five, seven tiles, and the figure beside the banks."""

from collections.abc import Mapping, Sequence
from typing import Any

from companion.core.cards import FIGURE, TILE
from companion.games.bankueberfall import UNNAMED
from companion.games.layout import (
    BOX,
    FIGURE_AT,
    PLACE,
    Fields,
    Heap,
    Layout,
    Lies,
    Move,
    Spot,
    at_place,
    each_seat,
    from_heap,
    from_own,
    piece_kind,
)
from companion.tracking.picture import EIGHTH_SPOT

PILE, DISCARD = Heap("pile"), Heap("discard")
FACE_DOWN, TURNED, USED = Heap("tiles face down"), Heap(PLACE, EIGHTH_SPOT), Heap("tiles used")
HAND = "hand"


def _banks(pieces: Any) -> range:
    return range(1, pieces.rules.box.banks + 1)


def _deal(pieces: Any, _started: Fields) -> None:
    box = pieces.rules.box
    for kind, heap in (("card", PILE), ("tile", FACE_DOWN)):
        tags = [tag for tag, thing in pieces.things.items() if piece_kind(thing) == kind]
        pieces.shuffle_into(tags, heap)
    hands = [Heap(HAND, seat) for seat in range(1, pieces.seats + 1) for _ in range(box.hand)]
    for heap in (*(Heap(PLACE, bank) for bank in _banks(pieces)), *hands):
        pieces.shift([pieces.top_piece(PILE)], heap)


def _clear(pieces: Any, before: Lies, lies: Lies, public: Any) -> None:
    """Clear a robbed bank; have faces, hands, tiles and the figure be as the game has them."""
    for bank, cards in lies.items():
        if before.get(bank) and not cards:
            pieces.shift(pieces.tags(Heap(PLACE, bank)), DISCARD)
    for here in public.places:
        for tag, face in zip(pieces.tags(Heap(PLACE, here.place)), here.cards, strict=False):
            if face in (UNNAMED, pieces.things[tag]):
                pieces.show_face(tag)
    _even_out_hands(pieces, [seat.hand for seat in public.seats])
    _turn_tiles(pieces, public.tiles)
    (figure,) = (tag for tag, thing in pieces.things.items() if thing == FIGURE)
    stands = Heap(FIGURE_AT, public.figure) if public.figure else BOX
    if pieces.home_heap(figure) != stands:
        pieces.shift([figure], stands)


def _even_out_hands(pieces: Any, hands: Sequence[int]) -> None:
    """Have every hand draw up to the count of the game; once the pile is empty, from a hand that
    holds too many, because a card was played for it."""
    held = {Heap(HAND, seat): count for seat, count in enumerate(hands, 1)}
    for hand, count in held.items():
        while len(pieces.tags(hand)) < count:
            rich = (other for other, most in held.items() if len(pieces.tags(other)) > most)
            source = PILE if pieces.tags(PILE) else next(rich, None)
            if source is None:
                return
            pieces.shift([pieces.top_piece(source)], hand)


def _turn_tiles(pieces: Any, down: Mapping[str, int]) -> None:
    """Shuffle in the tiles that the game counts as face down again; move one that it no longer
    counts so to the eighth spot."""

    def count_surplus(tag: str) -> int:
        name = pieces.things[tag]
        return int(pieces.names(FACE_DOWN).count(name)) - down[name.removeprefix(TILE)]

    for tag in (*pieces.tags(TURNED), *pieces.tags(USED)):
        if count_surplus(tag) < 0:  # One that was turned, and not told yet, stays where it is.
            rest = [t for t in pieces.tags(FACE_DOWN) if pieces.actual_heap(t) == FACE_DOWN]
            pieces.shuffle_into([*rest, tag], FACE_DOWN)
    for tag in pieces.tags(FACE_DOWN):
        if count_surplus(tag) > 0:
            pieces.shift(pieces.tags(TURNED), USED)
            like = [t for t in pieces.tags(FACE_DOWN) if pieces.things[t] == pieces.things[tag]]
            pieces.shift([pieces.prefer_piece(like, TURNED)], TURNED)


SPOTS = (
    Spot(PLACE, "place", "known", _banks),
    Spot(PLACE, "place", "open", lambda _: (EIGHTH_SPOT,), holds="tile", off=USED),
    Spot(BOX.kind, "figure", "known", holds="figure"),
    Spot(FACE_DOWN.kind, "tiles", "closed", holds="tile"),
    Spot(USED.kind, "used", "open", holds="tile"),
    Spot(PILE.kind, "pile", "closed"),
    Spot(DISCARD.kind, "discard", "closed"),
    Spot(HAND, "hand", "own", each_seat),
)
BANK = at_place("bank")
MOVES = {
    "tile_turned": Move("top", lambda _p, _f: TURNED, from_heap(FACE_DOWN), "tile"),
    "card_placed": Move("named", BANK, from_own(HAND)),
    "card_spied": Move("slot", BANK),
    "card_revealed": Move("slot", BANK, report="card"),
    "card_named": Move("look", BANK, report="card"),
    "card_shown": Move("next", BANK, report="card"),
    "bank_chosen": Move("top", lambda p, f: Heap(FIGURE_AT, BANK(p, f).number), from_heap(BOX)),
    "bank_refilled": Move("top", BANK, from_heap(PILE)),
}
LAYOUT = Layout(SPOTS, _deal, MOVES, _clear, read=lambda name: name.removeprefix(TILE))
