"""The table as strangers may see it: seats in place of names, and nothing that people typed.

Laws: it is the same game, folded again from the same events with pseudonyms in them, so that no
name can be left in a sentence; it is told at the same pace. It follows the table event by event,
and is worked out only while strangers look.
"""

import threading
from collections.abc import Callable, Sequence

import msgspec

from companion.core.i18n import Message
from companion.core.pseudonyms import hide_names
from companion.table.history import History, apply_event, hide_players
from companion.table.telling import Brought, TellingClock, view_of
from companion.table.view import TABLE_VIEWER, TableViews, View
from companion.tracking.mismatches import Mismatch
from companion.tracking.picture import Picture

REMEMBERED = 8
"""Veiled histories that are kept: the newest, and those that are being told."""


class Look(msgspec.Struct, frozen=True, eq=False):
    """What a table is at one moment, besides its history; `find_mismatches` compares its cards with
    a state of the game."""

    history: History
    picture: Picture
    faults: tuple[Message, ...]
    find_mismatches: Callable[[History], Sequence[Mismatch]]


class VeiledTelling(TellingClock):
    """Tells what another clock tells, at the same moments, of the veiled game."""

    def __init__(self, told: TellingClock, veil: Callable[[History], History]) -> None:
        super().__init__()
        self._told, self._veil = told, veil
        self._of: object = None

    def _look_for_verdict(self) -> None:
        telling, newest, self._clock = self._told.look()
        if telling is self._of:
            return
        self._of, self._telling, self._newest = telling, None, None
        if telling is None or newest is None:
            return
        before, after = self._veil(newest.before), self._veil(newest.after)
        verdict = self._find_public_verdict(after)
        self._newest = Brought(before, after)
        if verdict is not None:
            self._telling = msgspec.structs.replace(
                telling, verdict=verdict, view_before=lambda seat: view_of(before, seat)
            )


class VeiledTable:
    """The veiled side of one table: what of it pages for strangers ask. Thread-safe."""

    def __init__(self, look: Callable[[], Look | None], telling: TellingClock) -> None:
        self._look, self._lock = look, threading.RLock()
        self._veiled: list[tuple[History, History]] = []
        self._views = TableViews()
        self.telling = VeiledTelling(telling, self.veil)

    def view(self, _seat: int = 0, viewer: str = TABLE_VIEWER) -> View | None:
        """Return what strangers may know now; None before the first game, and if it fails."""
        with self._lock:
            look = self._look()
            if look is None:
                return None
            history = self.veil(look.history)
            gaps = tuple(look.find_mismatches(history))
            self._views.refresh(history, gaps, look.picture, look.faults)
            return self._views.view(0, viewer)

    def veil(self, history: History) -> History:
        """Return a history with seats in place of names."""
        with self._lock:
            for open_one, veiled in reversed(self._veiled):
                if open_one is history:
                    return veiled
                if _goes_on(open_one, history):
                    return self._remember(history, _follow(veiled, open_one, history))
            return self._remember(history, hide_players(history))

    def _remember(self, history: History, veiled: History) -> History:
        self._veiled = [*self._veiled, (history, veiled)][-REMEMBERED:]
        return veiled


def _goes_on(before: History, after: History) -> bool:
    """Return whether a history is another one with more moments."""
    n = len(before.moments)
    return 0 < n <= len(after.moments) and after.moments[n - 1] is before.moments[n - 1]


def _follow(veiled: History, before: History, after: History) -> History:
    for moment in after.moments[len(before.moments) :]:
        veiled = apply_event(veiled, hide_names(moment.event), moment.via, moment.when)
    return veiled
