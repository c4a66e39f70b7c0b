"""Rounds over all readers, one field at a time, turned into evidence.

Law: a dead reader never stops the others; its health is judged by `reader_health`. A tag lies
where it was met first, until it is silent there: readers 80 mm apart or more never hear one
sticker, so a tag that answers at two places at once is two, twins, and the first keeps its place.
An oddity, a tag that belongs to no card, is reported when visit after visit has met it, and over
when visit after visit has not. Nothing here knows a chip.
"""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress

import msgspec

from companion.core.sensor_events import (
    Evidence,
    Odd,
    Oddity,
    ReaderCondition,
    ReaderFound,
    ReaderLost,
)
from hardware.clock import Clock
from hardware.drivers import ResetLine
from hardware.presence import (
    LyingTags,
    ReaderLook,
    Sign,
    TagPresence,
    apply_look,
    move_tag,
    tags_at,
)
from hardware.reader import Reader, Visit, put_to_sleep, signs_by_tag
from hardware.reader_health import (
    CareRecord,
    HealthState,
    Treatment,
    Word,
    choose_treatment,
    update_care,
)


class TagArbiter:
    """The tags that lie anywhere on the table; `health` tells how the reader of a place is."""

    def __init__(
        self, readers: Mapping[int, Reader], clock: Clock, health: Callable[[int], Word]
    ) -> None:
        self._readers, self._clock, self._health = readers, clock, health
        self._twins: dict[int, set[str]] = {place: set() for place in readers}
        """By place, the tags that answered elsewhere too when they were last met there."""
        self.lying_tags: LyingTags = {}

    def known_tags(self, place: int) -> list[bytes]:
        """Return the UIDs of the tags that are taken to lie at a place."""
        return [bytes.fromhex(tag) for tag in tags_at(self.lying_tags, place)]

    def process_visit(self, place: int, visit: Visit) -> list[Evidence]:
        """Update the tags that lie here; new ones lie here too, and those of other places are asked
        after there."""
        own, signs = set(tags_at(self.lying_tags, place)), signs_by_tag(visit)
        evidence = self._apply_look(place, {tag: sign for tag, sign in signs.items() if tag in own})
        for tag in signs.keys() - own:
            if tag in self.lying_tags:
                evidence += self._settle_second_place(place, tag)
            else:
                evidence += self._apply_look(place, {tag: "seen"})
        return evidence

    def has_twin(self, place: int, tags: Collection[str]) -> bool:
        """Return whether one of these tags, met here, answers just as well where it lies."""
        return not self._twins[place].isdisjoint(tags)

    def _settle_second_place(self, place: int, tag: str) -> list[Evidence]:
        """Ask after a tag where it lies; it has moved here once it is silent there, and at once if
        that reader is offline."""
        there = self.lying_tags[tag].place
        self._twins[place].discard(tag)
        if self._health(there) == "offline":
            self.lying_tags, evidence = move_tag(
                self.lying_tags, tag, place, self._clock.monotonic()
            )
            return evidence
        if self._health(there) != "well":
            return []
        sign = self._ask_after(tag, there)
        if sign == "seen":
            self._twins[place].add(tag)
        evidence = self._apply_look(there, {tag: sign})
        return evidence + self._apply_look(place, {tag: "seen"})

    def _ask_after(self, tag: str, place: int) -> Sign:
        """Return the sign of a tag at another place than the one being visited."""
        try:
            present = self._readers[place].is_present(bytes.fromhex(tag))
        except OSError:
            put_to_sleep(self._readers)
            return "unclear"
        return "unclear" if present is None else "seen" if present else "silent"

    def _apply_look(self, place: int, signs: Mapping[str, Sign]) -> list[Evidence]:
        look = ReaderLook(place, self._clock.monotonic(), signs)
        self.lying_tags, evidence = apply_look(self.lying_tags, look)
        return evidence


STEADY, OVER = 3, 10
"""Visits in a row; with eight readers about half a second, and a second and a half."""


class Suspicion(msgspec.Struct, frozen=True):
    """The oddity last reported of a place, and another one that the latest visits met."""

    reported: Oddity = "nothing"
    met: Oddity = "nothing"
    times: int = 0


