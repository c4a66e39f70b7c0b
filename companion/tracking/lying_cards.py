"""The cards that lie at a place, as far as the table can tell: what people are shown to correct.

Laws: where a reader counts, its cards are those that it hears, and the covered ones; where none
does, those that the game has there, but for those that answered elsewhere.
"""

from collections.abc import Sequence

from companion.tracking.picture import Picture, PiecesByTag, is_card

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
