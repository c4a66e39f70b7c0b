"""The walk of the set-up: one thing after the other is asked for, and found or left out.

    asked for ──▶ found ──▶ taken back: the walk is as it was before
        └───────▶ left out, until the next walk asks for it again

The readers of the places and the stickers of a box are found by cards, the buttons by presses, and
the lamps by the seats at which a person sees them shine. The check of a box asks for everything at
once: cards are found in any order, many at a time; what is of another box is named, also after it
has gone. In all other walks a card answers while it lies alone:

    table empty ──a card──▶ it answers ──lifted──▶ table empty
                               └──a second card──▶ take one off, or all of them

Laws: pure, sensor events with their times come in. Nothing is found twice, and nothing is guessed:
of two cards that came in one hand neither is enrolled. A pile may be passed over one reader card by
card: the next card counts once the one before is gone. Only marks are remembered, never tags. A
sticker is on one thing, and no thing is enrolled more often than the box holds it.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any, Literal

import msgspec
from msgspec.structs import replace

from companion.core.deck import Deck, count_missing, name_piece
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import (
    Arrived,
    ButtonPressed,
    Evidence,
    FellSilent,
    Lamp,
    Left,
    Odd,
    Oddity,
    ReaderLost,
)
from companion.setup.stickers import WRONG_KIND, is_sticker, update_oddities

WalkKind = Literal["banks", "buttons", "lamps", "stickers", "check"]
TOGETHER = 1.0
"""Seconds: what arrives within them came in one hand, in an unknown order."""
TOGETHER_HERE = 0.4
"""The same at one reader, which hears cards laid together in one look, or else in the next."""
TOGETHER_TEXT = N_(
    "Several cards came at once, or two readers read one: take everything off, then lay one in the "
    "middle of its place."
)
WIRE_NAMES: Mapping[WalkKind, str] = {
    "banks": N_("place {n}"),
    "buttons": N_("button of seat {seat}"),
    "lamps": N_("lamp of seat {seat}"),
}
WHAT_LIES = ("lying", "odd", "waiting", "blocked")
"""Fields of a walk about what lies on the table."""


class LyingCard(msgspec.Struct, frozen=True):
    """A card on the table: on which reader, since when, and whether its sticker will do."""

    reader: int
    since: float
    is_sticker: bool

    def came_with(self, other: "LyingCard") -> bool:
        """Return whether this card may have come in one hand with another one."""
        apart = TOGETHER_HERE if self.reader == other.reader else TOGETHER
        return self.since - other.since < apart


class Walk(msgspec.Struct, frozen=True, kw_only=True):
    """A walk under way."""

    kind: WalkKind
    wanted: tuple[Any, ...]
    """All places, seats or things that are asked for, in this order; a thing as often as it is in
    the box."""
    deck: Deck = Deck({})
    """Stickers enrolled so far; at the readers, the salt by which cards are told apart."""
    others: Mapping[str, Deck] = {}
    """At the check, the decks of other boxes by their titles."""
    never: Mapping[str, int] = {}
    """At the check, the things of the box that were never enrolled, with their number."""
    found: Mapping[Any, Any] = {}
    """The place of each reader, the seat of each button, the lamp of each seat at which one shines,
    and the thing of each sticker, by its mark."""
    foreign: Mapping[str, Message | None] = {}
    """At the check, the strange marks that came past, and what they are if another box knows it."""
    left_out: tuple[Any, ...] = ()
    says: Message | None = None
    """Last message."""
    wrong: bool = False
    """Whether that is something to put right."""
    good: bool = False
    """Whether that is something that was found."""
    before: "Walk | None" = None
    """The walk before its last step."""
    lying: Mapping[str, LyingCard] = {}
    odd: Mapping[int, Oddity] = {}
    waiting: tuple[str, ...] = ()
    """The marks of cards that count once they lie alone."""
    blocked: bool = False
    """Whether everything has to be taken off before another card counts."""
    latest: str = ""
    """The mark of the card that made the last step."""

    # What is shown.

    @property
    def open(self) -> tuple[Any, ...]:
        """Things neither found nor left out."""
        past = Counter((*self.found.values(), *self.left_out))
        return tuple((Counter(self.wanted) - past).elements())

    @property
    def missing(self) -> dict[str, int]:
        """The things of a box that were not found, with their number."""
        return count_missing(Counter(self.wanted), self.found.values())

    @property
    def asked(self) -> Any:
        """The thing asked for now; None at the end."""
        return next(iter(self.open), None)

    @property
    def number(self) -> int:
        """Number of the thing asked for among its kind, from 1."""
        return 1 + self.wanted.count(self.asked) - self.open.count(self.asked)

    @property
    def asked_name(self) -> Message:
        """Name of the thing asked for now."""
        if self.kind in WIRE_NAMES:
            return self._name_wire(self.asked)
        total, thing = self.wanted.count(self.asked), name_piece(self.asked)
        numbered = message(
            "{thing} (number {n} of {total})", thing=thing, n=self.number, total=total
        )
        return numbered if total > 1 else thing

    def _name_wire(self, number: int) -> Message:
        return Message(WIRE_NAMES[self.kind], {"n": number, "seat": number})

    @property
    def in_trouble(self) -> bool:
        """Whether something has to be put right."""
        return self.wrong or bool(self.odd) or not self.lying.keys().isdisjoint(self.foreign)

    @property
    def may_renew(self) -> bool:
        """Return whether a sticker enrolled as another card lies there and may be this one."""
        others = [thing for mark in self.lying if (thing := self.found.get(mark)) is not None]
        is_other = self.asked is not None and others != [self.asked]
        return self.wrong and len(self.lying) == len(others) == 1 and is_other

    def lamp(self, seat: int) -> Lamp:
        """Return the state of a lamp: put something right; do the task; take it off, or wait.

        At the lamps, the one that is asked for shines.
        """
        if self.kind == "lamps":
            return "on" if seat == self.asked else "off"
        if self.in_trouble:
            return "fast"
        is_clear = self.kind == "check" or not self.lying
        return "on" if self.asked is not None and is_clear else "off"

    def learnt_wires(self) -> dict[int, int]:
        """Return each found wire's present number, by place or seat."""
        if self.kind == "lamps":
            return {**self.found}
        return {asked: answer for answer, asked in self.found.items()}

    # What a person says.

    def skip(self) -> "Walk":
        """Leave the current task out."""
        if self.asked is None or self.kind == "check":
            return self
        after = replace(self, left_out=(*self.left_out, self.asked), latest="")
        walk = self.take_step(after, message("Left out: {thing}.", thing=self.asked_name))
        text = "One lamp stays dark: check its wire, and which way round it is."
        return walk.complain(message(text)) if self.kind == "lamps" else walk

    def undo(self) -> "Walk":
        """Take back the last step; the cards on the table stay."""
        if self.before is None:
            return self
        lies = {field: getattr(self, field) for field in WHAT_LIES}
        back = replace(self.before, **lies, latest="", says=message("Taken back."))
        return replace(back, wrong=False, good=False)

    def renew(self) -> "Walk":
        """Enrol the sticker on the reader, already in the deck, for the current card."""
        return self._enrol(next(iter(self.lying))) if self.may_renew else self

    def restart(self) -> "Walk":
        """Forget all finds; this can be taken back too."""
        fresh = Deck({}, self.deck.salt)
        return self.take_step(replace(self, found={}, left_out=(), deck=fresh, latest=""), None)

    def locate(self, seat: int) -> "Walk":
        """Return the walk after a lamp was seen at this seat; at none, if that is 0."""
        if self.kind != "lamps" or self.asked is None:
            return self
        if seat == 0:
            return self.skip()
        if seat not in self.wanted:
            return self.complain(message("Seat {seat} has no lamp in this wiring.", seat=seat))
        return self._find(seat)

    # What is sensed.

    def take_evidence(self, evidence: Evidence) -> "Walk":
        """Return the walk after a reader's or button's evidence."""
        walk = self
        match evidence:
            case ButtonPressed(seat=seat, held=held):
                if self.kind == "stickers":
                    walk = self.skip() if held else self.undo()
                else:
                    walk = self._find(seat) if self.kind == "buttons" else self.locate(seat)
            case _ if self.kind in ("buttons", "lamps"):
                pass
            case Arrived():
                walk = self._arrive(evidence)
            case Left(place=reader, tag=tag) | FellSilent(place=reader, tag=tag):
                card = self.lying.get(self.deck.mark(tag))
                if card is not None and card.reader == reader:
                    walk = self._take_off({self.deck.mark(tag)})
            case Odd(what=what):
                walk = replace(self, odd=update_oddities(self.odd, evidence))
                if what == "twin" and walk.latest in walk.lying:
                    walk = walk._refuse_all(takes_back=True)
            case ReaderLost(place=reader):
                lost = {mark for mark, card in self.lying.items() if card.reader == reader}
                walk = replace(self, odd=update_oddities(self.odd, evidence))._take_off(lost)
                if self.kind != "check":  # There its place is named as long as it is silent.
                    text = "A reader no longer answers: check its cable, or go on without it."
                    walk = walk.complain(message(text))
        return walk

    def with_lying(self, reports: Iterable[Evidence]) -> "Walk":
        """Return the walk with the tags left from before; they have to be taken off first."""
        walk = self
        for report in reports:
            if isinstance(report, Arrived):
                walk = walk._with_card(report)
            elif isinstance(report, Odd):
                walk = replace(walk, odd=update_oddities(walk.odd, report))
        says = message("Take everything off the readers.") if self.kind == "stickers" else None
        return walk if not walk.lying else replace(walk, blocked=True, says=says, wrong=True)

    def _with_card(self, arrived: Arrived) -> "Walk":
        card = LyingCard(arrived.place, arrived.at, is_sticker(arrived.tag))
        return replace(self, lying={**self.lying, self.deck.mark(arrived.tag): card})

    def _arrive(self, arrived: Arrived) -> "Walk":
        mark, others, walk = self.deck.mark(arrived.tag), self.lying, self._with_card(arrived)
        card, first = walk.lying[mark], others.get(self.latest)
        if self.kind == "check":
            return walk._check_off(arrived.tag)
        if mark in others:
            is_same = others[mark].reader == arrived.place
            return self if is_same else self._refuse_all(takes_back=mark == self.latest)
        if not others:
            return walk._answer(mark)
        if any(card.came_with(other) for other in others.values()):
            return walk._refuse_all(takes_back=first is not None and card.came_with(first))
        if self.blocked:
            return walk
        says = message("Something still lies on a reader: only the next card may lie there.")
        return replace(walk, waiting=(*walk.waiting, mark)).complain(says)

    def _refuse_all(self, *, takes_back: bool) -> "Walk":
        """Return the walk that only an empty table helps; take back the last step if asked to."""
        walk = self.undo() if takes_back else self
        return replace(walk, blocked=True, latest="").complain(message(TOGETHER_TEXT))

    def _take_off(self, marks: set[str]) -> "Walk":
        """Return the walk without these cards; a card that waited for its turn gets it."""
        left = {mark: card for mark, card in self.lying.items() if mark not in marks}
        walk = replace(self, lying=left)
        if len(left) == len(self.lying) or len(left) > 1 or (left and self.blocked):
            return walk
        says = None if self.wrong else self.says
        walk = replace(walk, blocked=False, waiting=(), wrong=False, says=says)
        alone = next((mark for mark in left if mark in self.waiting), None)
        return walk if alone is None else walk._answer(alone)

    # What is found.

    def _answer(self, mark: str) -> "Walk":
        """Return the walk after a card that lies alone: its answer, or the reason there is none."""
        card = self.lying[mark]
        if self.kind == "banks":
            return self._find(card.reader)
        if not card.is_sticker:
            return self.complain(message(WRONG_KIND, place=card.reader))
        if mark in self.found:
            text = (
                "This sticker was enrolled before, as {thing}: lay another card; if that one has "
                "its own, the two are twins, and one needs a new sticker."
            )
            return self.complain(message(text, thing=name_piece(self.found[mark])))
        if self.asked is None:
            text = "Everything is enrolled; the sticker on reader {place} belongs to no card."
            return self.complain(message(text, place=card.reader))
        return self._enrol(mark)

    def _find(self, answer: int) -> "Walk":
        """Return the walk after a reader, a button or a lamp was found, if it is not known yet."""
        if self.asked is None:
            return self
        asked = answer if self.kind == "lamps" else self.found.get(answer, self.asked)
        name = self._name_wire(asked)
        if answer in self.found:
            text = "That is {thing}, which is known already. If that is wrong, take it back."
            return self.complain(message(text, thing=name))
        latest = next(iter(self.lying), "")
        found = replace(self, found={**self.found, answer: self.asked}, latest=latest)
        return self.take_step(found, message("Found: {thing}.", thing=name))

    def _enrol(self, mark: str) -> "Walk":
        deck = self.deck.with_thing(mark, self.asked)
        after = replace(self, deck=deck, found=deck.things, latest=mark)
        return self.take_step(after, message("Enrolled: {thing}.", thing=self.asked_name))

    def _check_off(self, tag: str) -> "Walk":
        """Return the walk after a card that may be one of this box."""
        mark, thing = self.deck.newest_mark(self.deck.mark(tag)), self.deck[tag]
        if thing is None:
            names = [
                message("{thing} of {title}", thing=name_piece(piece), title=title)
                for title, deck in self.others.items()
                if (piece := deck[tag]) is not None
            ]
            return replace(self, foreign={**self.foreign, mark: next(iter(names), None)})
        after = replace(self, found={**self.found, mark: thing})
        is_new = len(after.found) > len(self.found)
        says = message("Found: {thing}.", thing=name_piece(thing))
        return self.take_step(after, says) if is_new else self

    def take_step(self, after: "Walk", says: Message | None) -> "Walk":
        """Return the walk after a step, which can be taken back."""
        good = len(after.found) > len(self.found)
        return replace(after, before=self, says=says, wrong=False, good=good)

    def complain(self, says: Message) -> "Walk":
        """Return the walk with something to put right."""
        return replace(self, says=says, wrong=True, good=False)


