"""Replace one ruined sticker of an enrolled box: which sticker is new, and whose place it takes.

Laws: nothing is guessed from several new stickers, and a refusal changes nothing. The old mark
keeps its piece, so a sticker that was taken for ruined and answers after all is still its card;
therefore it does not matter which of several equal cards that lie nowhere gets the new sticker.
Whether it is granted depends on the new sticker alone, so it tells nothing of what lies face down.
"""

from collections.abc import Mapping, Sequence

from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.sensor_events import Arrived
from companion.setup.walk import is_sticker

RULE = "T.host"


def refuse_not_enrolled(title: str) -> Refusal:
    """Return the refusal of what needs a deck, at a box without one."""
    text = "{title} is not enrolled yet: no reader knows its cards."
    return refusal("not_enrolled", RULE, text, title=title)


def find_new_sticker(
    deck: Deck, lying: Sequence[Arrived], others: Mapping[str, Deck]
) -> Arrived | Refusal:
    """Return the only sticker that lies there and belongs to no box, or say what is wrong."""
    new = [one for one in lying if deck[one.tag] is None]
    if len(new) > 1:
        text = "Several new stickers lie on reader {numbers}: leave only the one that counts."
        return refusal("several_stickers", RULE, text, numbers=sorted({one.place for one in new}))
    if not lying:
        text = "No sticker is read: lay the card with its new sticker on a reader."
        return refusal("no_sticker", RULE, text)
    if not new:
        text = (
            "No new sticker lies on any reader, only such as belong to this box already: take one "
            "that was never used."
        )
        return refusal("no_new_sticker", RULE, text)
    (found,) = new
    for title, other in others.items():
        if other[found.tag] is not None:
            text = "The sticker on reader {place} belongs to {title}: take one that was never used."
            return refusal("other_box", RULE, text, place=found.place, title=title)
    if not is_sticker(found.tag):
        text = (
            "What lies on reader {place} is no sticker of the right kind: take one of the kind "
            "NTAG213, whose number has seven bytes."
        )
        return refusal("wrong_sticker", RULE, text, place=found.place)
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
