"""Find which reader lies at which place: a card is laid on each place that is asked for.

Laws: one card lies on the table at a time, so it is never a guess which reader hears it. What
cannot be right is said at once and teaches nothing. Any card will do, and only its mark is
remembered, for as long as the search lasts.
"""

from collections.abc import Iterable, Mapping
from typing import Self

import msgspec

from companion.core.deck import Deck
from companion.core.i18n import Message, message
from companion.core.sensor_events import Arrived, Evidence, FellSilent, Lamp, Left, Odd, ReaderLost
from companion.setup.wire_search import Tour, WireSearch

TOGETHER = 1.0
"""Seconds: what arrives within them is one card between two readers, or came in one hand."""


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table: on which reader, since when."""

    reader: int
    since: float


class ReaderSearch(WireSearch, frozen=True, kw_only=True):
    """The search for the readers of the places."""

    marks: Deck
    """Turns tags into marks, so that no tag is remembered."""
    lying: Mapping[str, LyingCard] = {}
    odd: frozenset[int] = frozenset()
    latest: str = ""
    """The mark of the card that answered last."""

    @property
    def instruction(self) -> Message:
        if self.lying:
            return message("Take everything off the places.")
        if self.asked:
            return message("Lay any card with a sticker on place {place}.", place=self.asked)
        return message("That was the last place.")

    def lamp(self, seat: int) -> Lamp:
        """Return what every lamp shows: put something right; lay the card; take it off."""
        if self.trouble or self.odd:
            return "fast"
        return "on" if self.asked and not self.lying else "off"

    def start_over_lying(self, lying: Iterable[Evidence]) -> Self:
        """Take in what lies there from before; it has to be taken off first."""
        search = self
        for evidence in lying:
            if isinstance(evidence, Arrived):
                search = search._with_card(evidence)
            elif isinstance(evidence, Odd):
                search = search._with_oddity(evidence)
        return msgspec.structs.replace(search, trouble=bool(search.lying), says=None)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the search after what a reader noticed."""
        match evidence:
            case Arrived():
                return self._card_arrived(evidence)
            case Left(place=reader, tag=tag) | FellSilent(place=reader, tag=tag):
                mark = self.marks.mark(tag)
                card = self.lying.get(mark)
                gone = card is not None and card.reader == reader
                return self._without_cards({mark}) if gone else self
            case ReaderLost(place=reader):
                lost = {mark for mark, card in self.lying.items() if card.reader == reader}
                text = "A reader no longer answers: look after its cable, or leave its place out."
                return self._without_cards(lost)._complain(message(text))
            case Odd():
                return self._with_oddity(evidence)
        return self

    def _card_arrived(self, arrived: Arrived) -> Self:
        mark, others = self.marks.mark(arrived.tag), self.lying
        search = self._with_card(arrived)
        if mark in others:
            return self if others[mark].reader == arrived.place else search._undo_ambiguous()
        if not others:
            return search._answer_with(mark, arrived.place)
        if any(arrived.at - card.since < TOGETHER for card in others.values()):
            return search._undo_ambiguous()
        text = "Something lies on another place still: only one card may lie on the table."
        return search._complain(message(text))

    def _with_card(self, arrived: Arrived) -> Self:
        card = LyingCard(arrived.place, arrived.at)
        lying = {**self.lying, self.marks.mark(arrived.tag): card}
        return msgspec.structs.replace(self, lying=lying)

    def _undo_ambiguous(self) -> Self:
        """Take back the answer of a card that two readers hear."""
        search = self
        if search.latest and search.latest in search.lying:
            tour = search.tour.without_last()
            search = msgspec.structs.replace(search, tour=tour, latest="")
        text = (
            "Two readers read a card at once: take everything off, then lay one card in the "
            "middle of its place."
        )
        return search._complain(message(text))

    def _answer_with(self, mark: str, reader: int) -> Self:
        """Answer with the reader of a card that lies alone, unless it is known already."""
        asked, known = self.asked, self.tour.number_answered(reader)
        if known:
            text = (
                "The reader that reads this card is the one of place {place}, which is known "
                "already."
            )
            return self._complain(message(text, place=known))
        if not asked:
            return self
        says = message("Found: place {place}.", place=asked)
        search = self._continue(self.tour.with_answer(reader), says)
        return msgspec.structs.replace(search, latest=mark)

    def _without_cards(self, marks: Iterable[str]) -> Self:
        """Remove cards; once the table is empty, nothing is wrong any more."""
        left = {mark: card for mark, card in self.lying.items() if mark not in marks}
        search = msgspec.structs.replace(self, lying=left)
        if left or not self.lying:
            return search
        says = None if self.trouble else self.says
        return msgspec.structs.replace(search, trouble=False, says=says, latest="")

    def _with_oddity(self, odd: Odd) -> Self:
        others = self.odd - {odd.place}
        if odd.what == "nothing":
            search = msgspec.structs.replace(self, odd=others)
            if others or self.lying:
                return search
            return msgspec.structs.replace(search, trouble=False)
        search = msgspec.structs.replace(self, odd=others | {odd.place})
        if odd.what == "twin":
            return search._undo_ambiguous()
        text = "What lies there cannot be used here, as it is with telephones: take another card."
        return search._complain(message(text))

    def _say_skipped(self, number: int) -> Message:
        return message("Left out: place {place}.", place=number)

    def _say_undone(self, number: int, answer: int) -> Message:
        return message("Taken back: place {place}.", place=number)

    def _continue(self, tour: Tour, says: Message) -> Self:
        return msgspec.structs.replace(self, tour=tour, latest="", trouble=False, says=says)
