"""What a game says of its tracking: what new pieces mean, and where they are awaited.

Law: this only proposes events. Each is still granted, or not, by the rule book.
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple

from companion.core.events import Event
from companion.core.i18n import N_, Message
from companion.core.sensor_events import PlaceMode
from companion.games.game_state import S
from companion.tracking.picture import EIGHTH_SPOT, Forgotten, InferredEvent, Picture

BANK, PLACE = N_("Bank {n}"), N_("Place {n}")


def _forgets_nothing(_state: object, _picture: Picture) -> Forgotten | None:
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

    `infer_events` says what new pieces mean, or one that was put back. `receiving_places` get a
    card in this phase, now or soon, a new one or one that is moved there. In `lifting_phases` one
    card may rightly be lifted to see which it is. `place_name` is what a place is called.

    `piles` are the places where cards are piled up: there they are tapped and laid beside the
    reader, unless chosen otherwise. `find_forgotten` says whose card was not tapped, when the table
    has gone on without it. `sweep_events` are those of a game whose places are swept.
    """

    infer_events: Callable[[S, Picture], Iterable[InferredEvent]]
    receiving_places: Callable[[S], frozenset[int]]
    place_name: str
    lifting_phases: tuple[str, ...] = ()
    piles: frozenset[int] = frozenset()
    find_forgotten: Callable[[S, Picture], Forgotten | None] = _forgets_nothing
    sweep_events: SweepEvents[S] | None = None

    def name_place(self, place: int) -> Message:
        """Return the name of a place."""
        return Message(self.place_name, {"n": place})


def tap_places(
    game: GameTracking[Any], chosen: Mapping[int, PlaceMode], one_reader: bool = False
) -> frozenset[int]:
    """Return the places at which a game's cards are tapped: its piles, unless chosen otherwise;
    everywhere, if one reader serves all places by turns."""
    if one_reader:
        return frozenset(range(1, EIGHTH_SPOT + 1))
    by_game: dict[int, PlaceMode] = dict.fromkeys(game.piles, "tap")
    return frozenset(place for place, mode in {**by_game, **chosen}.items() if mode == "tap")
