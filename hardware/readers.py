"""Rounds over all readers, one field at a time, turned into evidence.

Law: a dead reader never stops the others. A new tag is believed to lie where it was met only
after every other reader was asked for it, because neighbouring antennas read each other's tags;
the one that hears it best has it.
"""

from collections.abc import Callable, Mapping

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
from hardware.foreign_tags import Suspicion, are_twins, update_suspicion
from hardware.interference import (
    MANY,
    Duel,
    ReaderContest,
    has_moved,
    signs_by_tag,
    switch_off_failed_fields,
)
from hardware.presence import (
    LyingTags,
    ReaderLook,
    Sign,
    TagPresence,
    apply_look,
    move_tag,
    tags_at,
)
from hardware.rc522.chip import MAKES
from hardware.rc522.health import CareRecord, HealthState, Treatment, choose_treatment, update_care
from hardware.rc522.reader import Reader, Visit

REPEAT = 20  # times until an echo is looked into again
ORPHANED = 4  # the same where nobody can be asked


class TagEcho(msgspec.Struct, frozen=True):
    """A tag heard at a second place: where it lies, how often it was heard, and the last duels."""

    home: int
    times: int = 0
    duels: tuple[Duel, ...] = ()

    def with_duel(self, duel: Duel) -> "TagEcho":
        return TagEcho(self.home, self.times, (*self.duels, duel)[-MANY:])


