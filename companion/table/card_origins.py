"""Origins of cards: which moment laid each card that lies at a place.

Law: cards are told apart by the moments that laid them, never by their names; so an undo or a
correction never tells that the card which now lies second is the same as the one before.
"""

from collections.abc import Mapping
from itertools import count

from companion.core.events import Deciding, Event
from companion.core.sweep import Revealing
from companion.core.table_events import Found
from companion.games.game_state import GameState
from companion.journal.line import NotedEvent
from companion.tracking.tracker import Tracker

Origin = tuple[int, int]
"""The number of a moment, and which of all the cards that it laid."""

Origins = Mapping[int, tuple[Origin, ...]]
"""The origin of every card, by place and in the order in which they lie."""


def update_origins(
    before: Origins, cards_by_place: Mapping[int, tuple[object, ...]], event: Event, at: int
) -> Origins:
    """Return the origins after an event: added cards come from moment `at`."""
    found, numbers = dict[int, tuple[Origin, ...]](), count()
    for place, cards in cards_by_place.items():
        anew = isinstance(event, Found) and event.place == place
        kept = () if anew else before.get(place, ())[: len(cards)]
        found[place] = (*kept, *((at, next(numbers)) for _ in cards[len(kept) :]))
    return found


def find_origin(origins: Origins, event: Event) -> Origin | None:
    """Return the origin of the card that an event names by bank and slot, or None."""
    slot = getattr(event, "slot", 0)
    cards = origins.get(getattr(event, "bank", 0), ()) if slot else ()
    return cards[slot - 1] if 1 <= slot <= len(cards) else None


def match_cards(before: Origins, after: Origins) -> dict[tuple[int, int], tuple[int, int]]:
    """Map place and slot of each card that still lies somewhere to where it lay before."""
    was = {origin: at for at, origin in _each_card(before)}
    return {at: was[origin] for at, origin in _each_card(after) if origin in was}


def find_cards(origins: Origins, at: int, origin: Origin | None) -> list[tuple[int, int]]:
    """Return place and slot of the cards that moment `at` laid, or of the one card `origin`."""
    return [spot for spot, found in _each_card(origins) if found == origin or found[0] == at]


def _each_card(origins: Origins) -> list[tuple[tuple[int, int], Origin]]:
    return [
        ((place, slot), origin)
        for place, cards in origins.items()
        for slot, origin in enumerate(cards, 1)
    ]


def note_known_cards(noted: NotedEvent, tracker: Tracker, state: GameState | None) -> NotedEvent:
    """Return an event with what the readers know of the cards that it reveals."""
    event = noted.event
    if isinstance(event, Revealing):
        return noted._replace(event=tracker.note_covered(event, state, noted.tags))
    if isinstance(event, Deciding):
        return noted._replace(event=tracker.note_decided(event, state))
    return noted
