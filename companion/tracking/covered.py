"""Covered cards on which a verdict rests, noted with the event that brings it.

Law: nothing of what is covered is written before the verdict for which it counts.
"""

import msgspec

from companion.core.events import Deciding, Event
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture, PiecesByTag
from companion.tracking.sweep import covered_now


def note_decided(
    rules: AnyRulebook,
    state: GameState | None,
    picture: Picture,
    pieces: PiecesByTag,
    event: Deciding,
) -> Event:
    """Return an event with the covered cards on which the verdict rests that it brings."""
    expected = rules.expected_cards(state)
    covered = tuple(
        (place, slot)
        for place, slots in _deciding_slots(rules, state, event).items()
        for slot in covered_now(picture, place, expected.get(place, ()), pieces)
        if slot in slots
    )
    return msgspec.structs.replace(event, covered=covered)


def _deciding_slots(
    rules: AnyRulebook, state: GameState | None, event: Event
) -> dict[int, set[int]]:
    """Return the cards on which the verdict rests that an event brings: the slots, by place."""
    found: dict[int, set[int]] = {}
    if state is None or rules.refuse(state, event) is not None:
        return found
    disputes = rules.dispute_rules.find_disputes(state, rules.apply(state, event), False)
    for ground in (one for dispute in disputes for one in dispute.grounds):
        if ground.card is not None:
            found.setdefault(ground.card[0], set()).add(ground.card[1])
    return found
