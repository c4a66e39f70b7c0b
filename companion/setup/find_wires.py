"""Which reader lies at which place: a card is laid on each place that is asked for.

Laws: one card lies on the table at a time, so nobody has to guess; what cannot be right is said at
once and teaches nothing. Any card will do, and which one it was is forgotten with the walk.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.deck import Deck
from companion.core.i18n import Say, say
from companion.core.sensor_events import Arrived, Evidence, Lamp, Left, Odd, ReaderLost
from companion.setup.steps import Found
from companion.setup.tour import Tour

TOGETHER = 1.0
"""Seconds: what arrives within them is one card between two readers, or came in one hand."""


class Lying(msgspec.Struct, frozen=True):
    """A card on the table: on which reader, since when."""

    reader: int
    since: float


class Banks(msgspec.Struct, frozen=True):
    """How far the walk round the places has come; `marks` knows no tag, only marks."""

    tour: Tour
    marks: Deck
    lying: Mapping[str, Lying] = {}
    odd: frozenset[int] = frozenset()
    latest: str = ""
    """The card that answered last."""
    trouble: bool = False
    says: Say | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each place that was found, and what its reader is called now."""
        return self.tour.answers

    @property
    def asks(self) -> Say:
        """What to do now."""
        if self.lying:
            return say("Take everything off the places.")
        if self.asked:
            return say("Lay any card with a sticker on place {place}.", place=self.asked)
        return say("That was the last place.")

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows: put something right; lay the card; take it off."""
        if self.trouble or self.odd:
            return "fast"
        return "on" if self.asked and not self.lying else "off"

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each place stands."""
        return self.tour.found()

    # What the readers tell.

    def begun(self, lying: Iterable[Evidence]) -> "Banks":
        """What lies there from before has to be taken off first."""
        walk = self
        for evidence in lying:
            if isinstance(evidence, Arrived):
                walk = walk._lay(evidence)
            elif isinstance(evidence, Odd):
                walk = walk._strange(evidence)
        return msgspec.structs.replace(walk, trouble=bool(walk.lying), says=None)

    def heard(self, evidence: Evidence) -> "Banks":
        """The walk after a piece of evidence."""
        match evidence:
            case Arrived():
                return self._arrived(evidence)
            case Left(place=reader, tag=tag):
                mark = self.marks.mark(tag)
                there = self.lying.get(mark)
                gone = there is not None and there.reader == reader
                return self._without({mark}) if gone else self
            case ReaderLost(place=reader):
                walk = self._without({m for m, card in self.lying.items() if card.reader == reader})
                text = "A reader no longer answers: look after its cable, or leave its place out."
                return walk._wrong(say(text))
            case Odd():
                return self._strange(evidence)
        return self

    def _arrived(self, arrived: Arrived) -> "Banks":
        mark, others = self.marks.mark(arrived.tag), self.lying
        walk = self._lay(arrived)
        if mark in others:
            return self if others[mark].reader == arrived.place else walk._between()
        if not others:
            return walk._alone(mark, arrived.place)
        if any(arrived.at - card.since < TOGETHER for card in others.values()):
            return walk._between()
        text = "Something lies on another place still: only one card may lie on the table."
        return walk._wrong(say(text))

    def _lay(self, arrived: Arrived) -> "Banks":
        card = Lying(arrived.place, arrived.at)
        lying = {**self.lying, self.marks.mark(arrived.tag): card}
        return msgspec.structs.replace(self, lying=lying)

    def _between(self) -> "Banks":
        """Nobody knows whose card that is: what was made of it is taken back."""
        walk = self
        if walk.latest and walk.latest in walk.lying:
            walk = msgspec.structs.replace(walk, tour=walk.tour.back(), latest="")
        text = (
            "Two readers hear a card at once: take everything off, then lay one card in the middle "
            "of its place."
        )
        return walk._wrong(say(text))

    def _alone(self, mark: str, reader: int) -> "Banks":
        """A card lies alone: at the place that is asked for, as far as anybody knows."""
        asked, known = self.asked, self.tour.whose(reader)
        if known:
            text = "The reader that hears this card is that of place {place}, which is known."
            return self._wrong(say(text, place=known))
        if not asked:
            return self
        says = say("Found: place {place}.", place=asked)
        return msgspec.structs.replace(
            self, tour=self.tour.told(reader), latest=mark, trouble=False, says=says
        )

    def _without(self, marks: Iterable[str]) -> "Banks":
        """Cards were taken off; an empty table is as good as new."""
        left = {mark: card for mark, card in self.lying.items() if mark not in marks}
        walk = msgspec.structs.replace(self, lying=left)
        if left or not self.lying:
            return walk
        says = None if self.trouble else self.says
        return msgspec.structs.replace(walk, trouble=False, says=says, latest="")

    def _strange(self, odd: Odd) -> "Banks":
        calm = self.odd - {odd.place}
        if odd.what == "nothing":
            walk = msgspec.structs.replace(self, odd=calm)
            return walk if calm or self.lying else msgspec.structs.replace(walk, trouble=False)
        walk = msgspec.structs.replace(self, odd=calm | {odd.place})
        if odd.what == "twin":
            return walk._between()
        text = "What lies there cannot be used here, as it is with telephones: take another card."
        return walk._wrong(say(text))

    def _wrong(self, says: Say) -> "Banks":
        return msgspec.structs.replace(self, trouble=True, says=says)

    # What a person decides.

    def skip(self) -> "Banks":
        """Leave this place out."""
        if not self.asked:
            return self
        says = say("Left out: place {place}.", place=self.asked)
        return msgspec.structs.replace(
            self, tour=self.tour.told(0), latest="", trouble=False, says=says
        )

    def undo(self) -> "Banks":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        place, _ = self.tour.steps[-1]
        says = say("Taken back: place {place}.", place=place)
        return msgspec.structs.replace(
            self, tour=self.tour.back(), latest="", trouble=False, says=says
        )
