"""Who hears a tag best, when more than one reader hears it.

Law: neighbouring antennas read each other's tags, and no reader can tell how far away one lies.
But a receiver that is made deafer step by step loses the far tag first. A reader that is not
well wins nothing and loses nothing.
"""

from collections.abc import Mapping

from hardware.presence import Sign
from hardware.rc522.reader import Reader, Visit

CLEARLY = 2  # of the six questions of a duel
DUELS = 4
FIRMLY = 4  # of six: more than a neighbour's antenna ever hears


class Contest:
    """The readers, by place, as rivals."""

    def __init__(self, readers: Mapping[int, Reader]) -> None:
        self._readers = readers

    def ask_after(self, tag: str, place: int) -> Mapping[str, Sign]:
        """The sign of a tag at another place than the one being visited."""
        try:
            return by_tag(self._readers[place].ask_after([bytes.fromhex(tag)]))
        except OSError:
            return {}

    def overheard(self, tags: list[str], place: int) -> list[str]:
        """Which of these tags, just met elsewhere, this place hears too."""
        try:
            uids = self._readers[place].overhears([bytes.fromhex(tag) for tag in tags])
        except OSError:
            return []
        return [uid.hex() for uid in uids]

    def better(self, tag: str, one: int, other: int) -> int:
        """Who hears a tag clearly better; when nobody does, the first of the two keeps it."""
        lead = 0
        for _ in range(DUELS):
            mine, theirs = self._strength(tag, one), self._strength(tag, other)
            if mine is None or theirs is None:
                return one
            lead += theirs - mine
            if abs(lead) >= CLEARLY:
                break
        return other if lead >= CLEARLY else one

    def firmly(self, tag: str, place: int) -> bool:
        """Whether a tag surely lies here, with nobody to compare with."""
        return (self._strength(tag, place) or 0) >= FIRMLY

    def _strength(self, tag: str, place: int) -> int | None:
        try:
            return self._readers[place].strength(bytes.fromhex(tag))
        except OSError:
            return None


def by_tag(visit: Visit) -> dict[str, Sign]:
    """The signs of a visit by the tags' names."""
    return {uid.hex(): sign for uid, sign in visit.signs.items()}