class Readers:
    """All readers of a table, by the place they lie at."""

    def __init__(
        self, readers: Mapping[int, Reader], clock: Clock, reset: Callable[[], None] = lambda: None
    ) -> None:
        self._readers, self._clock, self._reset = dict(sorted(readers.items())), clock, reset
        self._contest = ReaderContest(self._readers)
        self._health = {place: HealthState() for place in self._readers}
        self._last_good: dict[int, float] = {}
        self._askings = dict.fromkeys(self._readers, 0)
        self._care = dict.fromkeys(self._readers, CareRecord())
        self._echoes: dict[int, dict[str, TagEcho]] = {place: {} for place in self._readers}
        self._odd = {place: Suspicion() for place in self._readers}
        self._table: LyingTags = {}
        self.on_visit: Callable[[int, Visit], object] = lambda place, visit: None
        """Told of every visit, before anybody makes anything of it: the place, what was found."""
        self._next = 0

    def start(self) -> None:
        """Pull the reset line and set every chip up; one that fails is found in the rounds."""
        self._pull_reset_line()

    def step(self) -> list[Evidence]:
        """Visit the next reader."""
        places = list(self._readers)
        if not places:
            return []
        place = places[self._next % len(places)]
        self._next += 1
        switch_off_failed_fields(self._readers)
        return self._visit_reader(place)

    def visit_all(self) -> list[Evidence]:
        """Visit every reader once."""
        return [evidence for _ in self._readers for evidence in self.step()]

    def reader_at(self, place: int) -> Reader:
        return self._readers[place]

    def lying_tags(self) -> Mapping[str, TagPresence]:
        """Return the tags that lie at any place, with their presence."""
        return self._table

    def conditions(self) -> list[ReaderCondition]:
        return [self._reader_condition(place, reader) for place, reader in self._readers.items()]

    def close(self) -> None:
        """Switch every field off."""
        for reader in self._readers.values():
            try:
                reader.switch_off()
            except OSError:
                continue

    def _visit_reader(self, place: int) -> list[Evidence]:
        visit = self._try_visit(place)
        self.on_visit(place, visit)
        evidence = self._apply_finding(place, visit)
        if visit.signs:
            evidence += self._process_visit(place, visit)
        return evidence + self._report_foreign_tags(place, visit)

    def _try_visit(self, place: int) -> Visit:
        reader = self._readers[place]
        try:
            if self._health[place].offline and not reader.is_answering():
                return Visit("dead")
            return reader.visit([bytes.fromhex(tag) for tag in tags_at(self._table, place)])
        except OSError:
            switch_off_failed_fields(self._readers)
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
            # Perhaps it is not the chip but a wire that no longer carries this speed.
            self._readers[place].chip.forget_speed()
            self._pull_reset_line()
        elif treatment.remedy != "none":
            self._start_reader(place)

    def _pull_reset_line(self) -> None:
        """Pull the shared reset line; chips that were well must be set up again too."""
        self._reset()
        for place in self._readers:
            if not self._health[place].offline:
                self._start_reader(place)

    def _start_reader(self, place: int) -> None:
        try:
            self._readers[place].start()
        except OSError:
            return

    def _process_visit(self, place: int, visit: Visit) -> list[Evidence]:
        """Update the tags that lie here, then settle new ones where each is heard best."""
        own = set(tags_at(self._table, place))
        signs = signs_by_tag(visit)
        evidence = self._apply_look(place, {tag: sign for tag, sign in signs.items() if tag in own})
        strangers = [tag for tag in signs if tag not in own]
        new = [tag for tag in strangers if tag not in self._table]
        for tag in strangers:
            if tag not in new:
                evidence += self._handle_echo(place, tag, self._count_echo(place, tag))
        return evidence + self._settle_new_tags(place, new)

    def _count_echo(self, place: int, tag: str) -> TagEcho:
        """Return the echo, heard once more; noise that swallows it now and then does not end it."""
        echoes = {t: echo for t, echo in self._echoes[place].items() if t in self._table}
        echo = echoes.get(tag)
        home = self._table[tag].place
        if echo is None or echo.home != home:
            echo = TagEcho(home)
        echoes[tag] = TagEcho(home, echo.times + 1, echo.duels)
        self._echoes[place] = echoes
        return echoes[tag]

    def _report_foreign_tags(self, place: int, visit: Visit) -> list[Evidence]:
        """Report what is no card's tag once it stays, and once it is gone."""
        if visit.finding != "well":
            return []
        met: Oddity = visit.odd
        if any(self._is_twin(place, tag) for tag in signs_by_tag(visit)):
            met = "twin"
        self._odd[place], news = update_suspicion(self._odd[place], met)
        return [Odd(self._clock.monotonic(), place, met)] if news else []

    def _is_twin(self, place: int, tag: str) -> bool:
        """Return whether a tag that was heard here lies just as surely elsewhere."""
        echo, lying = self._echoes[place].get(tag), self._table.get(tag)
        return (
            echo is not None
            and lying is not None
            and lying.place == echo.home != place
            and (are_twins(echo.duels))
        )

    def _apply_look(self, place: int, signs: Mapping[str, Sign]) -> list[Evidence]:
        self._table, evidence = apply_look(
            self._table, ReaderLook(place, self._clock.monotonic(), signs)
        )
        return evidence

    def _handle_echo(self, place: int, tag: str, echo: TagEcho) -> list[Evidence]:
        """Handle a tag that is heard here while it lies elsewhere: ask there, a few times at first
        and now and then later, and compare who hears it better."""
        there = echo.home
        if self._health[there].offline:
            asked = echo.times % ORPHANED == 1
            return (
                self._move_tag(tag, place)
                if asked and self._contest.is_heard_firmly(tag, place)
                else []
            )
        if self._health[there].word != "well":
            return []
        if self._table[tag].silent:
            evidence = self._apply_look(there, self._contest.ask_after(tag, there))
            return evidence + self._apply_look(place, {tag: "seen"})
        if echo.times > MANY and echo.times % REPEAT:
            return []
        duel = self._contest.compare_strength(tag, there, place)
        if duel is None:
            return []
        self._echoes[place][tag] = echo = echo.with_duel(duel)
        return self._move_tag(tag, place) if has_moved(echo.duels) else []

    def _move_tag(self, tag: str, place: int) -> list[Evidence]:
        self._table, evidence = move_tag(self._table, tag, place, self._clock.monotonic())
        return evidence

    def _settle_new_tags(self, place: int, tags: list[str]) -> list[Evidence]:
        """Ask all other readers for tags just met; those that only this one hears lie here."""
        best = dict.fromkeys(tags, place)
        for other, health in self._health.items():
            if tags and other != place and health.word == "well":
                for tag in self._contest.find_overheard(tags, other):
                    best[tag] = self._contest.pick_stronger(tag, best[tag], other)
        return [news for tag in tags for news in self._apply_look(best[tag], {tag: "seen"})]

    def _reader_condition(self, place: int, reader: Reader) -> ReaderCondition:
        table = self._table
        here = tags_at(table, place)
        return ReaderCondition(
            place,
            self._health[place].word,
            MAKES.get(reader.chip.version, f"unknown (0x{reader.chip.version:02X})"),
            reader.chip.link.hertz,
            self._last_good.get(place),
            len(here),
            self._askings[place],
            reader.exchange.garbled,
            sum(table[tag].flickers for tag in here),
            reader.chip.link.transfers,
            self._care[place].retries,
            self._care[place].healings,
        )
