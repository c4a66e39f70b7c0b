"""Infer the next event of the game from the tags on the table.

Law: an event is only proposed where the rules grant it; everything else stays a mismatch between
the cards and the log, for the table to settle.
"""

from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.arrivals import Arrivals, InferredEvent
from companion.tracking.games import GAME_TRACKING
from companion.tracking.matching import ExpectedTable
from companion.tracking.picture import Picture, PiecesByTag

FIGURE_COUNTS = ("tile", "rob")
"""While a tile is turned the figure may come early; at any other time that it comes is moot."""


def infer_next_event(
    rules: AnyRulebook, state: GameState | None, picture: Picture, pieces: PiecesByTag
) -> InferredEvent | None:
    """Return the first event that the picture implies and the rules grant."""
    if state is None or state.phase == "over":
        return None
    for fact in GAME_TRACKING[rules.box.game].infer_events(state, Arrivals(picture, pieces)):
        if rules.refuse(state, fact.event) is None:
            return fact
    return None


def infer_handled(
    rules: AnyRulebook, state: GameState, place: int, piece: str | None
) -> InferredEvent | None:
    """Return what a card lifted and put back at a place implies, if the rules grant it."""
    if piece is None:
        return None
    event = GAME_TRACKING[rules.box.game].infer_returned(state, place, piece)
    if event is None or rules.refuse(state, event) is not None:
        return None
    return InferredEvent(event, place, "")


def expected_table(rules: AnyRulebook, state: GameState) -> ExpectedTable:
    """Return what the rules expect to lie on the table now."""
    game, phase = GAME_TRACKING[rules.box.game], state.phase
    return ExpectedTable(
        rules.expected_cards(state),
        game.receiving_places(state),
        game.count_turned_tiles(state),
        phase in FIGURE_COUNTS,
        game.moving_places.get(phase, frozenset()),
    )
