"""Banque Fatale on the readers: 1 to 3 the open cards, 4 the auction, 5 the sale."""

from collections.abc import Iterator

from companion.games.banque_fatale.corrections import AUCTION, SALE
from companion.games.banque_fatale.state import BanqueFataleState, CardChosen, CardSold, CardTurned
from companion.tracking.game_tracking import PLACE, GameTracking
from companion.tracking.picture import Arrivals, InferredEvent


def infer_events(state: BanqueFataleState, look: Arrivals) -> Iterator[InferredEvent]:
    """Yield the events that the cards beside the board imply."""
    for place in receiving_places(state):
        for thing in look.cards_at(place):
            if state.phase == "lay" or not thing.late:
                yield InferredEvent(CardTurned(thing.name), place, thing.tag)
    if state.phase == "choose":
        for thing in look.cards_from_elsewhere(AUCTION):
            yield InferredEvent(CardChosen(state.active, thing.name), AUCTION, thing.tag)
    if state.phase == "sell":
        for thing in look.cards_from_elsewhere(SALE):
            yield InferredEvent(CardSold(state.active, thing.name), SALE, thing.tag)


def receiving_places(state: BanqueFataleState) -> frozenset[int]:
    """Return the one place to which the next card of the pile is turned up."""
    if state.phase == "lay":
        return frozenset({len(state.open_cards) + 1})
    if state.phase == "refill":
        return frozenset({state.open_cards.index("") + 1})
    return frozenset()


TRACKING = GameTracking(
    infer_events,
    receiving_places,
    PLACE,
    lifting_phases=("choose",),
    moving_places={"choose": frozenset({AUCTION}), "sell": frozenset({SALE})},
)
