"""Banque Fatale on the readers: 1 to 3 the open cards, 4 the auction, 5 the sale."""

from collections.abc import Iterator

from companion.games.banque_fatale.corrections import AUCTION, SALE
from companion.games.banque_fatale.state import BanqueFataleState, CardChosen, CardSold, CardTurned
from companion.tracking.game_tracking import PLACE, GameTracking
from companion.tracking.picture import InferredEvent, Picture

MOVED_TO = {"choose": AUCTION, "sell": SALE}
"""By phase the place to which a card is moved from elsewhere."""


def infer_events(state: BanqueFataleState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield the events that the cards beside the board imply."""
    for place in receiving_places(state) - {AUCTION, SALE}:
        for thing in picture.new_cards(place):
            if state.phase == "lay" or not thing.late:
                yield InferredEvent(CardTurned(thing.name), place, thing.tag)
    place = MOVED_TO.get(state.phase, 0)
    kind = CardChosen if place == AUCTION else CardSold
    for thing in picture.cards_from_elsewhere(place):
        yield InferredEvent(kind(state.active, thing.name), place, thing.tag)


def receiving_places(state: BanqueFataleState) -> frozenset[int]:
    """Return the one place to which the next card is turned up, or moved."""
    if state.phase == "lay":
        return frozenset({len(state.open_cards) + 1})
    if state.phase == "refill":
        return frozenset({state.open_cards.index("") + 1})
    return frozenset({MOVED_TO[state.phase]} if state.phase in MOVED_TO else ())


TRACKING = GameTracking(infer_events, receiving_places, PLACE, lifting_phases=("choose",))
