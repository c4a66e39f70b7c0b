"""Cards that were noted under another name than the reader hears.

Laws: where as many cards answer new at a place as the game has there without a tag, they are those,
and one of the two names is wrong. Where a card is awaited, and the rules cannot have the one that
answers because all of its name are noted already, one of them that no reader heard was entered
wrong; a restart finds the same, though the card that answers came before it. Where that was is told
only while no card on the table lies face down.
"""

from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Arrivals, Picture, PiecesByTag, is_card


class MistakenCards(NamedTuple):
    """New tags at a place, and the other place at which a card of their name was entered, or 0."""

    tags: tuple[str, ...] = ()
    entered_at: int = 0


NONE_MISTAKEN = MistakenCards()


def find_mistaken(
    rules: AnyRulebook, state: GameState, picture: Picture, place: int, pieces: PiecesByTag
) -> MistakenCards:
    """Return the new tags of a place whose cards were noted under another name, here or there."""
    new = tuple(tag for tag in picture.new_tags(place) if is_card(pieces.get(tag)))
    if not new:
        return NONE_MISTAKEN
    cards = rules.expected_cards(state)
    is_noted = len(new) == _count_untagged(picture, place, cards[place], pieces)
    for tag in () if rules.face_down(state) else new:
        if is_noted or _is_refused(rules, state, picture, tag, pieces):
            name = pieces[tag]
            for other, lying in cards.items():
                if other != place and _count_untagged(picture, other, lying, pieces, name):
                    return MistakenCards((tag,), other)
    return MistakenCards(new) if is_noted else NONE_MISTAKEN


def _count_untagged(
    picture: Picture,
    place: int,
    cards: Sequence[str | None],
    pieces: PiecesByTag,
    name: str | None = None,
) -> int:
    """Return for how many of the cards at a place, or of those of a name, no tag stands."""
    homed = [pieces.get(tag) for tag in picture.home_tags(place)]
    if name is not None:
        return max(0, [*cards].count(name) - homed.count(name))
    return len(cards) - sum(map(is_card, homed))


def _is_refused(
    rules: AnyRulebook, state: GameState, picture: Picture, tag: str, pieces: PiecesByTag
) -> bool:
    """Return whether a card is awaited where it answers, and the rules refuse it all the same."""
    as_new = msgspec.structs.replace(picture, late=picture.late - {tag})
    implied = rules.tracking.infer_events(state, Arrivals(as_new, pieces))
    refused = [rules.refuse(state, fact.event) for fact in implied if fact.tag == tag]
    return bool(refused) and None not in refused
