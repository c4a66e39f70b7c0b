"""The tracking of a game: the meaning of new pieces, and the places where they are awaited.

Law: this only proposes events. Each is still granted, or not, by the rule book.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Generic, NamedTuple

from companion.core.events import Event
from companion.core.i18n import N_, Message
from companion.core.sensor_events import PlaceMode
from companion.games.game_state import GameState, S
from companion.tracking.picture import EIGHTH_SPOT, InferredEvent, Picture

BANK = N_("Bank {bank}")
FIRST_PLACE = 1
PLACE_FIELDS = ("place", "bank")


class SweepEvents(NamedTuple, Generic[S]):
    """The events of the sweep under way: a card shown, and the pile believed as noted."""

    show_card: Callable[[S, str], Event]
    believe_pile: Callable[[S], Event]


class GameTracking(NamedTuple, Generic[S]):
    """The tracking rules of a game.

    `infer_events` returns the events of new pieces, or of one that was put back. `receiving_places`
    get a card in this phase, now or soon, a new one or one that is moved there. In `lifting_phases`
    one card may rightly be lifted to see which it is; without any, all cards lie open: everyone
    sees which they are. `name_place` says what a place is called, in the game with this public part
    or in none.

    `piles` are the places where cards are piled up: there they are tapped and laid beside the
    reader, unless chosen otherwise. `find_forgotten` names the place whose card was not tapped when
    the table has gone on without it; 0 if only whoever is at turn knows it. `sweep_events` are
    those of a game whose places are swept.
    """

    infer_events: Callable[[S, Picture], Iterable[InferredEvent]]
    receiving_places: Callable[[S], frozenset[int]]
    name_place: Callable[[Any, int], Message]
    lifting_phases: tuple[str, ...] = ()
    piles: frozenset[int] = frozenset()
    find_forgotten: Callable[[S, Picture], int | None] | None = None
    sweep_events: SweepEvents[S] | None = None


def tap_places(
    game: GameTracking[Any], chosen: Mapping[int, PlaceMode], one_reader: bool = False
) -> frozenset[int]:
    """Return the places to tap a game's cards at: its piles, unless chosen otherwise; everywhere,
    if one reader serves all places by turns."""
    if one_reader:
        return frozenset(range(1, EIGHTH_SPOT + 1))
    by_game: dict[int, PlaceMode] = dict.fromkeys(game.piles, "tap")
    return frozenset(place for place, mode in {**by_game, **chosen}.items() if mode == "tap")


# A game that says nothing of it: a card that comes is the one that is awaited.


def draws_card(event: type[Event]) -> bool:
    """Return whether such an event is a card that comes to a place."""
    return event.with_pieces and "card" in event.__struct_fields__


def name_by_number(_public: object, place: int) -> Message:
    """Return a name of a place."""
    return Message(N_("Place {place}"), {"place": place})


def track_drawn_cards(rows: Iterable[Any]) -> GameTracking[Any]:
    """Return the tracking that follows from a phase table: from its rows whose events are made
    `with_pieces` and name a `card`. One without a `place` or a `bank` of its own is awaited at the
    first place."""
    drawing = [row for row in rows if draws_card(row.event)]

    def events_at(state: GameState, place: int) -> Iterator[tuple[type[Event], dict[str, int]]]:
        for event in (row.event for row in drawing if row.phase == state.phase):
            fields = {name: place for name in PLACE_FIELDS if name in event.__struct_fields__}
            if fields or place == FIRST_PLACE:
                yield event, fields

    def receiving_places(state: GameState) -> frozenset[int]:
        return frozenset(n for n in range(1, EIGHTH_SPOT + 1) if any(events_at(state, n)))

    def infer_events(state: GameState, picture: Picture) -> Iterator[InferredEvent]:
        for place in sorted(receiving_places(state)):
            for thing in picture.new_cards(place):
                for event, fields in events_at(state, place):
                    seat = {"seat": state.active} if "seat" in event.__struct_fields__ else {}
                    drawn = event(**seat, **fields, card=thing.name)
                    yield InferredEvent(drawn, place, thing.tag)

    return GameTracking(infer_events, receiving_places, name_by_number)
