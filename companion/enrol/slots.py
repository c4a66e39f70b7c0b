"""The slot on a card into which its sticker is to be glued: 1 to 4, as the jig counts them.

Laws: four cards of a kind in a row take the four slots once each, in an order of their own, so each
kind is spread evenly and no slot tells a card. The order follows from the deck's salt: it is the
same whenever this deck is asked, and another in every other deck.
"""

import hashlib
from collections.abc import Sequence

from companion.core.cards import FIGURE, TILE

SLOTS = (1, 2, 3, 4)


def suggest_slot(salt: str, thing: str, number: int) -> int | None:
    """Return the slot for the card that is the n-th of its kind, counted from 1; None for a tile or
    the figure, which have no slots."""
    if thing.startswith(TILE) or thing == FIGURE:
        return None
    group, place = divmod(number - 1, len(SLOTS))
    return _shuffle_slots(salt, f"{thing}|{group}")[place]


def _shuffle_slots(salt: str, name: str) -> Sequence[int]:
    """Return the slots in the order that this salt gives them under this name."""
    key = bytes.fromhex(salt)

    def rank(slot: int) -> bytes:
        return hashlib.blake2b(f"{name}|{slot}".encode(), key=key, digest_size=8).digest()

    return sorted(SLOTS, key=rank)
