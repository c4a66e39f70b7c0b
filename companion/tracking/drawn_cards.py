"""Tracking for a game that says nothing about it: a card that comes is the one that is awaited.

Law: it is read from the rows of the phase table whose events are made `with_pieces` and name a
`card`; one without a `place` or a `bank` of its own is awaited at the first place.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from companion.core.events import Event
from companion.games.game_state import GameState
from companion.tracking.game_tracking import PLACE, GameTracking
from companion.tracking.picture import EIGHTH_SPOT, InferredEvent, Picture

FIRST_PLACE = 1
PLACE_FIELDS = ("place", "bank")


def draws_card(event: type[Event]) -> bool:
    """Return whether such an event is a card that comes to a place."""
    return event.with_pieces and "card" in event.__struct_fields__


def place_field(event: type[Event]) -> str:
    """Return the field in which such an event names its place; "" if it has none."""
    return next((name for name in PLACE_FIELDS if name in event.__struct_fields__), "")


def track_drawn_cards(rows: Iterable[Any]) -> GameTracking[Any]:
    """Return the tracking that follows from a phase table."""
    drawing = [row for row in rows if draws_card(row.event)]

    def events_now(state: GameState) -> Sequence[type[Event]]:
        return [row.event for row in drawing if row.phase == state.phase]

    def receiving_places(state: GameState) -> frozenset[int]:
        events = events_now(state)
        some = range(1, EIGHTH_SPOT + 1) if any(map(place_field, events)) else [FIRST_PLACE]
        return frozenset(some if events else ())

    def infer_events(state: GameState, picture: Picture) -> Iterator[InferredEvent]:
        for place in sorted(receiving_places(state)):
            for thing in picture.new_cards(place):
                for event in events_now(state):
                    drawn = _make_event(event, state, place, thing.name)
                    if drawn is not None:
                        yield InferredEvent(drawn, place, thing.tag)

    return GameTracking(infer_events, receiving_places, PLACE)


def _make_event(event: type[Event], state: GameState, place: int, card: str) -> Event | None:
    """Return the event of this card at this place; None if it is awaited elsewhere."""
    field = place_field(event)
    if not field and place != FIRST_PLACE:
        return None
    seat = {"seat": state.active} if "seat" in event.__struct_fields__ else {}
    return event(**seat, **({field: place} if field else {}), card=card)
