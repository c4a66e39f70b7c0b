"""Robby Solo on the readers: one under each bank of the row, in its order."""

from collections.abc import Iterator

from companion.core.events import Event
from companion.games.robby_solo.choice_phase import next_banks
from companion.games.robby_solo.corrections import bank_at
from companion.games.robby_solo.raid import as_loot
from companion.games.robby_solo.state import LootBelieved, LootLaid, LootShown, RobbySoloState
from companion.tracking.game_tracking import BANK, GameTracking, SweepEvents
from companion.tracking.picture import InferredEvent, Picture


def infer_events(state: RobbySoloState, picture: Picture) -> Iterator[InferredEvent]:
    """Yield a new loot card at the next bank in line."""
    row = tuple(state.banks)
    for place in places_in_line(state):
        for thing in picture.new_cards(place):
            if thing.late and state.verdict is not None:
                continue  # Nobody knows when it was laid.
            laid = LootLaid(row[place - 1], as_loot(thing.name))
            yield InferredEvent(laid, place, thing.tag)


def places_in_line(state: RobbySoloState) -> list[int]:
    """Return the places to which the next loot card may go."""
    line = next_banks(state) if state.phase == "fill" else ()
    return [place for place, bank in enumerate(state.banks, 1) if bank in line]


def receiving_places(state: RobbySoloState) -> frozenset[int]:
    """Return the places that still get a loot card in this round."""
    open_ = [place for place, bank in enumerate(state.banks, 1) if bank not in state.filled]
    return frozenset(open_ if state.phase == "fill" else ())


def find_forgotten(state: RobbySoloState, picture: Picture) -> int | None:
    """Return the bank in line without a card, when one farther on was tapped."""
    line = places_in_line(state)
    ahead = (place for place in receiving_places(state).difference(line))
    return min(line) if any(any(picture.new_cards(place)) for place in ahead) else None


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
    find_forgotten=find_forgotten,
    sweep_events=SweepEvents(show_loot, believe_loot),
)
