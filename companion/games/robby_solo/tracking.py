"""Robby Solo on the readers: one under each bank of the row, in its order."""

from collections.abc import Iterator

from companion.core.events import Event
from companion.games.robby_solo.corrections import as_loot, bank_at
from companion.games.robby_solo.fill_phase import next_banks
from companion.games.robby_solo.state import LootBelieved, LootLaid, LootShown, RobbySoloState
from companion.tracking.game_tracking import BANK, GameTracking, SweepEvents
from companion.tracking.picture import Arrivals, Forgotten, InferredEvent


def infer_events(state: RobbySoloState, look: Arrivals) -> Iterator[InferredEvent]:
    """Yield a new loot card at the next bank in line."""
    row = tuple(state.banks)
    for place in sorted(receiving_places(state)):
        for thing in look.cards_at(place):
            if thing.late and state.verdict is not None:
                continue  # Nobody knows when it was laid.
            laid = LootLaid(row[place - 1], as_loot(thing.name))
            yield InferredEvent(laid, place, thing.tag)


def receiving_places(state: RobbySoloState) -> frozenset[int]:
    """Return the places to which the next loot card may go."""
    if state.phase != "fill":
        return frozenset()
    row = tuple(state.banks)
    return frozenset(row.index(bank) + 1 for bank in next_banks(state))


def awaited_places(state: RobbySoloState) -> frozenset[int]:
    """Return the places that still get a loot card in this round."""
    if state.phase != "fill":
        return frozenset()
    row = enumerate(state.banks, 1)
    return frozenset(place for place, bank in row if bank not in state.filled)


def find_forgotten(state: RobbySoloState, look: Arrivals) -> Forgotten | None:
    """Return which bank in line has no card yet, when one farther on was tapped."""
    line = receiving_places(state)
    ahead = (place for place in awaited_places(state) - line if any(look.cards_at(place)))
    return Forgotten(min(line)) if any(ahead) else None


def show_loot(state: RobbySoloState, place: int, card: str) -> Event:
    """Return the event of a loot card that is held over the reader of a robbed bank."""
    return LootShown(bank_at(state, place), as_loot(card))


def believe_loot(state: RobbySoloState, place: int) -> Event:
    """Return the event of a robbed bank whose loot counts as it was noted."""
    return LootBelieved(bank_at(state, place))


TRACKING = GameTracking(
    infer_events,
    receiving_places,
    BANK,
    piles=frozenset(range(1, 8)),
    awaited_places=awaited_places,
    find_forgotten=find_forgotten,
    sweep_events=SweepEvents(show_loot, believe_loot, lie_open=True),
    cards_return=True,
)
