"""Replace one ruined sticker of an enrolled box: which sticker is new, and whose place it takes.

Laws: nothing is guessed from several new stickers, and a refusal changes nothing. The old mark
keeps its piece, so a sticker that was taken for ruined and answers after all is still its card;
therefore it does not matter which of several equal cards that lie nowhere gets the new sticker.
Whether it is granted depends on the new sticker alone, so it tells nothing of what lies face down.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from companion.core.cards import Box
from companion.core.deck import Deck
from companion.core.errors import Refusal, refusal
from companion.core.sensor_events import Arrived
from companion.setup.walk import is_sticker

RULE = "T.host"


class ReplaceRequest(NamedTuple):
    """The piece whose sticker is ruined, and whether it lies at the place where the new one is."""

    piece: str
    at_place: bool = False


class TableNow(NamedTuple):
    """What lies on the readers, and where the running game has each mark; no game without an id."""

    lying: Sequence[Arrived]
    homes: Mapping[str, int]
    game: str = ""


class StickerChange(NamedTuple):
    """The deck with the new sticker, the two marks, and the place at which the new one lies.

    `in_game` if the running game had the old one on the table: then the new one takes its place.
    """

    deck: Deck
    old: str
    new: str
    place: int
    in_game: bool


def replace_sticker(
    request: ReplaceRequest, deck: Deck, box: Box, now: TableNow, others: Mapping[str, Deck]
) -> StickerChange | Refusal:
    """Give the one new sticker on the readers to the piece; `others` are other boxes by title."""
    if request.piece not in deck.things.values():
        text = "No {piece} is enrolled in {title}: choose a piece of this box."
        return refusal("no_such_piece", RULE, text, piece=request.piece, title=box.title)
    found = _find_new_sticker(deck, now.lying, others)
    if isinstance(found, Refusal):
        return found
    old, in_game = _choose_old_mark(request, deck, now, found.place)
    new = deck.mark(found.tag)
    is_certain = in_game or [*deck.things.values()].count(request.piece) == 1
    game = now.game if in_game else ""
    changed = deck.with_replacement(old, new, game, same_slot=is_certain)
    return StickerChange(changed, old, new, found.place, in_game)


def refuse_not_enrolled(title: str) -> Refusal:
    """Return the refusal of what needs a deck, at a box without one."""
    text = "{title} is not enrolled yet: no reader knows its cards."
    return refusal("not_enrolled", RULE, text, title=title)


def _find_new_sticker(
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


def _choose_old_mark(
    request: ReplaceRequest, deck: Deck, now: TableNow, place: int
) -> tuple[str, bool]:
    """Return the mark to be replaced, and whether the game has it on the table.

    Of several equal cards it is a silent one: one at this place if it is said to lie there, else
    one that lies nowhere. A piece that is there once is meant wherever it lies.
    """
    marks = [mark for mark, thing in deck.things.items() if thing == request.piece]
    heard = {deck.mark(one.tag) for one in now.lying}
    silent = [mark for mark in marks if mark not in heard]
    here = [mark for mark in silent if now.homes.get(mark) == place]
    nowhere = [mark for mark in silent if mark not in now.homes]
    if request.at_place and here:
        return here[-1], True
    if len(marks) == 1 and silent:
        return marks[0], marks[0] in now.homes
    return next(iter([*nowhere, *silent, *marks])), False
