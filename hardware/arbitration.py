"""Where each tag lies: the tags of a table, settled visit by visit.

Law: a tag lies where it was met first, until it is silent there. Readers 80 mm apart or more never
hear one sticker, so a tag that answers at two places at once is two: twins, and the first keeps
its place.
"""

from collections.abc import Callable, Collection, Mapping

from companion.core.sensor_events import Evidence
from hardware.clock import Clock
from hardware.presence import LyingTags, ReaderLook, Sign, apply_look, move_tag, tags_at
from hardware.reader import Reader, Visit, put_to_sleep, signs_by_tag
from hardware.reader_health import Word


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
