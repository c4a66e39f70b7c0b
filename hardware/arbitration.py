"""Where each tag lies when several readers hear it: the tags of a table, settled visit by visit.

Law: a new tag is believed to lie where it was met only after every other reader was asked for it,
because neighbouring antennas read each other's tags; the one that hears it best has it. A tag that
is heard at a second place stays at its first until duels, or silence there, have shown that it
moved.
"""

from collections.abc import Callable, Collection, Mapping

import msgspec

from companion.core.sensor_events import Evidence
from hardware.clock import Clock
from hardware.foreign_tags import are_twins
from hardware.interference import MANY, Duel, ReaderContest, has_moved
from hardware.presence import (
    LyingTags,
    ReaderLook,
    Sign,
    apply_look,
    move_tag,
    tags_at,
)
from hardware.reader import Reader, Visit, signs_by_tag
from hardware.reader_health import Word

REPEAT = 20  # times until an echo is looked into again
ORPHANED = 4  # the same where nobody can be asked


class TagEcho(msgspec.Struct, frozen=True):
    """A tag heard at a second place: where it lies, how often it was heard, and the last duels."""

    home: int
    times: int = 0
    duels: tuple[Duel, ...] = ()

    def with_duel(self, duel: Duel) -> "TagEcho":
        return TagEcho(self.home, self.times, (*self.duels, duel)[-MANY:])


class TagArbiter:
    """The tags that lie anywhere on the table; `health` tells how the reader of a place is."""

    def __init__(
        self, readers: Mapping[int, Reader], clock: Clock, health: Callable[[int], Word]
    ) -> None:
        self._places, self._clock, self._health = tuple(readers), clock, health
        self._contest = ReaderContest(readers)
        self._echoes: dict[int, dict[str, TagEcho]] = {place: {} for place in readers}
        self.lying_tags: LyingTags = {}

    def known_tags(self, place: int) -> list[bytes]:
        """Return the UIDs of the tags that are taken to lie at a place."""
        return [bytes.fromhex(tag) for tag in tags_at(self.lying_tags, place)]

    def process_visit(self, place: int, visit: Visit) -> list[Evidence]:
        """Update the tags that lie here, then settle new ones where each is heard best."""
        own = set(tags_at(self.lying_tags, place))
        signs = signs_by_tag(visit)
        evidence = self._apply_look(place, {tag: sign for tag, sign in signs.items() if tag in own})
        strangers = [tag for tag in signs if tag not in own]
        new = [tag for tag in strangers if tag not in self.lying_tags]
        for tag in strangers:
            if tag not in new:
                evidence += self._handle_echo(place, tag, self._count_echo(place, tag))
        return evidence + self._settle_new_tags(place, new)

    def has_twin(self, place: int, tags: Collection[str]) -> bool:
        """Return whether one of these tags, heard here, lies just as surely elsewhere."""
        return any(self._is_twin(place, tag) for tag in tags)

    def _is_twin(self, place: int, tag: str) -> bool:
        echo, lying = self._echoes[place].get(tag), self.lying_tags.get(tag)
        return (
            echo is not None
            and lying is not None
            and lying.place == echo.home != place
            and are_twins(echo.duels)
        )

    def _count_echo(self, place: int, tag: str) -> TagEcho:
        """Return the echo, heard once more; noise that swallows it now and then does not end it."""
        echoes = {t: echo for t, echo in self._echoes[place].items() if t in self.lying_tags}
        echo = echoes.get(tag)
        home = self.lying_tags[tag].place
        if echo is None or echo.home != home:
            echo = TagEcho(home)
        echoes[tag] = TagEcho(home, echo.times + 1, echo.duels)
        self._echoes[place] = echoes
        return echoes[tag]

    def _apply_look(self, place: int, signs: Mapping[str, Sign]) -> list[Evidence]:
        look = ReaderLook(place, self._clock.monotonic(), signs)
        self.lying_tags, evidence = apply_look(self.lying_tags, look)
        return evidence

    def _handle_echo(self, place: int, tag: str, echo: TagEcho) -> list[Evidence]:
        """Handle a tag that is heard here while it lies elsewhere: ask there, a few times at first
        and now and then later, and compare who hears it better."""
        there = echo.home
        if self._health(there) == "offline":
            asked = echo.times % ORPHANED == 1
            is_here = asked and self._contest.is_heard_firmly(tag, place)
            return self._move_tag(tag, place) if is_here else []
        if self._health(there) != "well":
            return []
        if self.lying_tags[tag].silent:
            evidence = self._apply_look(there, {tag: self._contest.ask_after(tag, there)})
            return evidence + self._apply_look(place, {tag: "seen"})
        if echo.times > MANY and echo.times % REPEAT:
            return []
        duel = self._contest.compare_strength(tag, there, place)
        if duel is None:
            return []
        self._echoes[place][tag] = echo = echo.with_duel(duel)
        return self._move_tag(tag, place) if has_moved(echo.duels) else []

    def _move_tag(self, tag: str, place: int) -> list[Evidence]:
        now = self._clock.monotonic()
        self.lying_tags, evidence = move_tag(self.lying_tags, tag, place, now)
        return evidence

    def _settle_new_tags(self, place: int, tags: list[str]) -> list[Evidence]:
        """Ask all other readers for tags just met; those that only this one hears lie here."""
        best = dict.fromkeys(tags, place)
        for other in self._places:
            if tags and other != place and self._health(other) == "well":
                for tag in self._contest.find_overheard(tags, other):
                    best[tag] = self._contest.pick_stronger(tag, best[tag], other)
        return [news for tag in tags for news in self._apply_look(best[tag], {tag: "seen"})]
