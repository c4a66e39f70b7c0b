"""The box check: has every enrolled tag of a deck passed a reader?

Laws: things may lie on any reader, in any order, many at once; what was seen once counts. The check
only listens, takes in what lies there from before, and shows cards, never a tag.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from companion.core.cards import Box
from companion.core.deck import Deck, count_missing, list_pieces
from companion.core.i18n import Message, message
from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Lamp,
    Left,
    Odd,
    Oddity,
    ReaderLost,
)
from companion.enrol.walk import describe_lost_reader, describe_oddity, drop_place, update_oddities
from companion.host.health import BoxCheckProgress


class DeckCheck(msgspec.Struct, frozen=True):
    """What of a deck has been seen, and what else lies there; in marks, never tags."""

    holds: Mapping[str, int]
    deck: Deck
    seen: frozenset[str] = frozenset()
    strangers: Mapping[str, int] = {}
    odd: Mapping[int, Oddity] = {}

    @property
    def missing(self) -> dict[str, int]:
        """The enrolled things that have not been seen, with their number."""
        enrolled = Counter(self.deck.things.values())
        wanted = {thing: enrolled[thing] for thing in self.holds if enrolled[thing]}
        return count_missing(wanted, (self.deck.pieces[mark] for mark in self.seen))

    @property
    def done(self) -> bool:
        return not self.missing

    @property
    def lamp(self) -> Lamp:
        """The state of every lamp: fast if something strange lies there, on to continue."""
        if self.problem is not None:
            return "fast"
        return "off" if self.done else "on"

    @property
    def instruction(self) -> Message:
        """The sentence that says what to do now."""
        if self.done:
            return message("All is there: {total} of {total}.", total=len(self.deck.things))
        return message("Still missing: {things}.", things=list_pieces(self.missing))

    @property
    def problem(self) -> Message | None:
        """The newest thing that lies there and has to be put right first."""
        if self.strangers:
            text = "An unknown sticker lies on reader {place}: it is on nothing of this deck."
            return message(text, place=[*self.strangers.values()][-1])
        place, what = [*self.odd.items()][-1] if self.odd else (0, None)
        return describe_oddity(what, place) if what is not None else None

    def take_evidence(self, evidence: Evidence) -> tuple["DeckCheck", Message | None]:
        """Return the check after a sensor event, and the message, if any."""
        match evidence:
            case Arrived():
                return self._tag_arrived(evidence)
            case Left() | FellSilent():
                return self._tag_gone(evidence), None
            case Odd(place=place, what=what):
                told = None if what == "nothing" else describe_oddity(what, place)
                return msgspec.structs.replace(self, odd=update_oddities(self.odd, evidence)), told
            case ReaderLost(place=place):
                there = {mark: p for mark, p in self.strangers.items() if p != place}
                odd = drop_place(self.odd, place)
                return msgspec.structs.replace(
                    self, strangers=there, odd=odd
                ), describe_lost_reader(evidence)
        return self, None

    def _tag_arrived(self, arrived: Arrived) -> tuple["DeckCheck", Message | None]:
        mark = self.deck.mark(arrived.tag)
        if mark not in self.deck.pieces:
            others = {other: at for other, at in self.strangers.items() if other != mark}
            strange = {**others, mark: arrived.place}
            found = msgspec.structs.replace(self, strangers=strange)
            return found, found.problem
        if mark in self.seen:
            return self, None
        found = msgspec.structs.replace(self, seen=self.seen | {mark})
        return found, found.instruction

    def _tag_gone(self, gone: Left | FellSilent) -> "DeckCheck":
        mark = self.deck.mark(gone.tag)
        if self.strangers.get(mark) != gone.place:
            return self
        strange = {other: place for other, place in self.strangers.items() if other != mark}
        return msgspec.structs.replace(self, strangers=strange)


class BoxCheck:
    """A box check that is under way."""

    def __init__(self, box: Box, deck: Deck, lying: Iterable[Evidence]) -> None:
        self._box = box
        self._holds = box.tagged_pieces()
        self.state = DeckCheck(self._holds, deck)
        for evidence in lying:
            self.take_evidence(evidence)

    def take_evidence(self, evidence: Evidence) -> bool:
        """Take in a sensor event; return whether anything changed."""
        before, (self.state, said) = self.state, self.state.take_evidence(evidence)
        return self.state != before or said is not None

    def progress(self) -> BoxCheckProgress:
        """Return how far the check has come, for the host's page."""
        state = self.state
        never = count_missing(self._holds, state.deck.things.values())
        return BoxCheckProgress(
            game=self._box.game,
            title=self._box.title,
            total=len(state.deck.things),
            seen=len(state.deck.things) - sum(state.missing.values()),
            missing=tuple(list_pieces(state.missing)),
            never=tuple(list_pieces(never)),
            says=state.problem or state.instruction,
            odd=state.problem is not None,
            done=state.done,
        )
