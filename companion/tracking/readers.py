"""The last word of every reader, to be told once more to another tracker.

Laws: a tag is kept as its reader sent it, because every deck makes other marks of it; only for as
long as it lies there, and never written or shown. Replayed, the reports are what readers send after
they are switched on: first what lies there, then that they listen.
"""

from companion.core.sensor_events import (
    Arrived,
    Evidence,
    FellSilent,
    Left,
    Odd,
    ReaderFound,
    ReaderLost,
)


class ReaderReports:
    """The last word of every reader about itself and about what lies there."""

    def __init__(self) -> None:
        self._lying: dict[str, Arrived] = {}
        self._odd: dict[int, Odd] = {}
        self._readers: dict[int, ReaderFound | ReaderLost] = {}

    def record(self, evidence: Evidence) -> None:
        """Remember this report and drop those that it replaces."""
        match evidence:
            case Arrived(tag=tag):
                self._lying.pop(tag, None)
                self._lying[tag] = evidence
            case Left(tag=tag, place=place) | FellSilent(tag=tag, place=place):
                if tag in self._lying and self._lying[tag].place == place:
                    del self._lying[tag]
            case Odd():
                self._odd[evidence.place] = evidence
            case ReaderFound() | ReaderLost():
                self._readers[evidence.place] = evidence

    def clear(self) -> None:
        """Forget all reports, because the readers were exchanged."""
        for reports in (self._lying, self._odd, self._readers):
            reports.clear()

    def current_evidence(self) -> list[Evidence]:
        """Return all reports as evidence, in the order in which they came."""
        return [*self._lying.values(), *self._odd.values(), *self._readers.values()]

    @property
    def is_listening(self) -> bool:
        """Return whether there is a reader that can be heard."""
        return any(isinstance(news, ReaderFound) for news in self._readers.values())
