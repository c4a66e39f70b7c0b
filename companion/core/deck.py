"""A deck: the piece of a box that each tag is stuck to.

Laws: a deck that is kept knows no tag, only the *mark* that its own salt makes of it, so it can be
copied to another table and shows no UID. One mark is one piece; a piece may be in the box several
times. Pure: files are `deck_file`'s.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.i18n import Message, message

MARK_BYTES = 16


class Deck(msgspec.Struct, frozen=True):
    """A thing for every mark: a card by its name, "tile spy", or "figure".

    Without a salt, as at a simulated table, a tag is its own mark; such a deck is never kept.
    """

    things: Mapping[str, str]
    salt: str = ""

    def __getitem__(self, tag: str) -> str | None:
        return self.things.get(self.mark(tag))

    def mark(self, tag: str) -> str:
        """Return the name that stands for a tag in this deck."""
        return _hash_tag(tag, self.salt) if self.salt else tag


@lru_cache(maxsize=1024)
def _hash_tag(tag: str, salt: str) -> str:
    key = bytes.fromhex(salt)
    return hashlib.blake2b(tag.encode(), key=key, digest_size=MARK_BYTES).hexdigest()


def count_missing(expected: Mapping[str, int], found_pieces: Iterable[str]) -> dict[str, int]:
    """Return how many of each expected piece were not found, in the order of `expected`."""
    left = Counter(expected)
    left.subtract(Counter(found_pieces))
    return {thing: left[thing] for thing in expected if left[thing] > 0}


def name_piece(piece: str) -> Message:
    """Return a piece as it is called at the table."""
    if piece.startswith(TILE):
        return message("tile {tile}", tile=piece.removeprefix(TILE))
    return message("robber figure") if piece == FIGURE else message("{card}", card=piece)


def list_pieces(pieces: Mapping[str, int]) -> list[Message]:
    """Return pieces with their numbers: 2 × 5, thief."""
    return [
        message("{number} × {thing}", number=n, thing=name_piece(thing))
        if n > 1
        else name_piece(thing)
        for thing, n in pieces.items()
    ]
