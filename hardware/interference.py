"""Contest between readers that hear the same tag.

Law: neighbouring antennas read each other's tags, and no reader can tell how far away one lies.
But a reader that sends with less power and listens with less gain step by step loses the far tag
first, whichever of the two fails first. A reader that is not well wins nothing and loses nothing.
Where a tag lies already, it is taken away only by many duels: when its own reader hears it badly
and another clearly better. Two that both hear it well hear twins, and the first keeps it.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from hardware.presence import Sign
from hardware.reader import Reader, put_to_sleep

CLEARLY = 2  # of the eleven steps of a duel
DUELS, SETTLED = 4, 4  # at most so many; fewer where the lead is so large
FIRMLY = 4  # steps: more than a neighbour's antenna ever hears
WEAK = 3  # steps: less than the antenna it lies on ever hears, on the average of many duels
MANY = 4


class Duel(NamedTuple):
    """The strength of a tag where it lies, and at another place."""

    home: int
    rival: int


def has_moved(duels: Sequence[Duel]) -> bool:
    """Return whether the duels show that a tag does not lie at its home."""
    home, rival = sum(duel.home for duel in duels), sum(duel.rival for duel in duels)
    enough = len(duels) >= MANY
    return enough and home <= WEAK * len(duels) and rival - home >= CLEARLY * len(duels)


class ReaderContest:
    """The readers by place, compared with each other."""

    def __init__(self, readers: Mapping[int, Reader]) -> None:
        self._readers = readers

    def ask_after(self, tag: str, place: int) -> Sign:
        """Return the sign of a tag at another place than the one being visited."""
        try:
            present = self._readers[place].is_present(bytes.fromhex(tag))
        except OSError:
            put_to_sleep(self._readers)
            return "unclear"
        return "unclear" if present is None else "seen" if present else "silent"

    def find_overheard(self, tags: list[str], place: int) -> list[str]:
        """Return which of these tags, just met elsewhere, this place hears too."""
        try:
            uids = self._readers[place].hears_neighbour([bytes.fromhex(tag) for tag in tags])
        except OSError:
            put_to_sleep(self._readers)
            return []
        return [uid.hex() for uid in uids or ()]

    def pick_stronger(self, tag: str, one: int, other: int) -> int:
        """Return the place that hears a tag clearly better, else the first of the two."""
        lead = 0
        for _ in range(DUELS):
            duel = self.compare_strength(tag, one, other)
            if duel is None:
                return one
            lead += duel.rival - duel.home
            if abs(lead) >= SETTLED:
                break
        return other if lead >= CLEARLY else one

    def compare_strength(self, tag: str, home: int, rival: int) -> Duel | None:
        """Return one comparison of two places; None when one of them is not well."""
        mine, theirs = self._measure_strength(tag, home), self._measure_strength(tag, rival)
        return None if mine is None or theirs is None else Duel(mine, theirs)

    def is_heard_firmly(self, tag: str, place: int) -> bool:
        """Return whether a tag surely lies here, judged without a rival."""
        return (self._measure_strength(tag, place) or 0) >= FIRMLY

    def _measure_strength(self, tag: str, place: int) -> int | None:
        try:
            return self._readers[place].strength(bytes.fromhex(tag))
        except OSError:
            put_to_sleep(self._readers)
            return None