def begin_wires(kind: WalkKind, wanted: Iterable[int], known: Iterable[int], salt: str) -> Walk:
    """Return the walk to the wires of these places or seats, of which some have answered before
    with themselves."""
    walk = Walk(kind=kind, wanted=tuple(sorted(wanted)), deck=Deck({}, salt))
    for number in sorted({*walk.wanted} & {*known}):
        walk = walk.take_step(replace(walk, found={**walk.found, number: number}), None)
    return walk


def begin_stickers(holds: Mapping[str, int], deck: Deck, lying: Iterable[Evidence] = ()) -> Walk:
    """Return the walk through a box enrolled in this deck."""
    wanted = tuple(thing for thing, total in holds.items() for _ in range(total))
    return Walk(kind="stickers", wanted=wanted, found=deck.things, deck=deck).with_lying(lying)


def begin_check(
    holds: Mapping[str, int], deck: Deck, others: Mapping[str, Deck], lying: Iterable[Evidence] = ()
) -> Walk:
    """Return the walk through all enrolled pieces of a box; the ones on the readers count
    already."""
    enrolled = Counter(deck.things.values())
    wanted = tuple(thing for thing in holds for _ in range(enrolled[thing]))
    never = count_missing(holds, deck.things.values())
    walk = Walk(kind="check", wanted=wanted, deck=deck, others=others, never=never)
    for report in lying:
        if isinstance(report, Arrived | Odd):
            walk = walk.take_evidence(report)
    return walk
