"""Corrections in Lantern Night: which lantern is lit, what everyone has."""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.table_events import Found
from examples.lantern_night.state import LanternNightState

PLACE = 1
"""The place, and the reader, of the lantern that is lit."""


def expected_cards(state: LanternNightState) -> dict[int, tuple[str | None, ...]]:
    """Return the lantern that is lit, until a player has won it."""
    return {PLACE: (state.lit,) if state.lit else ()}


def refuse_found(state: LanternNightState, event: Found) -> Refusal | None:
    """Refuse all but exactly one lantern that no player has, where one is lit."""
    if event.place != PLACE or not state.lit:
        text = "No card of this game lies at place {place} now."
        return refusal("no_such_place", "T.todo", text, place=event.place)
    if len(event.cards) == 1 and event.cards[0] in (state.lit, *state.unseen_lanterns()):
        return None
    text = "One card lies at place {place}, no more and no fewer."
    return refusal("one_card", "T.todo", text, place=PLACE)


def apply_found(state: LanternNightState, event: Found) -> LanternNightState:
    """Note that this is the lantern that is lit."""
    return msgspec.structs.replace(state, lit=str(event.cards[0]))


def count_holdings(state: LanternNightState) -> dict[str, dict[str, int]]:
    """Return everyone's coins and lanterns."""
    return {p.name: {"coins": p.coins, "count": len(p.lanterns)} for p in state.players}


def places_at_stake(state: LanternNightState) -> tuple[int, ...]:
    """Return the place of the lantern: no hand opens while it is in doubt."""
    return (PLACE,) if state.phase in ("seal", "open") else ()
