"""Tracking: from what the readers saw to what happened in the game.

Law: this is the one place where evidence becomes fact, and it is pure: a piece of evidence, the
cards the tags belong to and the game as it stands give one event, or none where the evidence
says nothing about the game. Whether the event may happen is for the rules to say.
"""

from collections.abc import Callable
from typing import Any

from companion.deck import FIGURE, TILE, Deck
from companion.events import Event
from companion.evidence import Arrived
from companion.games.bankueberfall import state as bankueberfall

EIGHTH_SPOT = 8


def fact(game: str, state: Any, arrived: Arrived, deck: Deck) -> Event | None:
    """What it means for the game that this tag came to lie there."""
    thing = deck[arrived.tag]
    if thing is None or state is None or game not in READINGS:
        return None
    return READINGS[game](state, arrived.place, thing)


def _bankueberfall(state: bankueberfall.State, place: int, thing: str) -> Event | None:
    if thing.startswith(TILE):
        turned = place == EIGHTH_SPOT
        return bankueberfall.TileTurned(state.active, thing.removeprefix(TILE)) if turned else None
    if not 1 <= place <= len(state.banks):
        return None
    if thing == FIGURE:
        return bankueberfall.BankChosen(state.active, place)
    return _card_at_bank(state, place, thing)


def _card_at_bank(state: bankueberfall.State, place: int, card: str) -> Event | None:
    """A card came to a bank, or came back to it."""
    match state.phase:
        case "place":
            return bankueberfall.CardPlaced(state.active, place, card)
        case "refill":
            return bankueberfall.BankRefilled(place, card)
        case "spy":
            slot = _slot(state, place, card)
            return bankueberfall.CardSpied(state.active, place, slot) if slot else None
        case "reveal":
            slot = _slot(state, place, card)
            return bankueberfall.CardRevealed(state.active, place, slot) if slot else None
    slot = _slot(state, place, None)
    return bankueberfall.CardNamed(place, slot, card) if slot else None


def _slot(state: bankueberfall.State, place: int, card: str | None) -> int:
    """The first face-down card of this name at the bank, or, for None, the first card that nobody
    has named, which may be turned up already; 0 if there is none."""
    for slot, lying in enumerate(state.banks[place - 1], 1):
        if lying.card == card and (card is None or not lying.up):
            return slot
    return 0


READINGS: dict[str, Callable[[Any, int, str], Event | None]] = {"bankueberfall": _bankueberfall}
