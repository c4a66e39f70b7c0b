"""What the readers told last, for whoever begins to look later: the eyes for another box, a check.

Laws: a tag stands here as its reader told it, because every deck makes other marks of it; it is
kept in memory for as long as it lies there, and is written and shown nowhere. Told again, it is
what readers tell that were just switched on: first what lies there, then that they listen.
"""

from companion.core.sensor_events import Arrived, Evidence, Left, Odd, ReaderFound, ReaderLost


class Reports:
    """The last word of every reader about itself and about what lies there."""

    def __init__(self) -> None:
        self._lying: dict[str, Arrived] = {}
        self._odd: dict[int, Odd] = {}
        self._readers: dict[int, ReaderFound | ReaderLost] = {}

    def take(self, evidence: Evidence) -> None:
        """Remember this, and forget what it makes old."""
        match evidence:
            case Arrived(tag=tag):
                self._lying.pop(tag, None)
                self._lying[tag] = evidence
            case Left(tag=tag, place=place):
                if tag in self._lying and self._lying[tag].place == place:
                    del self._lying[tag]
            case Odd(place=place):
                self._odd[place] = evidence
            case ReaderFound(place=place) | ReaderLost(place=place):
                self._readers[place] = evidence

    def forget(self) -> None:
        """Other readers lie there from now on, and have told nothing yet."""
        self._lying.clear()
        self._odd.clear()
        self._readers.clear()

    def again(self) -> list[Evidence]:
        """All of it once more, in the order in which it came."""
        return [*self._lying.values(), *self._odd.values(), *self._readers.values()]

    @property
    def listening(self) -> bool:
        """Whether there is a reader that can be heard."""
        return any(isinstance(news, ReaderFound) for news in self._readers.values())