def update_suspicion(suspicion: Suspicion, oddity: Oddity) -> tuple[Suspicion, bool]:
    """Return the suspicion after one more visit, and whether there is news to report."""
    if oddity == suspicion.reported:
        return Suspicion(oddity, oddity), False
    times = suspicion.times + 1 if oddity == suspicion.met else 1
    if times < (OVER if oddity == "nothing" else STEADY):
        return Suspicion(suspicion.reported, oddity, times), False
    return Suspicion(oddity, oddity), True


class Readers:
    """All readers of a table, by the place they lie at."""

    def __init__(
        self, readers: Mapping[int, Reader], clock: Clock, reset_lines: Sequence[ResetLine] = ()
    ) -> None:
        self._readers, self._clock = dict(sorted(readers.items())), clock
        self._reset_lines = reset_lines
        self._health = {place: HealthState() for place in self._readers}
        self._arbiter = TagArbiter(self._readers, clock, lambda place: self._health[place].word)
        self._care = dict.fromkeys(self._readers, CareRecord())
        self._odd = {place: Suspicion() for place in self._readers}
        self._next = 0

    def start(self) -> None:
        """Pull every reset line and set all readers up; one that fails is found in the rounds."""
        for line in self._reset_lines:
            line.pull()
        self._start_readers(self._readers)

    def step(self) -> list[Evidence]:
        """Visit the next reader."""
        places = list(self._readers)
        if not places:
            return []
        place = places[self._next % len(places)]
        self._next += 1
        put_to_sleep(self._readers)
        return self._visit_reader(place)

    def visit_all(self) -> list[Evidence]:
        """Visit every reader once."""
        return [evidence for _ in self._readers for evidence in self.step()]

    def reader_at(self, place: int) -> Reader:
        return self._readers[place]

    def lying_tags(self) -> Mapping[str, TagPresence]:
        """Return the tags that lie at any place, with their presence."""
        return self._arbiter.lying_tags

    def conditions(self) -> list[ReaderCondition]:
        """Return the condition of every reader."""
        return [
            ReaderCondition(place, self._health[place].word, care.retries, care.healings)
            for place, care in self._care.items()
        ]

    def close(self) -> None:
        """Switch every field off."""
        put_to_sleep(self._readers)

    def _visit_reader(self, place: int) -> list[Evidence]:
        visit = self._try_visit(place)
        evidence = self._apply_finding(place, visit)
        if visit.signs:
            evidence += self._arbiter.process_visit(place, visit)
        return evidence + self._report_foreign_tags(place, visit)

    def _try_visit(self, place: int) -> Visit:
        try:
            return self._readers[place].inventory(self._arbiter.known_tags(place))
        except OSError:
            put_to_sleep(self._readers)
            return Visit("dead")

    def _apply_finding(self, place: int, visit: Visit) -> list[Evidence]:
        now = self._clock.monotonic()
        treatment = choose_treatment(self._health[place], visit.finding, now)
        self._care[place] = update_care(self._care[place], self._health[place], treatment)
        self._health[place] = treatment.health
        self._apply_remedy(place, treatment)
        if treatment.news == "lost":
            return [ReaderLost(now, place)]
        return [ReaderFound(now, place)] if treatment.news == "found" else []

    def _apply_remedy(self, place: int, treatment: Treatment) -> None:
        if treatment.remedy == "hard reset":
            self._reset_hard(place)
        elif treatment.remedy != "none":
            self._start_readers([place])

    def _reset_hard(self, place: int) -> None:
        """Pull the reset line of a reader, if it has one, and find out anew how to reach it. The
        others at that line that are not offline must be set up again too."""
        shared = {place}
        for line in self._reset_lines:
            if place in line.places:
                line.pull()
                shared.update(line.places)
        others = [p for p in sorted(shared) if p != place and not self._health[p].offline]
        self._start_readers([place, *others], anew=place)

    def _start_readers(self, places: Iterable[int], anew: int | None = None) -> None:
        for place in places:
            with suppress(OSError):
                self._readers[place].start(anew=place == anew)

    def _report_foreign_tags(self, place: int, visit: Visit) -> list[Evidence]:
        """Report a foreign tag once it stays, and once it is gone."""
        if visit.finding != "well":
            return []
        met: Oddity = visit.odd
        if self._arbiter.has_twin(place, signs_by_tag(visit)):
            met = "twin"
        self._odd[place], news = update_suspicion(self._odd[place], met)
        return [Odd(self._clock.monotonic(), place, met)] if news else []
