"""A deck: the piece of a box that each tag is stuck to.

Laws: a deck that is kept knows no tag, only the *mark* that its own salt makes of it, so it can be
copied to another table and shows no UID. One mark is one piece; a piece may be in the box several
times. A mark that was replaced still names its piece, so that what was written with it stays true.
Pure: files are `deck_file`'s.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Annotated

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.i18n import Message, message

MARK_BYTES = 16
Mark = Annotated[str, msgspec.Meta(pattern=rf"\A[0-9a-f]{{{2 * MARK_BYTES}}}\Z")]
Name = Annotated[
    str, msgspec.Meta(max_length=60, pattern=r"\A[^\x00-\x1f\x7f-\x9f\u2028\u2029]*\Z")
]


class NewerMark(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The mark that came for an older one, and the game that had the older one on the table."""

    new: Mark
    game: Name = ""


class Deck(msgspec.Struct, frozen=True):
    """A thing for every mark: a card by its name, "tile spy", or "figure".

    `things` are the marks in use, `replaced` those before them. Without a salt, as at a simulated
    table, a tag is its own mark; such a deck is never kept.
    """

    things: Mapping[str, str]
    salt: str = ""
    replaced: Mapping[str, NewerMark] = {}

    def __getitem__(self, tag: str) -> str | None:
        return self.pieces.get(self.mark(tag))

    @property
    def pieces(self) -> Mapping[str, str]:
        """The thing of every mark, those that were replaced among them."""
        if not self.replaced:
            return self.things
        old = {mark: self.things[self.newest_mark(mark)] for mark in self.replaced}
        return {**old, **self.things}

    def newest_mark(self, mark: str) -> str:
        """Return the mark that has come for this one in the end."""
        while mark in self.replaced:
            mark = self.replaced[mark].new
        return mark

    def mark_in_game(self, mark: str, game: str) -> str:
        """Return the mark that replaced this one during the game, or the mark itself."""
        while mark in self.replaced and self.replaced[mark].game == game:
            mark = self.replaced[mark].new
        return mark

    def with_thing(self, mark: str, thing: str) -> "Deck":
        """Return the deck with one more thing."""
        replaced = {old: by for old, by in self.replaced.items() if old != mark}
        things = {**self.things, mark: thing}
        return msgspec.structs.replace(self, things=things, replaced=replaced)

    def with_replacement(self, old: str, new: str, game: str) -> "Deck":
        """Return the deck with a new mark in place of one in use."""
        things = {new if mark == old else mark: thing for mark, thing in self.things.items()}
        replaced = {**self.replaced, old: NewerMark(new, game)}
        return msgspec.structs.replace(self, things=things, replaced=replaced)

    def mark(self, tag: str) -> str:
        """Return the name that stands for a tag in this deck."""
        return _hash_tag(tag, self.salt) if self.salt else tag


@lru_cache(maxsize=1024)
def _hash_tag(tag: str, salt: str) -> str:
    key = bytes.fromhex(salt)
    return hashlib.blake2b(tag.encode(), key=key, digest_size=MARK_BYTES).hexdigest()


def count_missing(expected: Mapping[str, int], found_pieces: Iterable[str]) -> dict[str, int]:
    """Return the number of each expected piece that was not found, in the order of `expected`."""
    left = Counter(expected)
    left.subtract(Counter(found_pieces))
    return {thing: left[thing] for thing in expected if left[thing] > 0}


def name_piece(piece: str) -> Message:
    """Return a piece as it is called at the table."""
    if piece.startswith(TILE):
        return message("tile {tile}", tile=piece.removeprefix(TILE))
    if piece == FIGURE:
        return message("robber figure")
    is_sign = len(piece) < 3  # A number or a letter: bare, several of them look like a sum.
    return message("“{card}”", card=piece) if is_sign else message("{card}", card=piece)


def list_pieces(pieces: Mapping[str, int]) -> list[Message]:
    """Return pieces with their numbers: 2 × 5, thief."""
    return [
        message("{number} × {thing}", number=n, thing=name_piece(thing))
        if n > 1
        else name_piece(thing)
        for thing, n in pieces.items()
    ]
