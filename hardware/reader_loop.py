"""Rounds over all readers, one field at a time, turned into evidence.

Law: a dead reader never stops the others. What a visit found is judged elsewhere: the health of a
reader by `reader_health`, the places of tags by `arbitration`. Nothing here knows a chip.
"""

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress

from companion.core.sensor_events import (
    Evidence,
    Odd,
    Oddity,
    ReaderCondition,
    ReaderFound,
    ReaderLost,
)
from hardware.arbitration import TagArbiter
from hardware.clock import Clock
from hardware.drivers import ResetLine
from hardware.foreign_tags import Suspicion, update_suspicion
from hardware.presence import TagPresence, tags_at
from hardware.reader import Reader, Visit, put_to_sleep, signs_by_tag
from hardware.reader_health import (
    CareRecord,
    HealthState,
    Treatment,
    choose_treatment,
    update_care,
)


class Readers:
    """All readers of a table, by the place they lie at."""

    def __init__(
        self, readers: Mapping[int, Reader], clock: Clock, reset_lines: Sequence[ResetLine] = ()
    ) -> None:
        self._readers, self._clock = dict(sorted(readers.items())), clock
        self._reset_lines = reset_lines
        self._health = {place: HealthState() for place in self._readers}
        self._arbiter = TagArbiter(self._readers, clock, lambda place: self._health[place].word)
        self._last_good: dict[int, float] = {}
        self._askings = dict.fromkeys(self._readers, 0)
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
        return [self._reader_condition(place, reader) for place, reader in self._readers.items()]

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
        self._askings[place] += visit.askings
        if visit.finding == "well":
            self._last_good[place] = now
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
        """Report what is no card's tag once it stays, and once it is gone."""
        if visit.finding != "well":
            return []
        met: Oddity = visit.odd
        if self._arbiter.has_twin(place, signs_by_tag(visit)):
            met = "twin"
        self._odd[place], news = update_suspicion(self._odd[place], met)
        return [Odd(self._clock.monotonic(), place, met)] if news else []

    def _reader_condition(self, place: int, reader: Reader) -> ReaderCondition:
        table, device = self._arbiter.lying_tags, reader.condition()
        here = tags_at(table, place)
        return ReaderCondition(
            place,
            self._health[place].word,
            device.make,
            device.hertz,
            self._last_good.get(place),
            len(here),
            self._askings[place],
            device.garbled,
            sum(table[tag].flickers for tag in here),
            device.transfers,
            self._care[place].retries,
            self._care[place].healings,
        )
