"""The tiles and the figure that lie on the table as a game begins: left from the last one.

Laws: they are written with the start of a game, each as `tag@place`, so that a restart does not
take them for moves of this one. Cards are not among them: those that lie there may be dealt
already.
"""

from collections.abc import Iterable

import msgspec

from companion.tracking.picture import Picture, PiecesByTag, is_card


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
