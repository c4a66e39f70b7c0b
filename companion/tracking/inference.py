"""Facts: what it means for the game that a tag lies where it lies.

Law: a fact is only proposed where the rules grant it; everything else stays a difference between
the cards and the log, for the table to settle.
"""

from typing import Any

from companion.games.rulebook import Rulebook
from companion.tracking.games import TRACKED
from companion.tracking.look import Fact, Look
from companion.tracking.matching import Expected
from companion.tracking.picture import Picture, Things

FIGURE_COUNTS = ("tile", "rob")
"""While a tile is turned the figure may come early; at any other time that it comes is moot."""


def next_fact(rules: Rulebook, state: Any, picture: Picture, things: Things) -> Fact | None:
    """The next fact that the picture shows, if there is one."""
    if state is None or state.phase == "over":
        return None
    for fact in TRACKED[rules.box.game].facts(state, Look(picture, things)):
        if rules.refuse(state, fact.event) is None:
            return fact
    return None


def handled(rules: Rulebook, state: Any, place: int, thing: str | None) -> Fact | None:
    """What it means that a card was lifted at a place and put back there."""
    if thing is None:
        return None
    event = TRACKED[rules.box.game].returned(state, place, thing)
    if event is None or rules.refuse(state, event) is not None:
        return None
    return Fact(event, place, "")


def expected(rules: Rulebook, state: Any) -> Expected:
    """What the rules expect of the table now."""
    game, phase = TRACKED[rules.box.game], state.phase
    return Expected(
        rules.expected_cards(state),
        game.taking(state),
        game.turned(state),
        phase in FIGURE_COUNTS,
        game.moving.get(phase, frozenset()),
    )
