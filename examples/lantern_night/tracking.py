"""Lantern Night on the readers: the first of them has the lantern that is lit."""

from collections.abc import Iterator

from companion.tracking.game_tracking import BANK, GameTracking
from companion.tracking.picture import Arrivals, InferredEvent
from examples.lantern_night.corrections import PLACE
from examples.lantern_night.state import LanternLit, LanternNightState


def infer_events(state: LanternNightState, look: Arrivals) -> Iterator[InferredEvent]:
    """Infer that a card that comes to the place is the next lantern; one that lay there is not."""
    for thing in look.cards_at(PLACE):
        if state.phase == "light" and not thing.late:
            yield InferredEvent(LanternLit(thing.name), PLACE, thing.tag)


def receiving_places(state: LanternNightState) -> frozenset[int]:
    """Return the place, while a lantern is to be lit."""
    return frozenset({PLACE}) if state.phase == "light" else frozenset()


TRACKING = GameTracking(infer_events, receiving_places, BANK)
