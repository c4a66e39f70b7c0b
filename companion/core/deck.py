"""A deck: which thing of a box each tag is stuck to, and what of the box is still missing.

Laws: a deck that is kept knows no tag, only the *mark* that its own salt makes of it, so it can be
copied to another table and shows nobody's UID. One mark is one thing; a thing may be in the box
several times. Pure: files are `deck_file`'s.
"""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache

import msgspec

from companion.core.cards import FIGURE, TILE
from companion.core.i18n import Say, say

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
        """What stands for a tag in this deck."""
        return _mark(tag, self.salt) if self.salt else tag


@lru_cache(maxsize=1024)
def _mark(tag: str, salt: str) -> str:
    key = bytes.fromhex(salt)
    return hashlib.blake2b(tag.encode(), key=key, digest_size=MARK_BYTES).hexdigest()


def missing(holds: Mapping[str, int], found: Iterable[str]) -> dict[str, int]:
    """What of these things was not found, and how many of each, in their order."""
    left = Counter(holds)
    left.subtract(Counter(found))
    return {thing: left[thing] for thing in holds if left[thing] > 0}


def named(thing: str) -> Say:
    """A thing, as it is called at the table."""
    if thing.startswith(TILE):
        return say("tile {tile}", tile=thing.removeprefix(TILE))
    return say("robber figure") if thing == FIGURE else say("{card}", card=thing)


def counted(things: Mapping[str, int]) -> list[Say]:
    """Things with their numbers: 2 × 5, thief."""
    return [
        say("{number} × {thing}", number=n, thing=named(thing)) if n > 1 else named(thing)
        for thing, n in things.items()
    ]
