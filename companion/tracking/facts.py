"""Facts: what it means for the game that a tag lies where it lies.

Law: a fact is only proposed where the rules grant it; everything else stays a difference between
the cards and the log, for the table to settle.
"""

from collections.abc import Callable, Iterable
from typing import Any

from companion.games.banque_fatale.amends import AUCTION, SALE
from companion.games.rulebook import Rulebook
from companion.tracking import bankueberfall, banque_fatale, robby_solo
from companion.tracking.accounting import Expected
from companion.tracking.look import Fact, Look
from companion.tracking.picture import Picture, Things

FACTS: dict[str, Callable[[Any, Look], Iterable[Fact]]] = {
    "bankueberfall": bankueberfall.facts,
    "banque_fatale": banque_fatale.facts,
    "robby_solo": robby_solo.facts,
}

TAKING: dict[str, Callable[[Any], frozenset[int]]] = {
    "bankueberfall": bankueberfall.taking,
    "banque_fatale": banque_fatale.taking,
    "robby_solo": robby_solo.taking,
}

MOVING = {
    ("banque_fatale", "choose"): frozenset({AUCTION}),
    ("banque_fatale", "sell"): frozenset({SALE}),
}

TURNED = {"bankueberfall": bankueberfall.turned}

FIGURE_COUNTS = ("tile", "rob")
"""While a tile is turned the figure may come early; at any other time that it comes is moot."""


def next_fact(rules: Rulebook, state: Any, picture: Picture, things: Things) -> Fact | None:
    """The next fact that the picture shows, if there is one."""
    if state is None or state.phase == "over":
        return None
    for fact in FACTS[rules.box.game](state, Look(picture, things)):
        if rules.refuse(state, fact.event) is None:
            return fact
    return None


def handled(rules: Rulebook, state: Any, place: int, thing: str | None) -> Fact | None:
    """What it means that a card was lifted at a place and put back there."""
    if rules.box.game != "bankueberfall" or thing is None:
        return None
    event = bankueberfall.returned(state, place, thing)
    if event is None or rules.refuse(state, event) is not None:
        return None
    return Fact(event, place, "")


def expected(rules: Rulebook, state: Any) -> Expected:
    """What the rules expect of the table now."""
    taking = TAKING[rules.box.game](state)
    lies, turned = rules.lies(state), TURNED.get(rules.box.game, _none)(state)
    moving = MOVING.get((rules.box.game, state.phase), frozenset())
    return Expected(lies, taking, turned, state.phase in FIGURE_COUNTS, moving)


def _none(_state: Any) -> dict[str, int]:
    """In most games there are no tiles."""
    return {}
