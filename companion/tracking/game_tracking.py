"""What a game says of its tracking: what new pieces mean, and where they are awaited.

Law: this only proposes events. Each is still granted, or not, by the rule book.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple

from companion.core.events import Event
from companion.core.i18n import N_, Message
from companion.core.sensor_events import PlaceMode
from companion.games.game_state import S
from companion.tracking.picture import EIGHTH_SPOT, Arrivals, Forgotten, InferredEvent

BANK, PLACE = N_("Bank {n}"), N_("Place {n}")


def _infer_nothing(_state: object, _look: Arrivals) -> tuple[InferredEvent, ...]:
    """Infer nothing: what lies there was said by people."""
    return ()


def _no_places(_state: object) -> frozenset[int]:
    """Await no card anywhere."""
    return frozenset()


def _no_tiles(_state: object) -> dict[str, int]:
    """Count no tiles: most games have none."""
    return {}


def _means_nothing(_state: object, _place: int, _thing: str) -> Event | None:
    """Infer nothing: in most games a card lifted and put back changes nothing."""
    return None


def _forgets_nothing(_state: object, _look: Arrivals) -> Forgotten | None:
    """Find no forgotten card: most places notice by themselves what lies there."""
    return None


class SweepEvents(NamedTuple, Generic[S]):
    """The events of a sweep: a card shown at a place, and the pile there believed as noted.

    Where the cards `lie_open`, everyone sees which they are: what no reader under the pile doubts
    is believed at once, also where a reader lies beside it or none listens.
    """

    show_card: Callable[[S, int, str], Event]
    believe_pile: Callable[[S, int], Event]
    lie_open: bool = False


class GameTracking(NamedTuple, Generic[S]):
    """The tracking rules of a game.

    `infer_events` says what new pieces mean, `receiving_places` where a card that comes is the
    one awaited, `place_name` what a place is called. In `lifting_phases` one card may rightly be
    lifted, in `looking_phases` those of a pile, to see which they are; in the phases of
    `moving_places` cards may move to these places. `count_turned_tiles` counts the tiles that lie
    face up, `infer_returned` says what a card put back means.

    `piles` are the places where cards are piled up: there they are tapped and laid beside the
    reader, unless chosen otherwise. `awaited_places` are where a tap may be of use now or soon;
    `find_forgotten` says whose card was not tapped, when the table has gone on without it.
    `sweep_events` are those of a game whose places are swept. Where `cards_return`, a card that was
    taken off may be laid again: it goes back under the deck.
    """

    infer_events: Callable[[S, Arrivals], Iterable[InferredEvent]] = _infer_nothing
    receiving_places: Callable[[S], frozenset[int]] = _no_places
    place_name: str = PLACE
    lifting_phases: tuple[str, ...] = ()
    moving_places: Mapping[str, frozenset[int]] = {}
    count_turned_tiles: Callable[[S], dict[str, int]] = _no_tiles
    infer_returned: Callable[[S, int, str], Event | None] = _means_nothing
    piles: frozenset[int] = frozenset()
    awaited_places: Callable[[S], frozenset[int]] | None = None
    find_forgotten: Callable[[S, Arrivals], Forgotten | None] = _forgets_nothing
    sweep_events: SweepEvents[S] | None = None
    cards_return: bool = False
    looking_phases: tuple[str, ...] = ()

    def name_place(self, place: int) -> Message:
        """Return what a place is called."""
        return Message(self.place_name, {"n": place})

    def awaited(self, state: S | None) -> frozenset[int]:
        """Return where a tap means something: everywhere before a game."""
        if state is None:
            return self.piles
        awaited = (self.awaited_places or self.receiving_places)(state)
        return awaited | self.moving_places.get(state.phase, frozenset())


def tap_places(
    game: GameTracking[Any], chosen: Mapping[int, PlaceMode], one_reader: bool = False
) -> frozenset[int]:
    """Return where the cards of a game are tapped: its piles, unless chosen otherwise; everywhere,
    if one reader serves all places by turns."""
    if one_reader:
        return frozenset(range(1, EIGHTH_SPOT + 1))
    by_game: dict[int, PlaceMode] = dict.fromkeys(game.piles, "tap")
    return frozenset(place for place, mode in {**by_game, **chosen}.items() if mode == "tap")
