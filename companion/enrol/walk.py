"""The enrolment walk through a box: its state, what it asks for, and a person's decisions.

    take everything off -> lay the thing that is asked for -> it is enrolled -> take it off -> …

Laws: a tag is one thing, and nothing is enrolled more often than the box holds it. Taking back
restores the state before. What was skipped is asked for again by the next walk. What a reader
cannot use is one sentence with what to do about it.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

import msgspec

from companion.core.deck import Deck, name_piece
from companion.core.i18n import N_, Message, message
from companion.core.sensor_events import Lamp, Odd, Oddity, ReaderLost
from companion.core.sweep import Sweep, sweep_box
from companion.enrol.slots import suggest_slot

ODDITY_TEXTS: Mapping[Oddity, str] = {
    "telephone": N_(
        "Something on reader {place} has a new number every time, as telephones and some bank "
        "cards do: take it away."
    ),
    "unreadable": N_(
        "What lies on reader {place} answers and cannot be read: lay it in the middle; if that "
        "does not help, put a new sticker on it."
    ),
    "twin": N_(
        "Reader {place} reads the same number as another reader: if one card lies between them, "
        "move it; if there are two cards, their stickers are twins, and one needs a new sticker."
    ),
}
READER_LOST_TEXT = N_("Reader {place} no longer answers: use another one.")


def describe_oddity(what: Oddity, place: int) -> Message:
    """Return the sentence for an oddity at a place."""
    return Message(ODDITY_TEXTS[what], {"place": place})


def describe_lost_reader(report: ReaderLost) -> Message:
    return Message(READER_LOST_TEXT, {"place": report.place})


def update_oddities(odd: Mapping[int, Oddity], report: Odd) -> dict[int, Oddity]:
    """Return the oddities by place after one more report."""
    others = drop_place(odd, report.place)
    return others if report.what == "nothing" else {**others, report.place: report.what}


def drop_place(odd: Mapping[int, Oddity], place: int) -> dict[int, Oddity]:
    """Return the oddities without those of one place."""
    return {other: what for other, what in odd.items() if other != place}


Trouble = Literal["", "all off", "one off", "refused", "known"]
"""None; only an empty table helps; one thing must be left; what lies there is nothing for the
deck; or is in the deck already."""


class LyingTag(msgspec.Struct, frozen=True):
    """A tag on the table: where, since when, and whether it is a sticker of the right kind."""

    place: int
    since: float
    is_sticker: bool
    is_judged: bool = False
    """Whether it has been judged; if not, its turn may still come."""


class WalkStep(NamedTuple):
    """The state before a step, which taking it back restores."""

    deck: Deck
    skipped: tuple[str, ...]


class Walk(msgspec.Struct, frozen=True):
    """The state of a walk; it remembers marks, never tags."""

    holds: Mapping[str, int]
    deck: Deck
    skipped: tuple[str, ...] = ()
    steps: tuple[WalkStep, ...] = ()
    lying: Mapping[str, LyingTag] = {}
    latest: str = ""
    """The mark that the last step enrolled."""
    trouble: Trouble = ""
    odd: Mapping[int, Oddity] = {}
    has_begun: bool = False

    @property
    def sweep(self) -> Sweep:
        """The sweep of the whole box, as far as its things have been laid or skipped."""
        return sweep_box(self.holds, (*self.deck.things.values(), *self.skipped))

    @property
    def asked(self) -> tuple[str, int] | None:
        """The thing to be laid next, and which of its kind it is; None when the walk is over."""
        left = self.sweep.difference.unshown
        return (left[0], 1 + self.holds[left[0]] - left.count(left[0])) if left else None

    @property
    def asked_slot(self) -> int | None:
        """The slot for the sticker of the thing to be laid next; None if it has no slots."""
        return None if self.asked is None else suggest_slot(self.deck.salt, *self.asked)

    @property
    def wanted_name(self) -> Message:
        """The name of the thing that is asked for, as a message."""
        if self.asked is None:
            return message("nothing more")
        thing, n = self.asked
        if self.holds[thing] == 1:
            return name_piece(thing)
        return message(
            "{thing} ({n} of {total})", thing=name_piece(thing), n=n, total=self.holds[thing]
        )

    @property
    def instruction(self) -> Message:
        """The sentence that says what to do now."""
        if self.lying:
            return message("Take off what lies there, then lay {thing}.", thing=self.wanted_name)
        return message("Lay on any reader: {thing}.", thing=self.wanted_name)

    @property
    def done(self) -> bool:
        """True once all is enrolled or skipped and the last thing is taken off."""
        return self.has_begun and self.asked is None and not self.lying

    @property
    def lamp(self) -> Lamp:
        """The state of every lamp: fast to put something right, on to lay the next thing."""
        if self.has_begun and (self.trouble or self.odd):
            return "fast"
        return "on" if self.has_begun and self.asked and not self.lying else "off"


WalkUpdate = tuple[Walk, Message | None]
"""The walk afterwards, and the message, if any."""


def begin_walk(walk: Walk) -> WalkUpdate:
    """Begin once the readers have looked: ask for the first thing, or for an empty table."""
    walk = msgspec.structs.replace(walk, has_begun=True)
    if walk.lying:
        places = sorted({lying.place for lying in walk.lying.values()})
        text = "Take everything off the readers first; something lies on reader {numbers}."
        return msgspec.structs.replace(walk, trouble="all off"), message(text, numbers=places)
    for place, what in walk.odd.items():
        return walk, describe_oddity(what, place)
    return walk, walk.instruction


def undo_step(walk: Walk) -> WalkUpdate:
    """Take the last step back, whether it enrolled something or skipped it."""
    if not walk.steps:
        return walk, message("There is nothing to take back.")
    walk = without_last_step(walk)
    text = "Taken back. Lay on any reader: {thing}."
    if walk.lying:
        text = "Taken back. Take off what lies there, then lay {thing}."
    return walk, message(text, thing=walk.wanted_name)


def skip_thing(walk: Walk) -> WalkUpdate:
    """Go on without the thing that is asked for."""
    if walk.asked is None:
        return walk, message("There is nothing to skip.")
    skipped, thing = (*walk.skipped, walk.asked[0]), walk.wanted_name
    walk = msgspec.structs.replace(_with_step(walk), skipped=skipped, latest="")
    if walk.asked is None:
        return walk, message("Skipped: {thing}. That was the last.", thing=thing)
    text = "Skipped: {thing}. Lay on any reader: {other_thing}."
    return walk, message(text, thing=thing, other_thing=walk.wanted_name)


def renew_sticker(walk: Walk) -> WalkUpdate:
    """Enrol a tag that is in the deck already as the thing that is asked for now."""
    if walk.trouble != "known" or walk.asked is None:
        return walk, message("No sticker lies there that was enrolled before.")
    (mark,) = walk.lying
    if walk.deck.things.get(mark) == walk.asked[0]:
        return walk, message("This sticker stays what it is.")
    return enrol_mark(walk, mark)


def enrol_mark(walk: Walk, mark: str) -> WalkUpdate:
    """Enrol the tag of this mark as the thing that is asked for."""
    if walk.asked is None:
        return walk, None
    deck = walk.deck.with_thing(mark, walk.asked[0], walk.asked_slot)
    thing, walk = walk.wanted_name, _with_step(walk)
    walk = msgspec.structs.replace(walk, deck=deck, latest=mark, trouble="")
    if walk.asked is None:
        return walk, message("Enrolled: {thing}. That was the last.", thing=thing)
    text = "Enrolled: {thing}. Take it off, then lay {other_thing}."
    return walk, message(text, thing=thing, other_thing=walk.wanted_name)


def without_last_step(walk: Walk) -> Walk:
    """Return the walk before its last step; what lies on the table stays."""
    *steps, last = walk.steps
    back = {"deck": last.deck, "skipped": last.skipped}
    return msgspec.structs.replace(walk, **back, steps=tuple(steps), latest="")


def _with_step(walk: Walk) -> Walk:
    step = WalkStep(walk.deck, walk.skipped)
    return msgspec.structs.replace(walk, steps=(*walk.steps, step))
