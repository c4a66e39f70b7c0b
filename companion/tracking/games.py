"""The tracking rules of each game, by its name. A new game is a line here."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, NamedTuple

from companion.core.events import Event
from companion.core.i18n import N_
from companion.games.bankueberfall import tracking as bankueberfall
from companion.games.banque_fatale import tracking as banque_fatale
from companion.games.banque_fatale.corrections import AUCTION, SALE
from companion.games.game_state import S
from companion.games.robby_solo import tracking as robby_solo
from companion.tracking.picture import Arrivals, InferredEvent

BANK, PLACE = N_("Bank {n}"), N_("Place {n}")


def _no_tiles(_state: object) -> dict[str, int]:
    """Count no tiles: most games have none."""
    return {}


def _means_nothing(_state: object, _place: int, _thing: str) -> Event | None:
    """Infer nothing: in most games a card lifted and put back changes nothing."""
    return None


class GameTracking(NamedTuple, Generic[S]):
    """The tracking rules of a game.

    `infer_events` says what new pieces mean, `receiving_places` where a card that comes is the
    one awaited, `place_name` what a place is called. In `lifting_phases` one card may rightly be
    lifted; in the phases of `moving_places` cards may move to these places. `count_turned_tiles`
    counts the tiles that lie face up, `infer_returned` says what a card put back means.
    """

    infer_events: Callable[[S, Arrivals], Iterable[InferredEvent]]
    receiving_places: Callable[[S], frozenset[int]]
    place_name: str
    lifting_phases: tuple[str, ...] = ()
    moving_places: Mapping[str, frozenset[int]] = {}
    count_turned_tiles: Callable[[S], dict[str, int]] = _no_tiles
    infer_returned: Callable[[S, int, str], Event | None] = _means_nothing


GAME_TRACKING: dict[str, GameTracking[Any]] = {
    "bankueberfall": GameTracking(
        bankueberfall.infer_events,
        bankueberfall.receiving_places,
        BANK,
        lifting_phases=("spy", "reveal"),
        count_turned_tiles=bankueberfall.count_turned_tiles,
        infer_returned=bankueberfall.infer_returned,
    ),
    "banque_fatale": GameTracking(
        banque_fatale.infer_events,
        banque_fatale.receiving_places,
        PLACE,
        lifting_phases=("choose",),
        moving_places={"choose": frozenset({AUCTION}), "sell": frozenset({SALE})},
    ),
    "robby_solo": GameTracking(robby_solo.infer_events, robby_solo.receiving_places, BANK),
}
