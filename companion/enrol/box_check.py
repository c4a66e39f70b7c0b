"""The box check: the sweep of a whole box. Has every enrolled tag of a deck passed a reader?

Laws: things may lie on any reader, in any order, many at once, or be passed over one of them; what
passed once counts, and what is of another box is named, also after it has gone. The check only
listens, takes in what lies there from before, and shows cards, never a tag.
"""

from collections import Counter
from collections.abc import Iterable, Mapping

import msgspec

from companion.core.cards import Box
from companion.core.deck import Deck, count_missing, list_pieces, name_piece
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
from companion.core.sweep import Sweep, note_passed, sweep_box
from companion.enrol.walk import describe_lost_reader, describe_oddity, drop_place, update_oddities
from companion.host.health import BoxCheckProgress


class DeckCheck(msgspec.Struct, frozen=True):
    """What has passed the readers, and what strange lies there; in marks, never tags.

    `others` are the decks of other boxes by their titles, and `foreign` is what of them came past.
    """

    holds: Mapping[str, int]
    deck: Deck
    passed: tuple[str, ...] = ()
    strangers: Mapping[str, int] = {}
    odd: Mapping[int, Oddity] = {}
    others: Mapping[str, Deck] = {}
    foreign: Mapping[str, Message] = {}

    @property
    def sweep(self) -> Sweep:
        """The sweep of all that is enrolled, as far as it has passed."""
        enrolled, pieces = Counter(self.deck.things.values()), self.deck.pieces
        holds = {thing: enrolled[thing] for thing in self.holds}
        return sweep_box(holds, (pieces[mark] for mark in self.passed if mark in pieces))

    @property
    def missing(self) -> Counter[str]:
        """The enrolled things that have not passed, with their number."""
        return Counter(self.sweep.difference.unshown)

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
        if not self.done:
            return message("Still missing: {things}.", things=list_pieces(self.missing))
        total = len(self.deck.things)
        if self.found_besides:
            text = "All is there: {total} of {total}. Not of this box: {things}."
            return message(text, total=total, things=list(self.found_besides))
        return message("All is there: {total} of {total}.", total=total)

    @property
    def found_besides(self) -> tuple[Message, ...]:
        """Return what was heard that is not of this box; stickers that are on nothing at all are
        counted if no card of the box has yet to get one."""
        is_enrolled = not count_missing(self.holds, self.deck.things.values())
        known = {*self.deck.pieces, *self.foreign}
        unknown = sum(mark not in known for mark in self.passed) if is_enrolled else 0
        rest = (message("unknown stickers: {n}", n=unknown),) if unknown else ()
        return (*self.foreign.values(), *rest)

    @property
    def problem(self) -> Message | None:
        """The newest thing that lies there and has to be put right first."""
        if self.strangers:
            mark, at = [*self.strangers.items()][-1]
            if mark in self.foreign:
                text = "On reader {place} lies {thing}: put it back into its box."
                return message(text, place=at, thing=self.foreign[mark])
            text = "An unknown sticker lies on reader {place}: it is on nothing of this deck."
            return message(text, place=at)
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
        found = msgspec.structs.replace(self, passed=note_passed(self.passed, mark))
        if mark in self.deck.pieces:
            return found, found.instruction if found != self else None
        others = {other: at for other, at in self.strangers.items() if other != mark}
        strange = {**others, mark: arrived.place}
        foreign = self._name_foreign(arrived.tag)
        named = {**self.foreign, mark: foreign} if foreign is not None else self.foreign
        found = msgspec.structs.replace(found, strangers=strange, foreign=named)
        return found, found.problem

    def _name_foreign(self, tag: str) -> Message | None:
        """Return the name of a piece of another box; None if no deck knows its tag."""
        for title, other in self.others.items():
            piece = other[tag]
            if piece is not None:
                return message("{thing} of {title}", thing=name_piece(piece), title=title)
        return None

    def _tag_gone(self, gone: Left | FellSilent) -> "DeckCheck":
        mark = self.deck.mark(gone.tag)
        if self.strangers.get(mark) != gone.place:
            return self
        strange = {other: place for other, place in self.strangers.items() if other != mark}
        return msgspec.structs.replace(self, strangers=strange)


class BoxCheck:
    """A box check that is under way."""

    def __init__(
        self, box: Box, deck: Deck, lying: Iterable[Evidence], others: Mapping[str, Deck]
    ) -> None:
        self._box = box
        self._holds = box.tagged_pieces()
        self.state = DeckCheck(self._holds, deck, others=others)
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
            besides=state.found_besides,
            says=state.problem or state.instruction,
            odd=state.problem is not None,
            done=state.done,
        )
