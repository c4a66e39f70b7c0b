"""A table on the floor: its name and place, its call for staff, and its state for the floor.

Laws: a table without a name is on no floor: nothing is offered to its guests, and it tells nothing.
There is at most one call, the newest: calls do not queue, and an answer that was meant for an older
call leaves a newer one as it is. The state is worked out from the public view when it is asked for,
never while the table writes.
"""

import threading
from collections.abc import Callable, Iterable, Sequence

import msgspec

from companion import __version__
from companion.floor.table_state import CalledStaff, TableState, describe_game
from companion.host.health import Light
from companion.host.settings import TableSettings
from companion.host.status import worst_colour
from companion.table.table import Table


class StaffCall(msgspec.Struct, frozen=True):
    """A call for staff: its number since this program began, its seat (0: the table screen), and
    when it was made. It says no name."""

    number: int
    seat: int
    begun: float


class StaffCalls:
    """The call of one table; pages use it from any thread."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock, self._lock = clock, threading.Lock()
        self._made = 0
        self.current: StaffCall | None = None

    def call(self, seat: int) -> StaffCall:
        """Call staff to this seat; the call replaces an older one."""
        with self._lock:
            self._made += 1
            self.current = StaffCall(self._made, seat, self._clock())
            return self.current

    def answer(self, number: int = 0) -> bool:
        """End the call of this number, or with 0 any; return whether there was one."""
        with self._lock:
            current = self.current
            if current is None or number not in (0, current.number):
                return False
            self.current = None
            return True


class TableOnFloor:
    """A table as the floor knows it, by its settings."""

    def __init__(
        self,
        settings: TableSettings,
        lights: Callable[[], Iterable[Light]] = tuple,
        addresses: Callable[[], Sequence[str]] = tuple,
        clock: Callable[[], float] = lambda: 0.0,
    ) -> None:
        self._settings, self.calls = settings, StaffCalls(clock)
        self._lights, self._addresses, self._clock = lights, addresses, clock
        self._game, self._since = "", clock()

    def read_state(self, table: Table) -> TableState:
        """Return the state of this table as it is now."""
        view, now = table.view(), self._clock()
        game = view.public.id if view is not None else ""
        if game != self._game:
            self._game, self._since = game, now
        call = self.calls.current
        return msgspec.structs.replace(
            describe_game(view, table.rules.box.title),
            name=self._settings.place.name,
            place=self._settings.place.place,
            seconds=int(now - self._since) if view is not None else 0,
            call=call and CalledStaff(call.number, call.seat, int(now - call.begun)),
            light=worst_colour(self._lights()),
            companion=__version__,
            address=next(iter(self._addresses()), ""),
        )
