"""Find which wire leads where: the readers of the places, the buttons and the lamps of the seats.

Laws: a reader, a button or a lamp that is known already teaches nothing. Any card will do for a
reader. A lamp that stays dark is left out.
"""

from collections.abc import Iterable, Mapping
from typing import ClassVar, Self, TypeVar

import msgspec

from companion.core.deck import Deck
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import ButtonPressed, Evidence, Lamp, Odd, Oddity
from companion.setup.lone_card import CardWalk
from companion.setup.walk import FindState, Walk

replace = msgspec.structs.replace
WireWalk = Walk[int, int]
UNUSABLE = N_("What lies there cannot be used here, as it is with telephones: take another card.")
W = TypeVar("W", bound=WireWalk)


def remember_found(walk: W, known: Iterable[int]) -> W:
    """Return the walk on which these numbers have already answered with themselves."""
    for number in sorted({*walk.wanted} & {*known}):
        walk = walk.take_step(replace(walk, found={**walk.found, number: number}), None)
    return walk


def learnt_wires(walk: WireWalk) -> dict[int, int]:
    """Return, by place or seat that was found, what its wire is called now."""
    if isinstance(walk, LampWalk):
        return {**walk.found}
    return {asked: answer for answer, asked in walk.found.items()}


class ReaderWalk(CardWalk[int, int], frozen=True, kw_only=True):
    """The search for the readers of the places: a card is laid on each place."""

    marks: Deck

    came_together: ClassVar[str] = N_(
        "Two readers read a card at once: take everything off, then lay one card in the middle of "
        "its place."
    )
    lies_still: ClassVar[str] = N_(
        "Something lies on another place still: only one card may lie on the table."
    )
    reader_lost: ClassVar[str] = N_(
        "A reader no longer answers: look after its cable, or leave its place out."
    )
    oddities: ClassVar[Mapping[Oddity, str]] = {
        "telephone": UNUSABLE,
        "unreadable": UNUSABLE,
        "twin": came_together,
    }

    @property
    def asked_name(self) -> Message:
        return message("place {place}", place=self.asked)

    @property
    def instruction(self) -> Message:
        if self.lying:
            return message("Take everything off the places.")
        if self.asked is not None:
            return message("Lay any card with a sticker on place {place}.", place=self.asked)
        return message("That was the last place.")

    def mark(self, tag: str) -> str:
        return self.marks.mark(tag)

    def lamp(self, seat: int) -> Lamp:
        """Return what every lamp shows: put something right; lay the card; take it off."""
        return "off" if self.lying and not self.in_trouble else super().lamp(seat)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after what a reader noticed; twins take the last answer back."""
        walk = super().take_evidence(evidence)
        if isinstance(evidence, Odd) and evidence.what == "twin" and walk.latest in walk.lying:
            return walk.refuse_all(self.came_together, takes_back=True)
        return walk

    def hear_twice(self, mark: str, _reader: int) -> Self:
        """Take back the answer of a card that two readers hear."""
        return self.refuse_all(self.came_together, takes_back=mark == self.latest)

    def take_answer(self, mark: str) -> Self:
        """Answer with the reader of a card that lies alone, unless it is known already."""
        reader, asked = self.lying[mark].reader, self.asked
        if reader in self.found:
            text = (
                "The reader that reads this card is the one of place {place}, which is known "
                "already."
            )
            return self.complain(message(text, place=self.found[reader]))
        if asked is None:
            return self
        found = replace(self, found={**self.found, reader: asked}, latest=mark)
        return self.take_step(found, message("Found: {thing}.", thing=self.asked_name))


class ButtonWalk(WireWalk, frozen=True, kw_only=True):
    """The search for the buttons: the one that is asked for is pressed."""

    @property
    def asked_name(self) -> Message:
        return message("the button of seat {seat}", seat=self.asked)

    @property
    def instruction(self) -> Message:
        if self.asked is not None:
            return message("Press the button at seat {seat}.", seat=self.asked)
        return message("That was the last button.")

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after a press; a long one counts as a short one."""
        if not isinstance(evidence, ButtonPressed) or self.asked is None:
            return self
        if evidence.seat in self.found:
            text = "That is the button of seat {seat}, which is known. If it is not, take it back."
            return self.complain(message(text, seat=self.found[evidence.seat]))
        found = replace(self, found={**self.found, evidence.seat: self.asked})
        return self.take_step(found, message("Found: {thing}.", thing=self.asked_name))


class LampWalk(WireWalk, frozen=True, kw_only=True):
    """The search for the lamps: one after the other shines, and a person says at which seat."""

    @property
    def asked_name(self) -> Message:
        return message("one lamp")

    @property
    def instruction(self) -> Message:
        if self.asked is not None:
            return message("One lamp shines. Tap its seat, or press the button there.")
        return message("That was the last lamp.")

    def lamp(self, seat: int) -> Lamp:
        """Return what the lamp now called `seat` shows: the one that is asked for shines."""
        return "on" if seat == self.asked else "off"

    def states(self) -> tuple[tuple[int, FindState], ...]:
        """Return how each seat stands: without a lamp once every lamp has been asked for."""
        left: FindState = "skipped" if self.asked is None else "open"
        return tuple((seat, "found" if seat in self.found else left) for seat in self.wanted)

    def take_evidence(self, evidence: Evidence) -> Self:
        """Return the walk after a press at the seat whose lamp shines."""
        return self.locate(evidence.seat) if isinstance(evidence, ButtonPressed) else self

    def locate(self, seat: int) -> Self:
        """Return the walk after the lamp was seen at this seat; at none, if that is 0."""
        if self.asked is None:
            return self
        if seat == 0:
            text = "One lamp stays dark: look after its wire, and which way round it is."
            return self.skip().complain(message(text))
        if seat in self.found or seat not in self.wanted:
            text = "Seat {seat} has its lamp already. If that is wrong, take it back."
            if seat not in self.wanted:
                text = "Seat {seat} has no lamp in this wiring."
            return self.complain(message(text, seat=seat))
        says = message("Found: {thing}.", thing=message("the lamp of seat {seat}", seat=seat))
        return self.take_step(replace(self, found={**self.found, seat: self.asked}), says)
