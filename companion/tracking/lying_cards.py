"""What lies on the table, as far as it can tell: for people, for a new game, and for a verdict.

Laws: where a reader counts, its cards are those that it hears, and the covered ones; where none
does, those that the game has there, but for those that answered elsewhere. Tiles and figure that
lie there as a game begins are written with its start, each as `tag@place`, so that a restart does
not take them for moves; cards are not among them, as those that lie there may be dealt already.
Covered cards on which a verdict rests are noted with the event that brings it, and nothing of them
is written before.
"""

from collections.abc import Iterable, Sequence

import msgspec

from companion.core.events import Deciding, Event
from companion.games.disputes import find_disputes
from companion.games.game_state import GameState
from companion.games.rulebook import AnyRulebook
from companion.tracking.picture import Picture, PiecesByTag, is_card
from companion.tracking.sweep import covered_now

CardsAndTags = tuple[tuple[str | None, ...], tuple[str, ...]]
"""Cards, None for one without a name, and the tags that are known of them."""


def list_cards(
    picture: Picture, place: int, expected: Sequence[str | None], pieces: PiecesByTag
) -> CardsAndTags:
    """Return the cards at a place, those that the game knows there first, and their tags."""
    if not picture.is_heard(place):
        return _list_unheard(picture, place, expected, pieces)
    tags = _find_believed(picture, place, pieces)
    names = [pieces.get(tag) for tag in tags]
    first = list[str | None]()
    for card in expected:
        if card is not None and card in names:
            names.remove(card)
            first.append(card)
    return (*first, *names), tuple(tags)


def _find_believed(picture: Picture, place: int, pieces: PiecesByTag) -> list[str]:
    """Return the tags of the cards that lie at a place, the covered ones among them."""
    here = picture.lying.get(place, ())
    homed = [tag for tag in picture.home_tags(place) if tag in here or picture.is_covered(tag)]
    cards = (tag for tag in dict.fromkeys((*homed, *here)) if _may_be_card(pieces.get(tag)))
    return [tag for tag in cards if tag not in picture.double]


def _list_unheard(
    picture: Picture, place: int, expected: Sequence[str | None], pieces: PiecesByTag
) -> CardsAndTags:
    """Return what the game has at a place without a reader, less what was seen elsewhere."""
    cards, homed = list(expected), picture.home_tags(place)
    gone = [tag for tag in homed if picture.place_of(tag) not in (0, place)]
    for tag in gone:
        name = pieces.get(tag)
        cards.remove(name if name in cards else None)
    return tuple(cards), tuple(tag for tag in homed if tag not in gone)


def _may_be_card(piece: str | None) -> bool:
    return piece is None or is_card(piece)


def write_left_pieces(picture: Picture, pieces: PiecesByTag) -> tuple[str, ...]:
    """Return the tiles and the figure on the readers, each as `tag@place`."""
    return tuple(
        f"{tag}@{place}"
        for place, tags in picture.lying.items()
        for tag in tags
        if tag in pieces and not is_card(pieces[tag])
    )


def ignore_left_pieces(picture: Picture, texts: Iterable[str]) -> Picture:
    """Return the picture in which these pieces mean nothing where they lie until touched."""
    left = dict[str, int]()
    for text in texts:
        tag, _, place = text.partition("@")
        left |= {tag: int(place)} if place.isdecimal() else {}
    return msgspec.structs.replace(picture, spent={**picture.spent, **left})


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
    disputes = find_disputes(rules.disputes, state, rules.apply(state, event), False)
    for ground in (one for dispute in disputes for one in dispute.grounds):
        if ground.card is not None:
            found.setdefault(ground.card[0], set()).add(ground.card[1])
    return found
