"""Which reader lies at which place: a card is laid on each place that is asked for.

Laws: one card lies on the table at a time, so nobody has to guess; what cannot be right is said at
once and teaches nothing. Any card will do, and which one it was is forgotten with the walk.

A tour: one number after the other is asked for, and each is answered once, or left out.

Laws: no answer is given twice. Taking back restores exactly what was. What was left out stays open
for the next tour.

Which button is at which seat: the one that is asked for is pressed.

Law: a button is at one seat; one that is known already teaches nothing.

Which lamp is at which seat: one after the other shines, and somebody says where.

Laws: a seat has one lamp. One that stays dark is left to whoever solders, and is asked for again by
the next walk.
"""

from collections.abc import Iterable, Mapping

import msgspec

from companion.core.deck import Deck
from companion.core.i18n import Message, message
from companion.core.sensor_events import (
    Arrived,
    ButtonPressed,
    Evidence,
    Lamp,
    Left,
    Odd,
    ReaderLost,
)
from companion.setup.steps import Found


class Tour(msgspec.Struct, frozen=True):
    """The numbers to be asked for, and what was answered so far: (asked, answer), 0 for none."""

    numbers: tuple[int, ...]
    steps: tuple[tuple[int, int], ...] = ()

    @property
    def asked(self) -> int:
        """The number that is asked for now; 0 when the tour is over."""
        past = {asked for asked, _ in self.steps}
        return next((n for n in self.numbers if n not in past), 0)

    @property
    def answers(self) -> dict[int, int]:
        """The answer to each number that has one."""
        return {asked: answer for asked, answer in self.steps if answer}

    def whose(self, answer: int) -> int:
        """The number that was answered so; 0 for none."""
        return next((n for n, given in self.answers.items() if given == answer), 0)

    def told(self, answer: int) -> "Tour":
        """The tour after an answer; 0 leaves the number out."""
        return msgspec.structs.replace(self, steps=(*self.steps, (self.asked, answer)))

    def back(self) -> "Tour":
        """The tour without its last step."""
        return msgspec.structs.replace(self, steps=self.steps[:-1])

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each number stands."""
        past = dict(self.steps)
        how: dict[bool, Found] = {True: "found", False: "skipped"}
        return tuple((n, how[past[n] > 0] if n in past else "open") for n in self.numbers)


def toured(numbers: Iterable[int], known: Iterable[int]) -> Tour:
    """A tour on which some numbers have been found to be what they are called."""
    every = tuple(sorted(numbers))
    return Tour(every, tuple((n, n) for n in every if n in set(known)))


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
    says: Message | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each place that was found, and what its reader is called now."""
        return self.tour.answers

    @property
    def asks(self) -> Message:
        """What to do now."""
        if self.lying:
            return message("Take everything off the places.")
        if self.asked:
            return message("Lay any card with a sticker on place {place}.", place=self.asked)
        return message("That was the last place.")

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
                return walk._wrong(message(text))
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
        return walk._wrong(message(text))

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
        return walk._wrong(message(text))

    def _alone(self, mark: str, reader: int) -> "Banks":
        """A card lies alone: at the place that is asked for, as far as anybody knows."""
        asked, known = self.asked, self.tour.whose(reader)
        if known:
            text = "The reader that hears this card is that of place {place}, which is known."
            return self._wrong(message(text, place=known))
        if not asked:
            return self
        says = message("Found: place {place}.", place=asked)
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
        return walk._wrong(message(text))

    def _wrong(self, says: Message) -> "Banks":
        return msgspec.structs.replace(self, trouble=True, says=says)

    # What a person decides.

    def skip(self) -> "Banks":
        """Leave this place out."""
        if not self.asked:
            return self
        says = message("Left out: place {place}.", place=self.asked)
        return msgspec.structs.replace(
            self, tour=self.tour.told(0), latest="", trouble=False, says=says
        )

    def undo(self) -> "Banks":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        place, _ = self.tour.steps[-1]
        says = message("Taken back: place {place}.", place=place)
        return msgspec.structs.replace(
            self, tour=self.tour.back(), latest="", trouble=False, says=says
        )


