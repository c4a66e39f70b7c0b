"""The box check: has every enrolled tag of a deck passed a reader?

Laws: things may lie on any reader, in any order, many at once, or be passed over one of them; what
passed once counts, and what is of another box is named, also after it has gone. The check only
listens, takes in what lies there from before, and shows cards, never a tag.
"""

from collections import Counter
from collections.abc import Mapping
from typing import Self

import msgspec

from companion.core.cards import Box
from companion.core.deck import Deck, count_missing, list_pieces, name_piece
from companion.core.i18n import Message, message
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    Oddity,
    ReaderLost,
)
from companion.core.sweep import note_passed
from companion.host.health import BoxCheckProgress
from companion.setup.stickers import ODDITY_TEXTS, update_oddities

replace = msgspec.structs.replace


class BoxCheck(msgspec.Struct, frozen=True):
    """Pieces that have passed the readers, and strange ones lying there; in marks, never tags.

    `others` are the decks of other boxes by their titles, and `foreign` is what of them came past.
    """

    box: Box
    deck: Deck
    others: Mapping[str, Deck] = {}
    passed: tuple[str, ...] = ()
    strangers: Mapping[str, int] = {}
    odd: Mapping[int, Oddity] = {}
    foreign: Mapping[str, Message] = {}

    @property
    def missing(self) -> dict[str, int]:
        """The enrolled things that have not passed, with their number."""
        enrolled, pieces = Counter(self.deck.things.values()), self.deck.pieces
        holds = {thing: enrolled[thing] for thing in self.box.tagged_pieces()}
        return count_missing(holds, (pieces[mark] for mark in self.passed if mark in pieces))

    @property
    def never(self) -> dict[str, int]:
        """The things of the box that were never enrolled, with their number."""
        return count_missing(self.box.tagged_pieces(), self.deck.things.values())

    @property
    def problem(self) -> Message | None:
        """The newest thing that lies there and has to be put right first."""
        for mark, at in [*self.strangers.items()][::-1]:
            if mark in self.foreign:
                text = "On reader {place} lies {thing}: put it back into its box."
                return message(text, place=at, thing=self.foreign[mark])
            text = "An unknown sticker lies on reader {place}: it is on nothing of this deck."
            return message(text, place=at)
        for at, what in [*self.odd.items()][::-1]:
            return Message(ODDITY_TEXTS[what], {"place": at})
        return None

    def progress(self) -> BoxCheckProgress:
        """Return the progress of the check, for the host's pages. Foreign pieces are named; unknown
        stickers are counted only once every card of the box has one."""
        missing, total, besides = self.missing, len(self.deck.things), (*self.foreign.values(),)
        known = {*self.deck.pieces, *self.foreign}
        unknown = 0 if self.never else sum(mark not in known for mark in self.passed)
        if unknown:
            besides = (*besides, message("unknown stickers: {n}", n=unknown))
        says = message("Still missing: {things}.", things=list_pieces(missing))
        if not missing and besides:
            text = "All is there: {total} of {total}. Not of this box: {things}."
            says = message(text, total=total, things=list(besides))
        elif not missing:
            says = message("All is there: {total} of {total}.", total=total)
        return BoxCheckProgress(
            title=self.box.title,
            total=total,
            seen=total - sum(missing.values()),
            missing=tuple(list_pieces(missing)),
            never=tuple(list_pieces(self.never)),
            besides=besides,
            says=self.problem or says,
            odd=self.problem is not None,
            done=not missing,
        )

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the check after a sensor event; itself if that changes nothing."""
        match evidence:
            case Arrived():
                check = self._tag_arrived(evidence)
                return self if check == self else check
            case Left(tag=tag, place=place) | FellSilent(tag=tag, place=place):
                mark = self.deck.mark(tag)
                is_there = self.strangers.get(mark) == place
                there = {other: at for other, at in self.strangers.items() if other != mark}
                return replace(self, strangers=there) if is_there else self
            case Odd():
                return replace(self, odd=update_oddities(self.odd, evidence))
            case ReaderLost(place=place):
                there = {mark: at for mark, at in self.strangers.items() if at != place}
                return replace(self, strangers=there, odd=update_oddities(self.odd, evidence))
        return self

    def _tag_arrived(self, arrived: Arrived) -> Self:
        mark = self.deck.mark(arrived.tag)
        check = replace(self, passed=note_passed(self.passed, mark))
        if mark in self.deck.pieces:
            return check
        there = {other: at for other, at in self.strangers.items() if other != mark}
        foreign = self._name_foreign(arrived.tag)
        named = {} if foreign is None else {mark: foreign}
        return replace(
            check, strangers={**there, mark: arrived.place}, foreign={**self.foreign, **named}
        )

    def _name_foreign(self, tag: str) -> Message | None:
        """Return the name of a piece of another box; None if no deck knows its tag."""
        for title, other in self.others.items():
            piece = other[tag]
            if piece is not None:
                return message("{thing} of {title}", thing=name_piece(piece), title=title)
        return None
