"""Banküberfall on the readers: 1 to 5 the banks, the eighth spot for tiles.

A card that comes to a bank is a placement, or the new one after a robbery, or one that was not
named before. The figure that comes to a bank is its robbery; where it has lain since before a
reader listened it may be that of an earlier turn. A card lifted and put back is the card meant.
"""

from collections.abc import Iterator

from companion.core.cards import FIGURE, TILE
from companion.core.events import Event
from companion.games.bankueberfall.state import (
    BankChosen,
    BankRefilled,
    BankueberfallState,
    CardNamed,
    CardPlaced,
    CardRevealed,
    CardShown,
    CardSpied,
    PileBelieved,
    TileTurned,
)
from companion.tracking.game_tracking import BANK, GameTracking, SweepEvents
from companion.tracking.picture import (
    EIGHTH_SPOT,
    InferredEvent,
    NewPiece,
    Picture,
)


def infer_events(state: BankueberfallState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield the events that the new pieces imply, the likeliest first."""
    for thing in picture.new_pieces(EIGHTH_SPOT):
        if state.phase == "tile" and thing.name.startswith(TILE) and not thing.late:
            turned = TileTurned(state.active, thing.name.removeprefix(TILE))
            yield InferredEvent(turned, EIGHTH_SPOT, thing.tag)
    for bank in range(1, len(state.banks) + 1):
        yield from _infer_meant(state, bank, picture.put_back_at(bank))
        for thing in picture.new_pieces(bank):
            if thing.name == FIGURE and state.phase == "rob" and not thing.late:
                yield InferredEvent(BankChosen(state.active, bank), bank, thing.tag)
        for thing in picture.new_cards(bank):
            yield from _infer_card(state, bank, thing)


def _infer_card(state: BankueberfallState, bank: int, thing: NewPiece) -> Iterator[InferredEvent]:
    """Infer from a new card at a bank; for one that came late the time is unknown."""
    if state.phase == "place" and not thing.late:
        yield InferredEvent(CardPlaced(state.active, bank, thing.name), bank, thing.tag)
    if state.phase == "refill" and not thing.late:
        yield InferredEvent(BankRefilled(bank, thing.name), bank, thing.tag)
    slot = first_unnamed_slot(state, bank)
    if slot:
        yield InferredEvent(CardNamed(bank, slot, thing.name), bank, thing.tag)


def first_unnamed_slot(state: BankueberfallState, bank: int) -> int:
    """Return the first slot at a bank whose card has no name, or 0."""
    cards = [lying.card for lying in state.banks[bank - 1]]
    return cards.index(None) + 1 if None in cards else 0


def _infer_meant(state: BankueberfallState, bank: int, card: str | None) -> Iterator[InferredEvent]:
    """Infer the meant card: the one lifted and put back during Spy or Reveal."""
    meant = {"spy": CardSpied, "reveal": CardRevealed}.get(state.phase)
    lying = state.banks[bank - 1]
    slots = [n for n, one in enumerate(lying, 1) if one.card == card and not one.up]
    if card is not None and meant is not None and slots:
        yield InferredEvent(meant(state.active, bank, slots[0]), bank, "")


def find_forgotten(state: BankueberfallState, picture: Picture) -> int | None:
    """Return the place of a card that was not tapped before the next tile was turned; 0 if whoever
    is at turn has laid it."""
    newest = picture.newest_piece(EIGHTH_SPOT)
    if state.phase not in ("place", "refill") or newest is None or newest.late:
        return None
    turned = picture.at_home(EIGHTH_SPOT)
    if not newest.name.startswith(TILE) or newest.tag in turned[-1:]:
        return None
    return state.figure if state.phase == "refill" else 0


def receiving_places(state: BankueberfallState) -> frozenset[int]:
    """Return the places at which a new card is the awaited one: every bank while a card is laid."""
    if state.phase == "place":
        return frozenset(range(1, len(state.banks) + 1))
    return frozenset({state.figure}) if state.phase == "refill" else frozenset()


def show_card(_state: BankueberfallState, bank: int, card: str) -> Event:
    """Return the event of a card that is held over the reader of the robbed bank."""
    return CardShown(bank, card)


def believe_pile(_state: BankueberfallState, bank: int) -> Event:
    """Return the event of a robbed bank that counts as it was noted."""
    return PileBelieved(bank)


TRACKING = GameTracking(
    infer_events,
    receiving_places,
    BANK,
    lifting_phases=("spy", "reveal", "turn_up"),
    piles=frozenset(range(1, 6)),
    find_forgotten=find_forgotten,
    sweep_events=SweepEvents(show_card, believe_pile),
)
