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
    """The last report of every reader on itself and on its tags."""

    def __init__(self) -> None:
        self._last: dict[tuple[str, str | int], Evidence] = {}

    def record(self, evidence: Evidence) -> None:
        """Remember this report and drop those that it replaces."""
        match evidence:
            case Arrived(tag=tag):
                self._last.pop(("tag", tag), None)
                self._last["tag", tag] = evidence
            case Left(tag=tag, place=place) | FellSilent(tag=tag, place=place):
                last = self._last.get(("tag", tag))
                if isinstance(last, Arrived) and last.place == place:
                    del self._last["tag", tag]
            case Odd(place=place):
                self._last["odd", place] = evidence
            case ReaderFound(place=place) | ReaderLost(place=place):
                self._last["reader", place] = evidence

    def clear(self) -> None:
        """Forget all reports, because the readers were exchanged."""
        self._last.clear()

    def current_evidence(self) -> list[Evidence]:
        """Return all reports as evidence: first the tags, then the listening readers."""
        told = self._last.items()
        return [one for kind in ("tag", "odd", "reader") for (of, _), one in told if of == kind]

    @property
    def is_listening(self) -> bool:
        """Return whether there is a reader that can be heard."""
        return any(isinstance(one, ReaderFound) for one in self._last.values())