class Buttons(msgspec.Struct, frozen=True):
    """How far the walk round the seats has come."""

    tour: Tour
    trouble: bool = False
    says: Message | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each seat whose button was found, and what that is called now."""
        return self.tour.answers

    @property
    def asks(self) -> Message:
        """What to do now."""
        if self.asked:
            return message("Press the button at seat {seat}.", seat=self.asked)
        return message("That was the last button.")

    def lamp(self, _seat: int) -> Lamp:
        """What every lamp shows: put something right; press; nothing more."""
        return "fast" if self.trouble else "on" if self.asked else "off"

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each seat stands."""
        return self.tour.found()

    def heard(self, evidence: Evidence) -> "Buttons":
        """The walk after a press; a long one counts as a short one."""
        if not isinstance(evidence, ButtonPressed) or not self.asked:
            return self
        known, asked = self.tour.whose(evidence.seat), self.asked
        if known:
            text = "That is the button of seat {seat}, which is known. If it is not, take it back."
            return self._wrong(message(text, seat=known))
        return self._told(evidence.seat, message("Found: the button of seat {seat}.", seat=asked))

    def skip(self) -> "Buttons":
        """Leave this button out."""
        if not self.asked:
            return self
        return self._told(0, message("Left out: the button of seat {seat}.", seat=self.asked))

    def undo(self) -> "Buttons":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        seat, _ = self.tour.steps[-1]
        says = message("Taken back: the button of seat {seat}.", seat=seat)
        return Buttons(self.tour.back(), says=says)

    def _told(self, button: int, says: Message) -> "Buttons":
        return Buttons(self.tour.told(button), says=says)

    def _wrong(self, says: Message) -> "Buttons":
        return msgspec.structs.replace(self, trouble=True, says=says)


class Lamps(msgspec.Struct, frozen=True):
    """How far the walk through the lamps has come: for each the seat at which it was seen."""

    tour: Tour
    trouble: bool = False
    says: Message | None = None

    @property
    def asked(self) -> int:
        return self.tour.asked

    @property
    def learnt(self) -> dict[int, int]:
        """Each seat whose lamp was seen, and what that is called now."""
        return {seat: lamp for lamp, seat in self.tour.answers.items()}

    @property
    def asks(self) -> Message:
        """What to do now."""
        if self.asked:
            return message("One lamp shines. Tap its seat, or press the button there.")
        return message("That was the last lamp.")

    def lamp(self, seat: int) -> Lamp:
        """What a lamp shows, by what it is called now: the one that is asked for shines."""
        return "on" if seat == self.asked else "off"

    def found(self) -> tuple[tuple[int, Found], ...]:
        """How each seat stands: without a lamp once every lamp has been asked for."""
        seen = self.learnt
        left: Found = "open" if self.asked else "skipped"
        return tuple((seat, "found" if seat in seen else left) for seat in self.tour.numbers)

    def heard(self, evidence: Evidence) -> "Lamps":
        """The walk after a press at the seat whose lamp shines."""
        return self.seen(evidence.seat) if isinstance(evidence, ButtonPressed) else self

    def seen(self, seat: int) -> "Lamps":
        """The lamp shines at this seat; at none, if that is 0."""
        if not self.asked:
            return self
        if seat == 0:
            text = "One lamp stays dark: look after its wire, and which way round it is."
            return Lamps(self.tour.told(0), trouble=True, says=message(text))
        if seat in self.learnt or seat not in self.tour.numbers:
            text = "Seat {seat} has its lamp already. If that is wrong, take it back."
            if seat not in self.tour.numbers:
                text = "Seat {seat} has no lamp in this wiring."
            return msgspec.structs.replace(self, trouble=True, says=message(text, seat=seat))
        return Lamps(self.tour.told(seat), says=message("Found: the lamp of seat {seat}.", seat=seat))

    def skip(self) -> "Lamps":
        """Leave this lamp out."""
        if not self.asked:
            return self
        return Lamps(self.tour.told(0), says=message("One lamp was left out."))

    def undo(self) -> "Lamps":
        """Take the last step back."""
        if not self.tour.steps:
            return self
        _, seat = self.tour.steps[-1]
        says = message("Taken back: the lamp of seat {seat}.", seat=seat) if seat else None
        return Lamps(self.tour.back(), says=says or message("Taken back: the dark lamp."))
