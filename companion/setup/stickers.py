"""Stickers: their kind, their slot on a card, oddities of one on a reader, and the new one for a
ruined one.

Laws: nothing is guessed from several new stickers, and a refusal changes nothing. The old mark
keeps its piece, so a sticker that was taken for ruined and answers after all is still its card;
therefore it does not matter which of several equal cards that lie nowhere gets the new sticker.
Whether it is granted depends on the new sticker alone, so it tells nothing of what lies face down.
"""

import hashlib
from collections.abc import Mapping, Sequence

from companion.core.cards import FIGURE, TILE
from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.i18n import N_
from companion.core.sensor_events import Arrived, Odd, Oddity, ReaderLost

RULE = "T.host"
STICKER_PREFIX, STICKER_BYTES = "04", 7
"""First byte and length of the UIDs of the stickers that the table is built for."""
SLOTS = (1, 2, 3, 4)

WRONG_KIND = N_("The sticker on reader {place} cannot be used: take one of the kind NTAG213.")
ODDITY_TEXTS: Mapping[Oddity, str] = {
    "telephone": N_(
        "Something on reader {place} has a new number every time, as telephones and some bank "
        "cards do: take it away."
    ),
    "unreadable": N_(
        "What lies on reader {place} answers and cannot be read: lay it in the middle; if that "
        "does not help, put a new sticker on it."
    ),
    "twin": N_(
        "Reader {place} reads the same number as another reader: if one card lies between them, "
        "move it; if there are two cards, their stickers are twins, and one needs a new sticker."
    ),
}


def is_sticker(tag: str) -> bool:
    """Return whether a UID is that of a sticker of the right kind."""
    return len(tag) == 2 * STICKER_BYTES and tag.startswith(STICKER_PREFIX)


def update_oddities(odd: Mapping[int, Oddity], report: Odd | ReaderLost) -> dict[int, Oddity]:
    """Return the oddities by reader after one more report."""
    others = {place: what for place, what in odd.items() if place != report.place}
    if isinstance(report, Odd) and report.what != "nothing":
        others[report.place] = report.what
    return others


def suggest_slot(salt: str, thing: str, number: int) -> int | None:
    """Return the slot for the card that is the n-th of its kind, counted from 1; None for a tile or
    the figure, which have no slots.

    Four cards of a kind in a row take the four slots once each, in an order that follows from the
    salt of the deck, so no slot tells a card.
    """
    if thing.startswith(TILE) or thing == FIGURE:
        return None
    group, place = divmod(number - 1, len(SLOTS))
    key, name = bytes.fromhex(salt), f"{thing}|{group}"

    def rank(slot: int) -> bytes:
        return hashlib.blake2b(f"{name}|{slot}".encode(), key=key, digest_size=8).digest()

    return sorted(SLOTS, key=rank)[place]


# A ruined one.


def refuse_not_enrolled(title: str) -> Refusal:
    """Return the refusal of an action that needs a deck, at a box without one."""
    text = "{title} is not enrolled yet: no reader knows its cards."
    return refusal("not_enrolled", RULE, text, title=title)


def find_new_sticker(
    deck: Deck, lying: Sequence[Arrived], others: Mapping[str, Deck]
) -> Arrived | Refusal:
    """Return the only sticker there that belongs to no box, or a refusal."""
    new = [one for one in lying if deck[one.tag] is None]
    if len(new) > 1:
        text = "Several new stickers lie on reader {numbers}: leave only the one that counts."
        return refusal("several_stickers", RULE, text, numbers=sorted({one.place for one in new}))
    if not new:
        text = "No new sticker is read: lay the card, with one never used before, on a reader."
        return refusal("no_new_sticker", RULE, text)
    (found,) = new
    for title, other in others.items():
        if other[found.tag] is not None:
            text = "The sticker on reader {place} belongs to {title}: take one that was never used."
            return refusal("other_box", RULE, text, place=found.place, title=title)
    if not is_sticker(found.tag):
        return refusal("wrong_sticker", RULE, WRONG_KIND, place=found.place)
    return found


def choose_old_mark(
    deck: Deck, piece: str, lying: Sequence[Arrived], homes: Mapping[str, int], place: int | None
) -> tuple[str, bool]:
    """Return the mark of a piece that is to be replaced, and whether the game has it on the table.

    Of several equal cards it is a silent one: one at this place if it is said to lie there, else
    one that lies nowhere. A piece that is there once is meant wherever it lies.
    """
    marks = [mark for mark, thing in deck.things.items() if thing == piece]
    heard = {deck.mark(one.tag) for one in lying}
    silent = [mark for mark in marks if mark not in heard]
    here = [mark for mark in silent if place is not None and homes.get(mark) == place]
    nowhere = [mark for mark in silent if mark not in homes]
    if here:
        return here[-1], True
    if len(marks) == 1 and silent:
        return marks[0], marks[0] in homes
    return next(iter([*nowhere, *silent, *marks])), False
