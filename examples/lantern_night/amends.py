"""Lantern Night put right: which lantern is lit after all, and what everyone has."""

import msgspec

from companion.core.errors import Refusal, refusal
from companion.core.table_events import Found
from examples.lantern_night.state import LanternNightState

PLACE = 1
"""The place, and the reader, of the lantern that is lit."""


def expected_cards(state: LanternNightState) -> dict[int, tuple[str | None, ...]]:
    """The lantern that is lit, until somebody has won it."""
    return {PLACE: (state.lit,) if state.lit else ()}


def refuse_found(state: LanternNightState, event: Found) -> Refusal | None:
    """Where a lantern is lit, exactly one is, and nobody has it."""
    if event.place != PLACE or not state.lit:
        text = "No card of this game lies at place {place} now."
        return refusal("no_such_place", "T.todo", text, place=event.place)
    if len(event.cards) == 1 and event.cards[0] in (state.lit, *state.unseen_lanterns()):
        return None
    text = "One card lies at place {place}, no more and no fewer."
    return refusal("one_card", "T.todo", text, place=PLACE)


def apply_found(state: LanternNightState, event: Found) -> LanternNightState:
    """This is the lantern that is lit."""
    return msgspec.structs.replace(state, lit=str(event.cards[0]))


def count_holdings(state: LanternNightState) -> dict[str, dict[str, int]]:
    """Everyone's coins and lanterns."""
    return {p.name: {"coins": p.coins, "count": len(p.lanterns)} for p in state.players}


def places_at_stake(state: LanternNightState) -> tuple[int, ...]:
    """No hand opens while it is in doubt for which lantern."""
    return (PLACE,) if state.phase in ("seal", "open") else ()
